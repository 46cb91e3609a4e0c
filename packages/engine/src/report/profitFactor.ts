import type { ClosedPosition } from '../backtest/runRecord.ts';

/** Sum of net gains over sum of net losses of closed positions; null when nothing was lost. */
export function profitFactor(positions: Iterable<ClosedPosition>): number | null {
  let gains = 0;
  let losses = 0;
  for (const { net } of positions) {
    if (net > 0) gains += net;
    else losses -= net;
  }
  return gainsOverLosses(gains, losses);
}

/** The same, given both sums, each from 0 up. */
export function gainsOverLosses(gains: number, losses: number): number | null {
  return losses === 0 ? null : gains / losses;
}
