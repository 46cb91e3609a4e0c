import type { PairMarket } from '../../market/pairMarket.ts';
import { RATE_SCALE } from './funding.ts';

/** Weight of a new basis in the average. Mark prices move twice a second, so half a minute is averaged. */
const WEIGHT = 1 / 60;

/** Mark and index of one contract, in units of 1e-8 of the quote. */
export type Mark = { mark: number; index: number; basis: number };

/** Returns the price of a tick in units of 1e-8. */
export function tickUnits(market: PairMarket, tick: number): number {
  return tick * 10 ** (8 - market.pair.priceDecimals);
}

/**
 * Returns the next mark price, as Binance computes it. It is the median of the index with the funding still to come,
 * the index with the average basis, and the last trade.
 *
 * @param index units of 1e-8
 * @param rate funding rate in parts per 100,000,000
 * @param left part of the funding interval that is still to come, 0–1
 */
export function nextMark(market: PairMarket, last: Mark | undefined, index: number, rate: number, left: number): Mark {
  const { book } = market;
  const latest = tickUnits(market, market.lastTick);
  const middle =
    book.bestBid === -1 || book.bestAsk === -1 ? latest : tickUnits(market, (book.bestBid + book.bestAsk) / 2);
  const basisNow = middle - index;
  const basis = last ? last.basis + (basisNow - last.basis) * WEIGHT : basisNow;
  const candidates = [Math.round(index * (1 + (rate / RATE_SCALE) * left)), Math.round(index + basis), latest];
  return { mark: candidates.sort((a, b) => a - b)[1] as number, index, basis };
}
