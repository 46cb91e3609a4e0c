import type { ClosedPosition } from '../state/closedPosition.ts';

/** Returns the mean net result of a closed position, in 1e-8 quote units; 0 without one. */
export function expectancy(positions: Iterable<ClosedPosition>): number {
  let sum = 0;
  let count = 0;
  for (const { net } of positions) {
    sum += net;
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}
