import type { Price } from '../money/units.ts';

/** +1 long, −1 short. @see docs/entries.md#direction */
export type Direction = 1 | -1;

/** Returns whether price `a` is at least as good as `b` for a position: not lower for a long, not higher for a short. */
export function isAsGoodAs(direction: Direction, a: Price, b: Price): boolean {
  return direction === 1 ? a >= b : a <= b;
}
