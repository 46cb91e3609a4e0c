import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { mergeGroups } from '@heron/contract/bots/mergeGroups.ts';
import type { ClosedSums, PortfolioGroup } from '@heron/contract/bots/portfolio.ts';
import { handle } from '@heron/engine/bot/handle.ts';
import { marginOf } from '@heron/engine/ledger/marginOf.ts';
import { type Market, notional } from '@heron/engine/market/market.ts';
import { sumOf } from '@heron/engine/money/decimalText.ts';
import { formatUnits, toUnits } from '@heron/engine/money/units.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { environmentOf } from '@heron/engine/options/venues.ts';
import { createPaperSession, feedSession, type PaperSession } from '@heron/engine/paper/paperSession.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { savedDetail } from '../../store/botView.ts';
import type { BotClosedSums } from '../../store/closedSums.ts';
import { botGroup } from './botGroup.ts';

const START = Date.UTC(2026, 0, 20);
const PAIRS = ['BTC-USDT', 'ETH-USDT'] as const;
const KEYS = ['5f0c3a52-0f1e-4a55-9f0e-8f2f6a9b1c01', '5f0c3a52-0f1e-4a55-9f0e-8f2f6a9b1c02'] as const;
const VENUES = ['binance-demo', 'binanceusdm-demo', 'binance', 'binanceusdm'] as const;

