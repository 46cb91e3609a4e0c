import { BELOW_HALF, exact, mulDivNearest, powerOfTen, type Quantity, type Quote, SCALE } from '../money/units.ts';
import type { Run } from './backtestRun.ts';
import { lastClosed, type PairRun } from './pairRun.ts';

/**
 * Adds cash and holdings up to this step to the equity curve where they have just changed; each stretch is one tight loop.
 *
 * @see docs/accounting.md#unrealised-pnl-and-equity
 */
export function countEquity(run: Run, step: number): void {
  const { pairRuns, due, bot, equity } = run;
  const curve = typeof equity === 'function' ? null : equity;
  if (typeof equity === 'function') equity(run, step);
  // A liquidation of cross positions closes those of other pair runs too.
  const changed = bot.rules.future ? pairRuns : due;
  const count = bot.rules.future ? pairRuns.length : run.dueCount;
  for (let k = 0; k < count; k++) {
    const pairRun = changed[k] as PairRun;
    const { holding, position } = pairRun.pair;
    if (curve !== null && (holding.quantity !== pairRun.valuedQuantity || holding.cost !== pairRun.valuedCost)) {
      countHolding(run, curve, pairRun, step);
    }
    const held = position !== null;
    if (held !== pairRun.held) {
      pairRun.held = held;
      run.held += held ? 1 : -1;
    }
  }
  if (curve !== null && bot.state.wallet.quote !== run.cash) countCash(run, curve, step);
}

export function countCash(run: Run, equity: Float64Array, step: number): void {
  const { cash } = run;
  for (let i = run.cashFrom; i < step; i++) equity[i] = (equity[i] as number) + cash;
  run.cash = run.bot.state.wallet.quote;
  run.cashFrom = step;
}

/** Adds the holding of a pair run since its last change: its value on spot, its result on futures. */
export function countHolding(run: Run, equity: Float64Array, pairRun: PairRun, step: number): void {
  if (pairRun.valuedQuantity > 0) addHolding(run, equity, pairRun, step);
  const { holding } = pairRun.pair;
  pairRun.valuedQuantity = holding.quantity;
  pairRun.valuedCost = holding.cost;
  pairRun.valuedSide = holding.side;
  pairRun.valuedFrom = step;
}

function addHolding(run: Run, equity: Float64Array, pairRun: PairRun, to: number): void {
  const { bot, time } = run;
  const { market, walk, steps, valuedQuantity: quantity, valuedFrom: from } = pairRun;
  const { close } = walk;
  const unit = powerOfTen(market.assetDecimals);
  const { future } = bot.rules;
  const sign = future ? pairRun.valuedSide : 1;
  let less = future ? sign * pairRun.valuedCost : 0;
  // Cash that was constant over the same stretch goes into the same loop.
  if (run.cashFrom === from) {
    less -= run.cash;
    run.cash = bot.state.wallet.quote;
    run.cashFrom = to;
  }
  const held: HeldStretch = { equity, close, step: from, at: from, count: to - from, quantity, unit, sign, less };
  if (steps === null) {
    addValues(held);
  } else {
    held.at = lastClosed(pairRun, (time[from] as number) + pairRun.walkMs);
    held.count = 1;
    for (; held.step < to; held.step++) {
      if (held.at + 1 < steps.length && steps[held.at + 1] === held.step) held.at += 1;
      addValues(held);
    }
  }
  exact(equity[to - 1] as number);
}

/** A holding that stays the same while the curve passes `count` closes. */
interface HeldStretch {
  readonly equity: Float64Array;
  readonly close: Float64Array;
  /** First step of the curve. */
  step: number;
  /** Index of the first close. */
  at: number;
  count: number;
  readonly quantity: Quantity;
  /** Asset units per coin. */
  readonly unit: number;
  /** −1 for a short. */
  readonly sign: number;
  /** Amount to subtract at every step. */
  readonly less: Quote;
}

/** Adds the value of a holding to the curve. */
function addValues(held: HeldStretch): void {
  const { equity, close, step, at, count, quantity, unit, sign, less } = held;
  for (let i = 0; i < count; i++) {
    i = addCertain(held, i);
    if (i < count) {
      const price = Math.floor((close[at + i] as number) * SCALE + BELOW_HALF);
      equity[step + i] = (equity[step + i] as number) + sign * mulDivNearest(price, quantity, unit) - less;
    }
  }
}

/**
 * Computes as mulDiv does, with the division outside the loop. The loop calls nothing, so that V8 keeps its numbers in registers.
 *
 * @returns the first index from `from` whose value is too close to a rounding tie; `count` when there is none
 */
function addCertain(held: HeldStretch, from: number): number {
  const { equity, close, step, at, count, sign, less } = held;
  const perPrice = held.quantity / held.unit;
  let i = from;
  for (; i < count; i++) {
    const rough = Math.floor((close[at + i] as number) * SCALE + BELOW_HALF) * perPrice;
    const value = Math.floor(rough + 0.5);
    if (0.5 - Math.abs(rough - value) <= rough * 2 ** -48) break;
    equity[step + i] = (equity[step + i] as number) + sign * value - less;
  }
  return i;
}
