import type { PaperSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { gridView } from '@heron/engine/session/planView.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { equityOf } from '@heron/engine/state/equity.ts';
import { gridFiguresOf, gridYieldPercent } from '@heron/engine/state/gridFigures.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNS } from '../invariants/runs.ts';
import { play, worlds } from '../invariants/world.ts';
import { gridDesk } from './gridDesk.ts';
import { GridLedger } from './gridLedger.ts';

const DAY = 86_400_000;

const grids = fc.record({
  id: fc.constant('grid'),
  params: fc.record({
    range_pct: fc.integer({ min: 1, max: 8 }),
    levels: fc.integer({ min: 2, max: 8 }),
    spacing: fc.constantFrom('geometric', 'arithmetic'),
    initial_buy: fc.boolean(),
    recentre: fc.boolean(),
  }),
});

const gridWorlds = worlds({
  maxPairs: 2,
  strategies: grids,
  given: { currency_capital: 10_000, makerFee: 0.02, buy_pct: 60, max_buy_size: 0, order_type: 'taker' },
});

const partialTrades = fc.record({
  side: fc.constantFrom('spot', 'only_long', 'only_short', 'both'),
  spacing: fc.constantFrom('geometric', 'arithmetic'),
  initial: fc.boolean(),
  steps: fc.array(
    fc.record({
      price: fc.integer({ min: 530, max: 670 }).map((hundreds) => 100 * hundreds),
      order: fc.nat(11),
      quantity: fc.integer({ min: 1, max: 40 }).map((thousandths) => thousandths / 1_000),
      wait: fc.integer({ min: 0, max: 3 }).map((value) => value === 0),
    }),
    { minLength: 20, maxLength: 60, size: 'max' },
  ),
});

/** Counts of what the random histories have reached, so that the test cannot pass without having seen it. */
interface Seen {
  cycles: number;
  pure: number;
  unfinished: number;
  readonly kinds: Set<string>;
}

class Auditor {
  private readonly ledgers = new Map<string, GridLedger>();
  private readonly seen: Seen;

  constructor(seen: Seen) {
    this.seen = seen;
  }

  check({ bot, state }: PaperSession, notes: readonly Note[], at: number): void {
    let total = 0;
    for (const pair of state.bot.pairs) {
      const own = notes.filter((note) => note.pair === pair.pair);
      const figures = gridFiguresOf(pair, at);
      this.follow(pair, own, at);
      total += figures?.total ?? pair.holding.realised;
    }
    const isGridOnly = state.bot.pairs.every((pair) => gridFiguresOf(pair, at) !== null);
    const gained = equityOf(bot) - state.bot.wallet.start - state.bot.wallet.insurance;
    if (isGridOnly && total !== gained) throw new Error(`the pairs gained ${total}, the account ${gained}`);
  }

  private follow(pair: PairState, notes: readonly Note[], at: number): void {
    const ledger = this.ledgers.get(pair.pair) ?? new GridLedger();
    this.ledgers.set(pair.pair, ledger);
    ledger.follow(pair, notes);
    const figures = gridFiguresOf(pair, at);
    if (figures === null || pair.market === null) return;
    const { profit, floating, other, cycles } = figures;
    expectNear('grid profit', profit, ledger.profit, ledger.roundings);
    if (cycles !== ledger.cycles) throw new Error(`${cycles} cycles, counted ${ledger.cycles}`);
    if (!ledger.isPure || pair.orderPlan?.kind !== 'grid') return;
    expectNear('floating', floating, ledger.floating(pair.mark, pair.market), ledger.roundings + 2);
    expectNear('unmatched', other, ledger.unfinished, 2 * ledger.roundings + 2);
    this.seen.pure += 1;
    if (ledger.unfinished !== 0) this.seen.unfinished += 1;
    if (cycles > 0) this.seen.kinds.add(`${pair.orderPlan.side} ${pair.orderPlan.rules.geometric}`);
  }

  end(): void {
    for (const { cycles } of this.ledgers.values()) this.seen.cycles += cycles;
  }
}

function expectNear(name: string, actual: number, expected: number, tolerance: number): void {
  if (Math.abs(actual - expected) > tolerance)
    throw new Error(`${name} ${actual}, expected ${expected} ± ${tolerance}`);
}

describe('grid figures', () => {
  test('equal an independent calculation in any market: grid profit + floating + unmatched = total', () => {
    const seen: Seen = { cycles: 0, pure: 0, unfinished: 0, kinds: new Set() };
    fc.assert(
      fc.property(gridWorlds, (world) => {
        const auditor = new Auditor(seen);
        play(world, (session, notes, event) => auditor.check(session, notes, event.at));
        auditor.end();
      }),
      { numRuns: RUNS },
    );
    expect(seen.cycles).toBeGreaterThan(RUNS / 5);
    expect(seen.pure).toBeGreaterThan(RUNS);
    // Long, short and neutral, each geometric and arithmetic.
    expect(seen.kinds.size).toBe(6);
  });

  test('equal it also while orders are filled in part', () => {
    const seen: Seen = { cycles: 0, pure: 0, unfinished: 0, kinds: new Set() };
    fc.assert(
      fc.property(partialTrades, ({ side, spacing, initial, steps }) => {
        const future = { exchange: 'binanceusdm', market: side, leverage: 2, stop_sell: [], margin_mode: 'cross' };
        const desk = gridDesk(side === 'spot' ? {} : future, { spacing, initial_buy: initial });
        const auditor = new Auditor(seen);
        auditor.check(desk.session, desk.notes, desk.now);
        for (const { price, order, quantity, wait } of steps) {
          const orders = desk.session.state.exchange.orders.filter(({ price: at }) => at > 0);
          // A trade at the price of an order without a queue fills it in part; a trade beyond it, completely.
          for (const each of orders) (each as { ahead: number }).ahead = 0;
          const at =
            wait || orders.length === 0 ? price : (orders[order % orders.length] as { price: number }).price / 1e8;
          const notes = [...desk.trade(at, quantity), ...(wait ? desk.wait(300) : [])];
          auditor.check(desk.session, notes, desk.now);
        }
        auditor.end();
      }),
      { numRuns: RUNS / 5 },
    );
    expect(seen.cycles).toBeGreaterThan(RUNS / 10);
    expect(seen.unfinished).toBeGreaterThan(RUNS / 5);
    expect(seen.kinds.size).toBe(6);
  });

  test('of one cycle by hand: bought at 58,000, sold at 60,000, 0.1 % each', () => {
    const desk = gridDesk({}, { initial_buy: false });
    desk.quote(57_999);
    desk.wait(300);
    desk.quote(60_001);
    desk.wait(300);
    // 4,995.004995 / 6 at 58,000 is 0.01435; its fee of 0.00001435 stays out, and 0.01433 is sold.
    const bought = 58_000 * 0.01435;
    const sold = 60_000 * 0.01433;
    const cost = (bought * 0.01433) / (0.01435 * 0.999);
    const view = gridView(desk.pair, desk.now);
    expect(Number(view?.profit)).toBeCloseTo(sold * 0.999 - cost, 6);
    expect(view).toMatchObject({ cycles: 1, other: '0', yearlyPercent: null });
    expect(Number(view?.floating)).toBeLessThan(1);
    expect(Number(view?.profit) + Number(view?.floating)).toBeCloseTo(Number(view?.total), 8);
  });

  test('a grid that ends keeps its profit; the loss of the sale is not grid profit', () => {
    const desk = gridDesk({ stop_sell: [{ profit: 5, stop: 100 }] });
    for (const price of [57_999, 60_001]) {
      desk.quote(price);
      desk.wait(300);
    }
    const before = gridView(desk.pair, desk.now);
    expect(before?.cycles).toBe(1);
    desk.quote(55_000);
    desk.wait(300);
    expect(desk.pair.orderPlan).toBeNull();
    const after = gridView(desk.pair, desk.now);
    expect(after).toMatchObject({ profit: before?.profit, cycles: 1 });
    // Only dust is left.
    expect(Math.abs(Number(after?.floating))).toBeLessThan(0.05);
    expect(Number(after?.other)).toBeLessThan(0);
  });

  test('the yearly yield is that of the money in use, after the first day', () => {
    const desk = gridDesk({}, { initial_buy: false });
    for (const price of [57_999, 60_001]) {
      desk.quote(price);
      desk.wait(300);
    }
    const from = desk.pair.orderPlan?.kind === 'grid' ? desk.pair.orderPlan.startedAt : 0;
    expect(gridView(desk.pair, from + DAY - 1)?.yearlyPercent).toBeNull();
    const figures = gridFiguresOf(desk.pair, from + 10 * DAY);
    expect(figures?.days).toBeCloseTo(10, 9);
    const share = Number(gridView(desk.pair, from)?.profit) / 4_995.004995;
    expect(figures && gridYieldPercent(figures)).toBeCloseTo((100 * share * 365) / 10, 6);
  });
});
