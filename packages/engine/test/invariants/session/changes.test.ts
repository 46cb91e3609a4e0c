import { unrealised } from '@heron/engine/ledger/holding.ts';
import { notional } from '@heron/engine/market/market.ts';
import { type PaperSession, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { ClosedCandle, MarketEvent } from '@heron/engine/state/botEvents.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { equityOf } from '@heron/engine/state/equity.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNS } from '../runs.ts';
import { live, startSession, type World, type WorldEvent, worlds } from '../world.ts';

const rows = fc.uniqueArray(fc.record({ profit: fc.constantFrom(0.5, 1, 2, 5), stop: fc.constantFrom(20, 50, 100) }), {
  maxLength: 3,
  selector: ({ profit }) => profit,
});

/** Changed values of options of every class, some of them rejected: no such change may move money. */
const someOptions = fc.record(
  {
    takerFee: fc.constantFrom(0.01, 0.1, 0.5),
    order_type: fc.constantFrom('maker', 'taker'),
    buy_pct: fc.integer({ min: 0, max: 100 }),
    min_buy_size: fc.constantFrom(0, 10, 100),
    sell_pct: fc.constantFrom(0, 30, 100),
    stop_sell: rows,
    profit_win: rows,
    max_sell_loss_pct: fc.constantFrom(0, 1),
    max_watch_size: fc.constantFrom(0, 1, 2),
    markdown_buy_pct: fc.constantFrom(-0.2, 0, 0.5),
    market: fc.constantFrom('only_long', 'only_short', 'both'),
    leverage: fc.constantFrom(1, 2, 10, 125),
    margin_mode: fc.constantFrom('isolated', 'cross'),
    quarentine_time: fc.constantFrom(0, 10),
    run_for: fc.constantFrom(0, 1),
    min_periods: fc.constantFrom(18, 20),
    keep_lookback_periods: fc.constantFrom(10, 100, 500),
  },
  { requiredKeys: [] },
);
const strategies = fc.constantFrom(
  { options: {}, params: {} },
  { options: { strategy: 'momentum' }, params: { length: 1, threshold: 0 } },
  { options: { strategy: 'ema_cross' }, params: { fast: 2, slow: 4, band: 0 } },
  { options: { strategy: 'grid' }, params: { range_pct: 4, levels: 6 } },
  { options: { strategy: 'dca' }, params: { start: 'now', step: 0.5, take_profit: 0.6 } },
);

