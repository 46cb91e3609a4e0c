import type { PairMarket } from './pairMarket.ts';

/** Minutes over which prices are averaged. */
export const AVERAGE_MINUTES = 5;

/**
 * Returns the average price of the last five minutes in ticks, weighted by quantity; the last price when nothing
 * traded.
 */
export function averageTick(market: PairMarket): number {
  const { forming: running, candles } = market;
  const recent = candles.aggregate(running.minute - AVERAGE_MINUTES + 1, running.minute + 1, running);
  if (!recent || recent.volume === 0n) return market.lastTick;
  return Number(recent.turnover) / Number(recent.volume);
}
