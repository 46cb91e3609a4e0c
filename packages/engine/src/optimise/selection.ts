import type { OptionFault } from '../options/fault.ts';

/** Combinations of a space that are to be tried. */
export interface Selection {
  /** Their numbers, ascending. */
  readonly indices: readonly number[];
  /** Combinations that were looked at and that no bot may have, such as a fast mean longer than the slow one. */
  readonly refused: number;
  /** What was wrong with the first of those. */
  readonly faults: readonly OptionFault[];
}
