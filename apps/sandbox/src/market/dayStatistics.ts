import { type LongCandle, MINUTE_MS } from './candles.ts';
import type { PairMarket } from './pairMarket.ts';
import type { Pair } from './pairs.ts';

const DAY_MINUTES = 1440;

/** The last 24 hours of a market, the source of all its tickers. */
export type DayStatistics = {
  pair: Pair;
  candle: LongCandle;
  openTime: number;
  closeTime: number;
  previousClose: number;
  weighted: number;
  lastQuantity: number;
  bid: [number, number];
  ask: [number, number];
};

export function dayStatistics(market: PairMarket, now: number): DayStatistics {
  const { forming: running, candles, book, pair } = market;
  const from = running.minute - DAY_MINUTES + 1;
  const candle = candles.aggregate(from, running.minute + 1, running) as LongCandle;
  const before = from - 1 - candles.firstMinute;
  return {
    pair,
    candle,
    openTime: from * MINUTE_MS,
    closeTime: now,
    previousClose: before >= 0 && before < candles.length ? candles.at(before).close : candle.open,
    weighted: candle.volume === 0n ? candle.close : Number((candle.turnover + candle.volume / 2n) / candle.volume),
    lastQuantity: market.lastQuantity,
    bid: [book.bestBid, book.bids.quantity(book.bestBid)],
    ask: [book.bestAsk, book.asks.quantity(book.bestAsk)],
  };
}
