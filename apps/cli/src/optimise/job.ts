import type { BacktestTimeline } from '@heron/engine/backtest/backtestTimeline.ts';
import type { Figures } from '@heron/engine/optimise/figures.ts';
import type { Space } from '@heron/engine/optimise/space.ts';
import type { TimeRange } from '@heron/engine/optimise/walkForward.ts';

/** The part of a search that every worker needs; columns lie in shared memory. */
export interface Job {
  readonly space: Space;
  /** By period. */
  readonly courses: ReadonlyMap<string, BacktestTimeline>;
  /** Stretches of time to report on; none for all candles. */
  readonly stretches: readonly TimeRange[];
}

/** Numbers of combinations that a worker is to try, in this order. */
export type Chunk = readonly number[];

/** Messages of a worker. */
export type Answer =
  | {
      readonly type: 'figures';
      /** Combinations with their figures on each stretch. */
      readonly results: readonly (readonly [index: number, figures: readonly Figures[]])[];
      /** These are the last ones of a chunk. */
      readonly done: boolean;
    }
  /** The engine could not run a combination. */
  | { readonly type: 'failed'; readonly index: number; readonly message: string };
