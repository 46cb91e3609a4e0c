import type { ClosedPosition } from '../state/closedPosition.ts';

/** Returns the sum of net gains over the sum of net losses of closed positions; null without a loss. */
export function profitFactor(positions: Iterable<ClosedPosition>): number | null {
  let gains = 0;
  let losses = 0;
  for (const { net } of positions) {
    if (net > 0) gains += net;
    else losses -= net;
  }
  return gainsOverLosses(gains, losses);
}

/** Returns the profit factor from both sums, each 0 or more. */
export function gainsOverLosses(gains: number, losses: number): number | null {
  return losses === 0 ? null : gains / losses;
}
