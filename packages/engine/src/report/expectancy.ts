import type { ClosedPosition } from '../simulate/runRecord.ts';

/** Mean net result of a closed position, in quote units; 0 without one. */
export function expectancy(positions: readonly ClosedPosition[]): number {
  return positions.length === 0 ? 0 : positions.reduce((sum, { net }) => sum + net, 0) / positions.length;
}
