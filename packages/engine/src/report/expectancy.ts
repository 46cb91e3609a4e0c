import type { ClosedPosition } from '../backtest/runRecord.ts';

/** Mean net result of a closed position, in quote units; 0 without one. */
export function expectancy(positions: Iterable<ClosedPosition>): number {
  let sum = 0;
  let count = 0;
  for (const { net } of positions) {
    sum += net;
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}