/** Worlds with up to four changes of options, each possibly after a reset of the account. */
const changing = fc
  .record({
    world: worlds({ maxPairs: 3, moves: 30 }),
    changes: fc.array(
      fc.record({
        at: fc.nat(),
        options: someOptions,
        strategy: strategies,
        removes: fc.nat(7),
        currency: fc.integer({ min: 0, max: 9 }),
        resets: fc.integer({ min: 0, max: 9 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ world, changes }) => {
    const events: WorldEvent[] = [...world.events];
    for (const { at, options, strategy, removes, currency, resets } of changes) {
      // Changes come only after the histories.
      const first = world.markets.length + 1;
      const place = first + (at % (events.length - first));
      const watched = world.markets.filter((_, k) => ((removes >> k) & 1) === 0).map(({ pair }) => pair);
      const event: MarketEvent = {
        type: 'command',
        at: events[place]?.at ?? 0,
        command: {
          type: 'change',
          options: {
            ...options,
            ...strategy.options,
            watch_pairs: watched.join(','),
            ...(currency === 0 ? { exchange: 'binance' } : {}),
          },
          params: strategy.params,
        },
      };
      const reset: MarketEvent = { type: 'command', at: event.at, command: { type: 'reset' } };
      events.splice(place, 0, ...(resets < 3 ? [reset] : []), event);
    }
    return { ...world, events };
  });

/** Returns the histories that the host sends after a change to every pair that waits for one. */
function histories(world: World, session: PaperSession, at: number): MarketEvent[] {
  return session.state.bot.pairs
    .filter(({ flag, reloading }) => flag === 'loading' || reloading)
    .flatMap(({ pair }) => {
      const market = world.markets.find((candidate) => candidate.pair === pair);
      const first = world.events.find((event) => event.type === 'history' && event.market.pair === pair);
      const known = first?.type === 'history' ? first.candles : [];
      const since = world.events.flatMap((event): ClosedCandle[] =>
        event.type === 'candle' && event.pair === pair && event.at <= at ? [event.candle] : [],
      );
      return market === undefined
        ? []
        : [{ type: 'history' as const, at, market, candles: [...known, ...since].slice(-100) }];
    });
}

/** Replays such a world. `see` runs after every event and may return another session. */
function playChanging(
  world: World,
  see: (session: PaperSession, notes: readonly Note[]) => PaperSession,
): PaperSession {
  let session = startSession(world);
  const take = (event: WorldEvent) => {
    const next = live(session, structuredClone(event));
    session = see(next.session, next.notes);
  };
  for (const event of world.events) {
    take(event);
    if (event.type !== 'command' || !/^(change|reset)$/.test(event.command.type)) continue;
    for (const history of histories(world, session, event.at)) take(history);
  }
  return session;
}

describe('options that change at any moment', () => {
  test('I-1, I-2, I-4, I-7, I-18: never move money, positions or what is reserved', () => {
    let changed = 0;
    let unmoved = 0;
    let reset = 0;
    fc.assert(
      fc.property(changing, (world) => {
        let before: Money = { all: '', entries: new Map() };
        playChanging(world, (session, notes) => {
          expectCostWithQuantity(session);
          expectEquity(session);
          if (hasCommand(notes, 'change')) {
            changed += 1;
            if (!movesMoney(notes)) {
              unmoved += 1;
              expectSameMoney(session, before);
            }
          }
          if (hasCommand(notes, 'reset')) {
            reset += 1;
            expectStartOnly(session);
          }
          before = moneyOf(session);
          return session;
        });
      }),
      { numRuns: RUNS },
    );
    expect(changed).toBeGreaterThan(RUNS / 2);
    expect(unmoved).toBeGreaterThan(RUNS / 4);
    expect(reset).toBeGreaterThan(RUNS / 20);
  });

  test('I-3: saved and restored at every event the bot continues unchanged', () => {
    fc.assert(
      fc.property(changing, (world) => {
        const [whole, cut] = [false, true].map((restarts) => {
          const notes: unknown[] = [];
          const session = playChanging(world, (given, added) => {
            notes.push(...added);
            return restarts ? restoreSession(saveSession(given)) : given;
          });
          return { notes, state: saveSession(session) };
        });
        expect(cut).toEqual(whole);
      }),
      { numRuns: RUNS },
    );
  });

  test('I-26: every bot that is stopped afterwards ends', () => {
    fc.assert(
      fc.property(changing, (world) => {
        let session = playChanging(world, (given) => given);
        let at = world.events.at(-1)?.at ?? 0;
        session = live(session, { type: 'command', at, command: { type: 'stop' } }).session;
        for (
          let i = 0;
          i < 50 && session.state.bot.status !== 'finished' && session.state.bot.status !== 'created';
          i++
        ) {
          at += 100;
          session = live(session, { type: 'timer', at }).session;
        }
        expect(['finished', 'created']).toContain(session.state.bot.status);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Expects a cost exactly where there is a quantity, a value in the exact range, and nothing on a pair without a market. */
function expectCostWithQuantity({ state }: PaperSession): void {
  for (const { holding, market, mark, position, entry, exit } of state.bot.pairs) {
    expect(holding.cost === 0).toBe(holding.quantity === 0);
    if (market === null) expect([holding.quantity, position, entry, exit]).toEqual([0, null, null, null]);
    else expect(Math.abs(notional(market, mark, holding.quantity))).toBeLessThan(2 ** 53);
  }
}

/** Expects a wallet of at least 0, and an equity of start capital plus realised and unrealised PnL. */
function expectEquity({ bot, state }: PaperSession): void {
  const { wallet, pairs } = state.bot;
  expect(wallet.quote).toBeGreaterThanOrEqual(0);
  let open = 0;
  for (const { holding, market, mark } of pairs) if (market !== null) open += unrealised(market, holding, mark);
  expect(equityOf(bot) - wallet.start - wallet.insurance).toBe(realisedOf(state.bot.pairs) + open);
}

function realisedOf(pairs: readonly PairState[]): number {
  return pairs.reduce((sum, { market, holding }) => sum + (market === null ? 0 : holding.realised), 0);
}

/** Expects an account that has just been reset to hold its start capital only. */
function expectStartOnly({ state: { bot } }: PaperSession): void {
  expect(realisedOf(bot.pairs)).toBe(0);
  expect(bot.wallet.quote).toBe(bot.wallet.start);
}

function hasCommand(notes: readonly Note[], command: 'change' | 'reset'): boolean {
  return notes.some(({ kind, data }) => kind === 'command' && data.command === command);
}

/** Returns whether notes contain something that moves money at the time of a change, or a change that replaces the account. */
function movesMoney(notes: readonly Note[]): boolean {
  return notes.some(
    ({ kind, data }) => ['fill', 'funding', 'liquidation'].includes(kind) || data.acts === 'flat_reload',
  );
}

/** Money of a session, which only fills, funding and liquidations move. */
interface Money {
  /** Wallet and holdings as text. */
  readonly all: string;
  /** Entry price and entry sums of every open position. */
  readonly entries: ReadonlyMap<string, readonly number[]>;
}

function moneyOf(session: PaperSession): Money {
  return { all: holdingsOf(session), entries: entriesOf(session) };
}

/** Expects no money to have moved since `before`. */
function expectSameMoney(session: PaperSession, before: Money): void {
  expect(holdingsOf(session)).toBe(before.all);
  for (const [pair, sums] of entriesOf(session)) expect(sums).toEqual(before.entries.get(pair) ?? sums);
}

/** Returns wallet and holdings without the entry sums: a position that ends with dust resets them, which moves no money. */
function holdingsOf({ state: { bot } }: PaperSession): string {
  const uncounted = { entryPrice: 0, entryNotional: 0, entryQuantity: 0 };
  const holdings = bot.pairs
    .filter(({ holding }) => holding.realised !== 0 || holding.quantity !== 0 || holding.fees !== 0)
    // A flat holding has no side, and the next entry sets leverage and margin mode.
    .map(({ pair, holding }) => [
      pair,
      { ...holding, ...uncounted, ...(holding.quantity === 0 ? { side: 0, leverage: 0, isolated: false } : {}) },
    ])
    .sort();
  return JSON.stringify([bot.wallet, holdings]);
}

/** Returns the entry price and entry sums of every open position. */
function entriesOf({ state: { bot } }: PaperSession): Map<string, readonly number[]> {
  const open = bot.pairs.filter(({ position }) => position !== null);
  return new Map(
    open.map(({ pair, holding: { entryPrice, entryNotional, entryQuantity } }) => [
      pair,
      [entryPrice, entryNotional, entryQuantity],
    ]),
  );
}
