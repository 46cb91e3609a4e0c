import { unrealised } from '@heron/engine/ledger/holding.ts';
import { notional } from '@heron/engine/market/market.ts';
import { type PaperSession, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import type { ClosedCandle, MarketEvent } from '@heron/engine/state/botEvents.ts';
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
    leverage: fc.constantFrom(2, 10, 125),
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
  see: (session: PaperSession, notes: readonly unknown[]) => PaperSession,
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
    let reset = 0;
    fc.assert(
      fc.property(changing, (world) => {
        let before = '';
        let entries = new Map<string, readonly number[]>();
        playChanging(world, (session, notes) => {
          const { bot } = session.state;
          const { wallet } = bot;
          expect(wallet.quote).toBeGreaterThanOrEqual(0);
          let results = 0;
          let open = 0;
          for (const { holding, market, mark, position, entry, exit } of bot.pairs) {
            expect(holding.cost === 0).toBe(holding.quantity === 0);
            if (market === null) expect([holding.quantity, position, entry, exit]).toEqual([0, null, null, null]);
            else {
              results += holding.realised;
              open += unrealised(market, holding, mark);
              expect(Math.abs(notional(market, mark, holding.quantity))).toBeLessThan(2 ** 53);
            }
          }
          expect(equityOf(session.bot) - wallet.start - wallet.insurance).toBe(results + open);
          const recorded = notes as readonly { kind: string; data: Record<string, unknown> }[];
          if (recorded.some(({ kind, data }) => kind === 'command' && data.command === 'change')) {
            changed += 1;
            // There was no fill at that time, so no money may have moved.
            const filled = recorded.some(({ kind }) => kind === 'fill' || kind === 'funding' || kind === 'liquidation');
            const begun = recorded.some(({ data }) => data.acts === 'flat_reload');
            if (!filled && !begun) {
              expect(moneyOf(session)).toBe(before);
              for (const [pair, counted] of entriesOf(session)) expect(counted).toEqual(entries.get(pair) ?? counted);
            }
          }
          if (recorded.some(({ kind, data }) => kind === 'command' && data.command === 'reset')) {
            reset += 1;
            expect(results).toBe(0);
            expect(wallet.quote).toBe(wallet.start);
          }
          before = moneyOf(session);
          entries = entriesOf(session);
          return session;
        });
      }),
      { numRuns: RUNS },
    );
    expect(changed).toBeGreaterThan(RUNS / 2);
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

/** Returns wallet and holdings without the entry sums: a position that ends with dust resets them, which moves no money. */
function moneyOf({ state: { bot } }: PaperSession): string {
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
