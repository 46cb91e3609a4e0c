import { MINUTE_MS } from '../../market/candles.ts';
import type { DayStatistics } from '../../market/dayStatistics.ts';
import type { Interval } from '../../market/intervals.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { notionalDecimals, type Pair } from '../../market/pairs.ts';
import type { Trade } from '../../market/trade.ts';
import { aggregate } from '../binance/marketData.ts';
import { fixed, plain } from './format.ts';

/** Returns a level of a book: [price, quantity]. */
export function level(pair: Pair, tick: number, steps: number): [string, string] {
  return [fixed(tick, pair.priceDecimals), fixed(steps, pair.quantityDecimals)];
}

/** Returns the response of GET /api/v3/depth: the best `limit` bids and asks. */
export function depth(market: PairMarket, limit: number, now: number): object {
  const { book, pair } = market;
  const write = (levels: [number, number][]) => levels.map(([tick, steps]) => level(pair, tick, steps));
  return {
    lastUpdateId: book.updateId,
    bids: write(book.levels('buy', limit)),
    asks: write(book.levels('sell', limit)),
    timestamp: now,
  };
}

/** Returns a row of GET /api/v3/trades. Public trades have no id on MEXC. */
export function tradeRow(pair: Pair, trade: Trade): object {
  return {
    id: null,
    price: plain(trade.tick, pair.priceDecimals),
    qty: plain(trade.quantity, pair.quantityDecimals),
    quoteQty: plain(BigInt(trade.tick) * BigInt(trade.quantity), notionalDecimals(pair)),
    time: trade.time,
    isBuyerMaker: trade.buyerIsMaker,
    isBestMatch: true,
    tradeType: trade.buyerIsMaker ? 'ASK' : 'BID',
  };
}

/** Returns the rows of GET /api/v3/aggTrades, newest first. */
export function aggregateRows(pair: Pair, trades: readonly Trade[], limit: number): object[] {
  return aggregate(trades)
    .slice(-limit)
    .reverse()
    .map((row) => ({
      a: null,
      f: null,
      l: null,
      p: plain(row.tick, pair.priceDecimals),
      q: plain(row.quantity, pair.quantityDecimals),
      T: row.time,
      m: row.buyerIsMaker,
      M: true,
    }));
}

/**
 * Returns the rows of GET /api/v3/klines, oldest first.
 *
 * @param startTime first open time, epoch milliseconds; undefined for the latest candles
 * @param endTime exclusive end of the open times
 */
export function klines(
  market: PairMarket,
  interval: Interval,
  startTime: number | undefined,
  endTime: number | undefined,
  limit: number,
): unknown[][] {
  const { candles, forming: running, pair } = market;
  const first = interval.start(candles.length > 0 ? candles.firstMinute : running.minute);
  const end = endTime === undefined ? running.minute : Math.ceil(endTime / MINUTE_MS) - 1;
  const last = interval.start(Math.min(running.minute, end));
  const starts: number[] = [];
  if (startTime === undefined) {
    for (let start = last; start >= first && starts.length < limit; start = interval.start(start - 1)) {
      starts.unshift(start);
    }
  } else {
    const wanted = Math.ceil(startTime / MINUTE_MS);
    let start = interval.start(wanted);
    if (start < wanted) start = interval.next(start);
    for (start = Math.max(start, first); start <= last && starts.length < limit; start = interval.next(start)) {
      starts.push(start);
    }
  }
  return starts.flatMap((start) => {
    const next = interval.next(start);
    const candle = candles.aggregate(start, next, running);
    if (!candle) return [];
    return [
      [
        start * MINUTE_MS,
        plain(candle.open, pair.priceDecimals),
        plain(candle.high, pair.priceDecimals),
        plain(candle.low, pair.priceDecimals),
        plain(candle.close, pair.priceDecimals),
        plain(candle.volume, pair.quantityDecimals),
        next * MINUTE_MS,
        plain(candle.turnover, notionalDecimals(pair)),
      ],
    ];
  });
}

/** Returns the price change of the last day as a fraction, with four decimals. */
export function dayRate({ candle }: DayStatistics): string {
  return plain(Math.round(((candle.close - candle.open) / candle.open) * 1e4), 4);
}

/** Returns a row of GET /api/v3/ticker/24hr. */
export function tickerRow(day: DayStatistics): object {
  const { pair, candle } = day;
  const price = (ticks: number) => plain(ticks, pair.priceDecimals);
  const quantity = (steps: number) => plain(steps, pair.quantityDecimals);
  return {
    symbol: pair.symbol,
    priceChange: plain(candle.close - candle.open, pair.priceDecimals),
    priceChangePercent: dayRate(day),
    prevClosePrice: price(day.previousClose),
    lastPrice: price(candle.close),
    bidPrice: price(day.bid[0]),
    bidQty: quantity(day.bid[1]),
    askPrice: price(day.ask[0]),
    askQty: quantity(day.ask[1]),
    openPrice: price(candle.open),
    highPrice: price(candle.high),
    lowPrice: price(candle.low),
    volume: plain(candle.volume, pair.quantityDecimals),
    quoteVolume: plain(candle.turnover, notionalDecimals(pair)),
    openTime: day.openTime,
    closeTime: day.closeTime,
    count: null,
  };
}

/** Returns the best bid and ask. */
export function bookTickerRow({ pair, book }: PairMarket): object {
  const [bidPrice, bidQty] = level(pair, book.bestBid, book.bids.quantity(book.bestBid));
  const [askPrice, askQty] = level(pair, book.bestAsk, book.asks.quantity(book.bestAsk));
  return { symbol: pair.symbol, bidPrice, bidQty, askPrice, askQty };
}
