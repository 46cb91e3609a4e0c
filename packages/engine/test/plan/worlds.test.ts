import type { Dca } from '@heron/engine/dca/dca.ts';
import { dcaEntries } from '@heron/engine/dca/dcaProgress.ts';
import type { Grid } from '@heron/engine/grid/grid.ts';
import { gridCycles } from '@heron/engine/grid/grid.ts';
import { unrealised } from '@heron/engine/ledger/holding.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { SCALE } from '@heron/engine/money/units.ts';
import { type PaperSession, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { type Note, PLAN_NOTE } from '@heron/engine/session/journal.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { equityOf } from '@heron/engine/state/equity.ts';
import { PLAN_REASON } from '@heron/engine/state/parentOrder.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClosedCandles } from '../invariants/closedCandles.ts';
import { RUNS } from '../invariants/runs.ts';
import { live, play, startSession, type WorldLimits, worlds } from '../invariants/world.ts';
import { PhaseHistory } from '../phaseHistory.ts';

const tenths = (min: number, max: number) => fc.integer({ min: min * 10, max: max * 10 }).map((value) => value / 10);

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

const averagings = fc.record({
  id: fc.constant('dca'),
  params: fc.record({
    start: fc.constantFrom('now', 'strategy'),
    signal: fc.constant('momentum'),
    signal_params: fc.constant([{ length: 1 }]),
    safety_orders: fc.integer({ min: 0, max: 6 }),
    step: tenths(0.2, 3),
    take_profit: tenths(0.2, 3),
    trailing: fc.oneof(fc.constant(0), tenths(0.1, 1)),
    pause: fc.integer({ min: 0, max: 3 }),
  }),
});

const periodics = fc.record({
  id: fc.constant('dca'),
  params: fc.record({
    mode: fc.constant('periodic'),
    every: fc.integer({ min: 1, max: 5 }),
    amount: fc.constantFrom(0, 50),
    only_below_ema: fc.constantFrom(0, 3),
  }),
});

/** Generates worlds in which grids and deals often run: wide stops, enough capital. */
const planWorlds = (strategies: NonNullable<WorldLimits['strategies']>, limits: WorldLimits = {}) =>
  worlds({
    maxPairs: 3,
    strategies,
    ...limits,
    given: { currency_capital: 10_000, makerFee: 0.05, buy_pct: 60, max_buy_size: 0, ...limits.given },
  });

/** Returns the total position of the cells of a grid, positive for longs. */
function heldByCells({ cells }: Grid): number {
  return cells.reduce((sum, cell) => sum + cell.side * cell.asset, 0);
}

function signedHolding({ holding }: PairState): number {
  return holding.side * holding.quantity;
}

/** Expects at most one order per key, at most 2·N orders, and prices and quantities on tick and step size. */
function expectOrders(pair: PairState): void {
  const keys = new Set(pair.planOrders.map(({ planKey }) => planKey));
  if (keys.size !== pair.planOrders.length) throw new Error(`${pair.pair} has two orders of one key`);
  const { orderPlan, market } = pair;
  if (orderPlan?.kind === 'grid' && pair.planOrders.length > 2 * orderPlan.cells.length)
    throw new Error('more than 2·N orders');
  for (const { order, target, filled, reason } of pair.planOrders) {
    if (reason !== PLAN_REASON || filled > target)
      throw new Error('an order of a plan has another reason, or filled beyond its target');
    if (order === null) continue;
    const { tick, step } = market as Market;
    if (order.type !== 'limit_maker' || order.price % tick !== 0 || order.quantity % step !== 0) {
      throw new Error(`order ${JSON.stringify(order)} is off the tick or step size`);
    }
  }
  if (orderPlan === null && pair.planOrders.some(({ order }) => order !== null && order.status !== 'cancelling')) {
    throw new Error(`${pair.pair} has orders without a plan`);
  }
}

/** Checks that Σ cell asset equals the position, except for what the pair held before the grid. */
class GridLevelBalances {
  private readonly before = new Map<string, number>();

  check(pair: PairState): void {
    const { orderPlan } = pair;
    if (orderPlan?.kind !== 'grid') {
      this.before.delete(pair.pair);
      return;
    }
    const outside = signedHolding(pair) - heldByCells(orderPlan);
    const before = this.before.get(pair.pair);
    if (before === undefined) {
      if (Math.abs(outside) >= (pair.market as Market).step * 2) throw new Error(`a grid began with ${outside}`);
      this.before.set(pair.pair, outside);
    } else if (before !== outside) {
      throw new Error(`cells hold ${heldByCells(orderPlan)}, the pair ${signedHolding(pair)}, before ${before}`);
    }
  }
}

function expectDeal(pair: PairState, { safetyOrders }: { safetyOrders: number }): void {
  const dca = pair.orderPlan as Dca;
  const { holding, position } = pair;
  if (dcaEntries(dca) > safetyOrders + 1) throw new Error(`${dcaEntries(dca)} entries`);
  if (position === null || dca.first === 0) return;
  if (holding.entryNotional > dca.budget + dca.sizes.length) {
    throw new Error(`spent ${holding.entryNotional} of ${dca.budget}`);
  }
  const last = dca.safeties.at(-1)?.price ?? dca.first;
  const [low, high] = [Math.min(last, dca.first), Math.max(last, dca.first)];
  // The average price is rounded.
  const rounding = 1 + (SCALE * 2) / holding.entryQuantity;
  if (holding.entryPrice < low - rounding || holding.entryPrice > high + rounding) {
    throw new Error(`E ${holding.entryPrice} is outside ${low}…${high}`);
  }
  if (dca.phase === 'closing') {
    const entries = pair.planOrders.filter(({ kind, afterCancel }) => kind === 'entry' && afterCancel === null);
    if (entries.length > 0) throw new Error('a safety order is open while the position is being closed');
  }
}

const countPlanNotes = (notes: readonly Note[], what: string) =>
  notes.filter(({ kind, data }) => kind === PLAN_NOTE && data.what === what).length;

/** Checks a pair whose plan was ended. A bot that closes its positions is finished anyway, so it pauses nothing. */
function expectEnded({ state }: PaperSession, name: string | null, reason: unknown): void {
  const pair = state.bot.pairs.find((candidate) => candidate.pair === name) as PairState;
  if (pair.orderPlan !== null) throw new Error(`${name} has a plan that was ended`);
  if (pair.paused === null && reason !== 'run_end') throw new Error(`${name} is not paused without a plan`);
}

describe('grid and DCA in any market', () => {
  test('grid: one order per level, matching the position, and money never below zero', () => {
    let cycles = 0;
    let moved = 0;
    fc.assert(
      fc.property(planWorlds(grids), (world) => {
        const balances = new GridLevelBalances();
        const named = new Set<string>();
        const end = play(world, (session, notes) => {
          moved += countPlanNotes(notes, 'grid_moved');
          // The database rejects two fills with one id.
          for (const { kind, pair, data } of notes) {
            if (kind === 'fill' && named.has(`${pair} ${data.id}`)) throw new Error(`${data.id} is reported twice`);
            if (kind === 'fill') named.add(`${pair} ${data.id}`);
          }
          for (const pair of session.state.bot.pairs) {
            expectOrders(pair);
            balances.check(pair);
          }
          expectEquity(session);
        });
        for (const { orderPlan } of end.state.bot.pairs)
          if (orderPlan?.kind === 'grid') cycles += gridCycles(orderPlan);
      }),
      { numRuns: RUNS },
    );
    expect(cycles).toBeGreaterThan(RUNS / 4);
    expect(moved).toBeGreaterThan(0);
  });

  test('dca: at most n + 1 entries within the budget, and no order after the exit', () => {
    let ended = 0;
    let safeties = 0;
    fc.assert(
      fc.property(planWorlds(averagings), (world) => {
        const rules = { safetyOrders: world.params.safety_orders as number };
        play(world, (session, notes) => {
          ended += countPlanNotes(notes, 'cycle_ended');
          for (const pair of session.state.bot.pairs) {
            expectOrders(pair);
            if (pair.orderPlan !== null) expectDeal(pair, rules);
            if (pair.orderPlan?.kind === 'dca') safeties = Math.max(safeties, dcaEntries(pair.orderPlan));
          }
          expectEquity(session);
        });
      }),
      { numRuns: RUNS },
    );
    expect(ended).toBeGreaterThan(RUNS / 10);
    expect(safeties).toBeGreaterThan(2);
  });

  test('a pair whose grid or deal was stopped is paused and ends without orders', () => {
    let stopped = 0;
    fc.assert(
      fc.property(planWorlds(fc.oneof(grids, averagings), { moves: 30 }), (world) => {
        play(world, (session, notes) => {
          for (const { pair, data } of notes.filter(({ kind, data }) => kind === PLAN_NOTE && data.what === 'ended')) {
            expectEnded(session, pair, data.reason);
            stopped += 1;
          }
          for (const pair of session.state.bot.pairs) if (pair.paused) expect(pair.orderPlan).toBeNull();
        });
      }),
      { numRuns: RUNS / 2 },
    );
    expect(stopped).toBeGreaterThan(RUNS / 20);
  });

  test('I-27: a pair with a grid or deal changes phases by their arrows, consistently', () => {
    let changes = 0;
    fc.assert(
      fc.property(planWorlds(fc.oneof(grids, averagings)), (world) => {
        const phases = new PhaseHistory();
        play(world, (session, notes) => {
          phases.follow(notes);
          for (const pair of session.state.bot.pairs) expectPhaseOfPlan(pair);
        });
        changes += phases.changes;
      }),
      { numRuns: RUNS },
    );
    expect(changes).toBeGreaterThan(RUNS / 4);
  });

  test('I-20, I-32: an entry costs at most its budget, and blocked entries never begin', () => {
    let begun = 0;
    let filled = 0;
    fc.assert(
      fc.property(planWorlds(fc.oneof(grids, averagings, periodics)), (world) => {
        let status = 'created';
        const closed = new ClosedCandles();
        play(world, (session, notes, event) => {
          closed.follow(event);
          for (const note of notes) {
            if (note.kind === 'status') status = String(note.data.to);
            if (isPlanEntry(note, 'intent')) {
              begun += 1;
              expect(status).toBe('working');
              closed.expectCurrent(String(note.pair), note.at, session.bot.warmup);
            }
            if (isPlanEntry(note, 'intent_end') && Number(note.data.filled) > 0) {
              filled += 1;
              expectWithinBudget(session, note);
            }
          }
        });
      }),
      { numRuns: RUNS },
    );
    expect(begun).toBeGreaterThan(RUNS / 4);
    expect(filled).toBeGreaterThan(RUNS / 4);
  });

  test('periodic: enters repeatedly, and its exits are those of the tables', () => {
    let entries = 0;
    fc.assert(
      fc.property(planWorlds(periodics), (world) => {
        play(world, (session, notes) => {
          for (const { kind, data } of notes) {
            if (kind !== 'fill' || data.reason !== PLAN_REASON) continue;
            expect(data.kind).toBe('entry');
            entries += 1;
          }
          for (const pair of session.state.bot.pairs) expect([pair.orderPlan, pair.planOrders]).toEqual([null, []]);
          expectEquity(session);
        });
      }),
      { numRuns: RUNS / 2 },
    );
    expect(entries).toBeGreaterThan(RUNS / 2);
  });

  test('saved and restored at every event it continues unchanged', () => {
    fc.assert(
      fc.property(planWorlds(fc.oneof(grids, averagings, periodics), { moves: 20 }), (world) => {
        let whole = startSession(world);
        let cut = startSession(world);
        for (const event of world.events) {
          const expected = live(whole, event);
          whole = expected.session;
          const restored = live(restoreSession(saveSession(cut)), event);
          cut = restored.session;
          expect(restored.notes).toEqual(expected.notes);
        }
        expect(saveSession(cut)).toBe(saveSession(whole));
      }),
      { numRuns: RUNS / 2 },
    );
  });
});

/** Expects a paper wallet of at least 0, and an equity equal to start capital plus realised and unrealised PnL. */
function expectEquity({ bot, state }: PaperSession): void {
  const { wallet, pairs } = state.bot;
  if (wallet.quote < 0) throw new Error(`the wallet holds ${wallet.quote}`);
  let results = 0;
  for (const { holding, market, mark } of pairs) {
    if (market !== null) results += holding.realised + unrealised(market, holding, mark);
  }
  const gained = equityOf(bot) - wallet.start - wallet.insurance;
  if (gained !== results) throw new Error(`equity has gained ${gained}, the pairs ${results}`);
}

/** Expects the phase of a pair to agree with its position and orders. */
function expectPhaseOfPlan({ pair, phase, position, entry, exit, planOrders }: PairState): void {
  const held = position !== null;
  const works = entry !== null || planOrders.length > 0;
  const agrees = {
    idle: !held && !works,
    sold: !held && !works,
    buying: works && exit === null && (!held || entry !== null),
    selling: exit !== null,
    bought: held && exit === null,
    partSell: held && exit === null,
  }[phase];
  if (!agrees) throw new Error(`${pair} is ${phase}: held ${held}, works ${works}`);
}

/** Returns whether a note says that an entry of a grid, a deal or a periodic bot begins or ends. */
function isPlanEntry({ kind, data }: Note, wanted: 'intent' | 'intent_end'): boolean {
  return kind === wanted && data.kind === 'entry' && data.reason === PLAN_REASON;
}

function pairOf({ state }: PaperSession, note: Note): PairState | undefined {
  return state.bot.pairs.find(({ pair }) => pair === note.pair);
}

/** Expects an entry that has ended to have cost at most its budget, fee included. */
function expectWithinBudget(session: PaperSession, ended: Note): void {
  const { data } = ended;
  const paid = Number(data.averagePrice) * Number(data.filled) + Number(data.feeQuote);
  // The price of a taker order rounds to the tick size.
  const tick = (pairOf(session, ended)?.market?.tick ?? 0) / SCALE;
  expect(paid).toBeLessThanOrEqual(Number(data.budget) + 0.01 + tick * Number(data.filled));
}
