import type { EquityWatch, Run } from '../backtest/backtestRun.ts';
import type { BacktestTimeline } from '../backtest/backtestTimeline.ts';
import type { PairRun } from '../backtest/pairRun.ts';
import { exact, mulDivNearest, powerOfTen, SCALE } from '../money/units.ts';

const DAY = 86_400_000;

/** Computes the inputs of the figures from the equity of a run over one pair, without storing the equity curve. */
export interface EquityFold {
  readonly watch: EquityWatch;
  /** Equity at the end of each UTC day that has a step, 1e-8 quote units. */
  readonly dayEnds: number[];
  /** Equity of the last step; the capital when there is none. */
  end(): number;
  /** Maximum of `1 − equity/peak equity`. @see docs/accounting.md#drawdown */
  maxDrawdown(): number;
}

/** Returns the last step of each UTC day of a timeline, from the step at which trading begins. */
export function lastStepsOfDays({ time, begin }: BacktestTimeline): Int32Array {
  const last: number[] = [];
  for (let step = begin; step < time.length; step++) {
    const isLast = step + 1 === time.length || dayOf(time, step + 1) !== dayOf(time, step);
    if (isLast) last.push(step);
  }
  return Int32Array.from(last);
}

function dayOf(time: Float64Array, step: number): number {
  return Math.floor((time[step] as number) / DAY);
}

/**
 * @param start equity before the first step
 * @param lastSteps result of {@link lastStepsOfDays}
 * @param begin step at which trading begins
 */
export function equityFold(start: number, lastSteps: Int32Array, begin: number): EquityFold {
  const dayEnds: number[] = [];
  let day = 0;
  let nextDayEnd = lastSteps[0] ?? Number.POSITIVE_INFINITY;
  let from = begin;
  // Typed arrays update numbers in place; V8 would allocate an object for each change of a closure variable.
  const held = new Float64Array([start, 0, 0, 1]);
  const marks = new Float64Array([0, 0, 0, start]);

  function watch(run: Run, step: number): void {
    const [pairRun] = run.pairRuns as readonly [PairRun];
    const { holding } = pairRun.pair;
    const { quote } = run.bot.state.wallet;
    const same = held[CASH] === quote && held[QUANTITY] === holding.quantity && held[COST] === holding.cost;
    if (same && step < run.time.length) return;
    if (step > from) pass(run.bot.rules.future, pairRun, step, step === run.time.length);
    from = step;
    held[CASH] = quote;
    held[QUANTITY] = holding.quantity;
    held[COST] = holding.cost;
    held[SIDE] = holding.side;
  }

  /** Processes the steps from `from` to before `to`, in which only the price changed. */
  function pass(future: boolean, pairRun: PairRun, to: number, last: boolean): void {
    if (held[QUANTITY] === 0) addEquity(held[CASH] as number);
    else addHeldEquity(future, pairRun, to);
    while (nextDayEnd < to) {
      dayEnds.push(equityAt(future, pairRun, pairRun.walk.close[nextDayEnd] as number));
      day += 1;
      nextDayEnd = lastSteps[day] ?? Number.POSITIVE_INFINITY;
    }
    if (last) marks[END] = equityAt(future, pairRun, pairRun.walk.close[to - 1] as number);
  }

  /** Adds the equity of steps with a position. Equity is monotonic in the close, so the extremes are usually enough. */
  function addHeldEquity(future: boolean, pairRun: PairRun, to: number): void {
    const { close } = pairRun.walk;
    const long = !future || held[SIDE] === 1;
    let high = close[from] as number;
    let low = high;
    // This avoids a branch, since the processor cannot predict which close is a new extreme.
    for (let step = from + 1; step < to; step++) {
      high = Math.max(high, close[step] as number);
      low = Math.min(low, close[step] as number);
    }
    if (equityAt(future, pairRun, long ? high : low) <= (marks[PEAK] as number)) {
      addEquity(equityAt(future, pairRun, long ? low : high));
    } else {
      // The order of the closes matters here: closes before the new peak count against the old peak.
      for (let step = from; step < to; step++) addEquity(equityAt(future, pairRun, close[step] as number));
    }
  }

  function addEquity(equity: number): void {
    if (equity > (marks[PEAK] as number)) {
      marks[PEAK] = equity;
      marks[LOW] = equity;
    } else if (equity < (marks[LOW] as number)) {
      marks[LOW] = equity;
      const drawdown = 1 - equity / (marks[PEAK] as number);
      if (drawdown > (marks[DRAWDOWN] as number)) marks[DRAWDOWN] = drawdown;
    }
  }

  /** @param close last price, a float64 decimal; @see docs/accounting.md#unrealised-pnl-and-equity */
  function equityAt(future: boolean, { market }: PairRun, close: number): number {
    const quantity = held[QUANTITY] as number;
    const cash = held[CASH] as number;
    if (quantity === 0) return cash;
    const price = Math.round(close * SCALE);
    const value = mulDivNearest(price, quantity, powerOfTen(market.assetDecimals));
    return exact(future ? cash + (held[SIDE] as number) * (value - (held[COST] as number)) : cash + value);
  }

  return { watch, dayEnds, end: () => marks[END] as number, maxDrawdown: () => marks[DRAWDOWN] as number };
}

const CASH = 0;
const QUANTITY = 1;
const COST = 2;
const SIDE = 3;

const PEAK = 0;
/** Lowest equity since the peak. */
const LOW = 1;
const DRAWDOWN = 2;
const END = 3;
