import type { Quote } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect } from '../state/botEvents.ts';
import type { PairRun } from './pairRun.ts';

/** Is called after each step in which something may have changed; the present holdings count from `step` on. */
export type EquityWatch = (run: Run, step: number) => void;

/** State of a run. */
export interface Run {
  readonly bot: Bot;
  readonly pairRuns: readonly PairRun[];
  /** Next step at which something may happen, by pair run. */
  readonly nextSteps: Int32Array;
  /** Pair runs that are due in the present step: the first `dueCount`. Emptying an array would cost more. */
  readonly due: PairRun[];
  dueCount: number;
  readonly effects: Effect[];
  readonly time: Float64Array;
  /** Equity curve: cash up to `cashFrom`, each holding up to its `valuedFrom`; or a callback that consumes equity changes. */
  readonly equity: Float64Array | EquityWatch;
  /** Cash since `cashFrom`. */
  cash: Quote;
  cashFrom: number;
  /** Number of pair runs with a position. */
  held: number;
  /** Number of steps at whose close a position was held. */
  heldSteps: number;
}