/** One fill of a history, in small numbers that shrink well. */
const step = fc.record({
  pair: fc.constantFrom(0, 1),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  steps: fc.integer({ min: 1, max: 400 }),
  price: fc.integer({ min: 80, max: 120 }),
  inBase: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Of> ? Of : never;

const sums = fc.record({
  positions: fc.integer({ min: 0, max: 9 }),
  wins: fc.integer({ min: 0, max: 9 }),
  losses: fc.integer({ min: 0, max: 9 }),
  net: fc.integer({ min: -1e9, max: 1e9 }).map((units) => formatUnits(units)),
  fees: fc.integer({ min: 0, max: 1e9 }).map((units) => formatUnits(units)),
  funding: fc.integer({ min: -1e9, max: 1e9 }).map((units) => formatUnits(units)),
});

/** A bot: where it trades, what happened to it, and its closed positions in parts that are divided by three criteria. */
const world = fc.record({
  venue: fc.constantFrom(...VENUES),
  live: fc.boolean(),
  steps: fc.array(step, { maxLength: 12 }),
  last: fc.tuple(fc.integer({ min: 80, max: 120 }), fc.integer({ min: 80, max: 120 })),
  closed: fc.array(fc.tuple(sums, fc.constantFrom(...PAIRS), fc.constantFrom('manual', 'stop_sell', null)), {
    maxLength: 5,
  }),
});
type World = typeof world extends fc.Arbitrary<infer Of> ? Of : never;

/** Plays the history of a bot with the engine. Fills that sell more than is held on spot are left out. */
function played({ venue, steps, last }: World): PaperSession {
  const future = venue.startsWith('binanceusdm');
  const wished = { exchange: venue, watch_pairs: PAIRS.join(','), strategy: 'manual', ...(future && { leverage: 3 }) };
  const checked = validateOptions(wished);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const session = createPaperSession({ id: 'abc123', options: checked.options, params: {} });
  feedSession(session, { type: 'command', at: START, command: { type: 'start' } });
  for (const pair of PAIRS) {
    const market = { ...MARKET, pair, base: pair.slice(0, 3) };
    feedSession(session, { type: 'history', at: START, market, candles: [] });
  }
  steps.forEach((each, index) => {
    applyFill(session, each, index + 1);
  });
  session.state.bot.pairs.forEach((pair, index) => {
    if (pair.holding.quantity > 0) pair.mark = toUnits(last[index] ?? 100);
  });
  return session;
}

function applyFill({ bot, state }: PaperSession, { pair: index, side, steps, price, inBase }: Step, id: number): void {
  const pair = state.bot.pairs[index] as PairState;
  const market = pair.market as Market;
  const { future } = bot.rules;
  const quantity = future || side === 'buy' ? market.step * steps * 100 : pair.holding.quantity;
  if (quantity === 0) return;
  const units = toUnits(price);
  const fee =
    !future && side === 'buy' && inBase
      ? { fee: Math.floor(quantity / 1_000), feeAsset: market.base }
      : { fee: Math.floor(notional(market, units, quantity) / 1_000), feeAsset: market.quote };
  const of = { pair: pair.pair, id: `${id}`, at: START + id * 60_000 };
  handle(bot, { type: 'late_fill', ...of, side, price: units, quantity, liquidity: 'taker', ...fee }, []);
}

function detailOf(given: World, id: string): { detail: BotDetail; session: PaperSession } {
  const session = played(given);
  const row = {
    ...{ id, owner: '1', venue: given.venue, name: id, options: {}, params: {}, keyId: null, allotment: null },
    ...{ wanted: 'running' as const, createdAt: 0 },
  };
  const detail = savedDetail(row, { session, unreadable: null }, START);
  const account = {
    key: KEYS[given.steps.length % 2] ?? '',
    allotment: null,
    connection: 'off',
    comparedAt: null,
  } as const;
  return {
    detail: { ...detail, ...(given.live ? { mode: 'live', account } : { mode: 'paper', account: null }) },
    session,
  };
}

function closedOf({ closed }: World): BotClosedSums {
  const days = ['2026-11-26', '2026-11-27'];
  return {
    all: total(closed.map(([part]) => part)),
    pairs: closed.map(([part, pair]) => ({ ...part, pair })),
    reasons: closed.map(([part, , reason]) => ({ ...part, reason })),
    days: closed.map(([part], index) => ({ ...part, day: days[index % 2] ?? '' })),
  };
}

const historyOf = (given: World) => ({ closed: closedOf(given), returns: undefined, keyLabel: 'Mine' });

function total(rows: readonly ClosedSums[]): ClosedSums {
  const count = (name: 'positions' | 'wins' | 'losses') => rows.reduce((all, row) => all + row[name], 0);
  const amount = (name: 'net' | 'fees' | 'funding') => sumOf(rows.map((row) => row[name]));
  return {
    ...{ positions: count('positions'), wins: count('wins'), losses: count('losses') },
    ...{ net: amount('net'), fees: amount('fees'), funding: amount('funding') },
  };
}

const add = <Name extends string>(rows: readonly { readonly [N in Name]: string }[], name: Name) =>
  sumOf(rows.map((row) => row[name]));

const MONEY = ['equity', 'cash', 'invested', 'profit', 'realised', 'unrealised'] as const;

/** Fails if a list of a group does not add up to its totals. */
function checkPartitions(group: PortfolioGroup): void {
  for (const list of ['bots', 'venues', ...(group.mode === 'live' ? (['accounts'] as const) : [])] as const) {
    for (const name of MONEY) expect(add(group[list], name), `${list} ${name}`).toBe(group.money[name]);
  }
  if (group.mode === 'paper') expect(group.accounts).toEqual([]);
  for (const list of ['pairs', 'reasons', 'days', 'months', 'strategies'] as const) {
    const sum = total(group[list]);
    // A bot without a closed position has no strategy row, whatever the generator has invented as its sums.
    if (list !== 'strategies' || group.closed.positions > 0) expect(sum, list).toEqual(group.closed);
  }
  for (const name of ['long', 'short', 'net', 'gross'] as const) {
    expect(add(group.exposures, name)).toBe(group.exposure[name]);
  }
  expect(add(group.positions, 'value')).toBe(group.exposure.gross);
  expect(add(group.positions, 'lossAtStop')).toBe(group.risk.lossAtStops);
  expect(add(group.positions, 'withoutStop')).toBe(group.risk.withoutStop);
  expect(group.risk.positions).toBe(group.positions.length);
}

/** Bots with at least one closed position, so that strategies add up too. */
const trading = world.map((given) => ({
  ...given,
  closed: given.closed.map(([part, ...rest]) => [{ ...part, positions: part.positions + 1 }, ...rest] as const),
})) as fc.Arbitrary<World>;

test('every partition of a portfolio adds up to its totals, and no group mixes money', () => {
  const open = { spot: 0, short: 0 };
  fc.assert(
    fc.property(fc.array(trading, { minLength: 1, maxLength: 5 }), (worlds) => {
      const bots = worlds.map((given, index) => ({ given, ...detailOf(given, `bot${index}aa`) }));
      const single = bots.map(({ detail, given }) => botGroup(detail, historyOf(given)));
      const groups = mergeGroups(single);
      for (const group of [...single, ...groups]) checkPartitions(group);
      // Merging in steps, as for several bot hosts, changes nothing.
      const [first, ...rest] = single;
      expect(mergeGroups([...mergeGroups(rest), ...(first ? [first] : [])])).toEqual(groups);
      const kinds = groups.map(({ mode, environment, currency }) => `${mode} ${environment} ${currency}`);
      expect(new Set(kinds).size).toBe(kinds.length);
      for (const { mode, environment, bots: rows } of groups) {
        const own = bots.filter(({ detail }) => detail.mode === mode && environmentOf(detail.venue) === environment);
        expect(rows.map(({ bot }) => bot).sort()).toEqual(own.map(({ detail }) => detail.id).sort());
        const worth = own.map(({ detail }) => detail.performance.totalCapital);
        expect(sumOf(rows.map(({ equity }) => equity))).toBe(sumOf(worth));
      }
      open.spot += groups.filter(({ exposure }) => exposure.long !== '0').length;
      open.short += groups.filter(({ exposure }) => exposure.short !== '0').length;
    }),
    { numRuns: 300 },
  );
  expect(open.spot).toBeGreaterThan(30);
  expect(open.short).toBeGreaterThan(30);
});

test('exposure, margin and value of a position are those of the ledger', () => {
  fc.assert(
    fc.property(trading, (given) => {
      const { detail, session } = detailOf(given, 'bot0aa');
      const group = botGroup(detail, historyOf(given));
      const held = session.state.bot.pairs.filter(({ position }) => position !== null);
      const { future } = session.bot.rules;
      for (const { pair, holding, mark, market } of held) {
        const value = formatUnits(notional(market as Market, mark, holding.quantity));
        const row = group.positions.find((each) => each.pair === pair);
        expect(row).toMatchObject({ value, direction: holding.side === 1 ? 'long' : 'short' });
        const exposure = group.exposures.find(({ asset }) => asset === pair.slice(0, 3));
        expect(exposure).toMatchObject(holding.side === 1 ? { long: value, short: '0' } : { long: '0', short: value });
        expect(group.assets.find(({ asset }) => asset === pair.slice(0, 3))?.value).toBe(future ? undefined : value);
      }
      if (future) {
        const margins = held.map(({ holding }) =>
          formatUnits(holding.margin > 0 ? holding.margin : marginOf(holding.cost, holding.leverage)),
        );
        expect(group.money.invested).toBe(sumOf(margins));
      } else expect(group.money.cash).toBe(detail.performance.cash);
    }),
    { numRuns: 300 },
  );
});
