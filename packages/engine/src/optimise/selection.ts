import type { OptionFault } from '../options/fault.ts';

/** Combinations of a space to run. */
export interface Selection {
  /** Their numbers, ascending. */
  readonly indices: readonly number[];
  /** Number of checked combinations that are invalid, such as a fast mean longer than the slow one. */
  readonly refused: number;
  /** Faults of the first invalid combination. */
  readonly faults: readonly OptionFault[];
}
