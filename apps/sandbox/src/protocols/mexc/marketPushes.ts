import { MINUTE_MS } from '../../market/candles.ts';
import type { DayStatistics } from '../../market/dayStatistics.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { notionalDecimals, type Pair } from '../../market/pairs.ts';
import type { Trade } from '../../market/trade.ts';
import { eventTypes, type KlineChannel, type Speed } from './channels.ts';
import { plain } from './format.ts';
import { dayRate, level } from './marketData.ts';
import type { Push } from './protobuf.ts';
import { nameDigest } from './symbolId.ts';

/** Returns the trades of one pair since the last push. */
export function dealsPush(channel: string, speed: Speed, pair: Pair, trades: readonly Trade[], now: number): Push {
  return {
    channel,
    symbol: pair.symbol,
    sendTime: now,
    publicAggreDeals: {
      deals: trades.map((trade) => ({
        price: plain(trade.tick, pair.priceDecimals),
        quantity: plain(trade.quantity, pair.quantityDecimals),
        tradeType: trade.buyerIsMaker ? 2 : 1,
        time: trade.time,
      })),
      eventType: eventTypes.deals(speed),
    },
  };
}

function levelOf(pair: Pair, tick: number, steps: number): { price: string; quantity: string } {
  const [price, quantity] = level(pair, tick, steps);
  return { price, quantity };
}

/** A push of depth changes: the levels that changed since the last push, and the number of the first change. */
export type DepthChanges = {
  channel: string;
  speed: Speed;
  /** Ticks of asks, and negative ticks of bids. */
  changed: ReadonlySet<number>;
  from: number;
};

/** Returns the present levels of a book that changed since the last push. */
export function depthPush(
  { channel, speed, changed, from }: DepthChanges,
  { pair, book }: PairMarket,
  now: number,
): Push {
  const asks: object[] = [];
  const bids: object[] = [];
  for (const key of changed) {
    if (key < 0) bids.push(levelOf(pair, -key, book.bids.quantity(-key)));
    else asks.push(levelOf(pair, key, book.asks.quantity(key)));
  }
  return {
    channel,
    symbol: pair.symbol,
    sendTime: now,
    publicAggreDepths: {
      asks,
      bids,
      eventType: eventTypes.depth(speed),
      fromVersion: String(from),
      toVersion: String(book.updateId),
    },
  };
}

/** Returns the best levels of a book. */
export function limitDepthPush(channel: string, { pair, book }: PairMarket, levels: number, now: number): Push {
  const write = (rows: [number, number][]) => rows.map(([tick, steps]) => levelOf(pair, tick, steps));
  return {
    channel,
    symbol: pair.symbol,
    sendTime: now,
    publicLimitDepths: {
      asks: write(book.levels('sell', levels)),
      bids: write(book.levels('buy', levels)),
      eventType: eventTypes.limitDepth,
      version: String(book.updateId),
    },
  };
}

export type Best = { bidPrice: string; bidQuantity: string; askPrice: string; askQuantity: string };

export function bestOf({ pair, book }: PairMarket): Best {
  const [bidPrice, bidQuantity] = level(pair, book.bestBid, book.bids.quantity(book.bestBid));
  const [askPrice, askQuantity] = level(pair, book.bestAsk, book.asks.quantity(book.bestAsk));
  return { bidPrice, bidQuantity, askPrice, askQuantity };
}

export function bookTickerPush(channel: string, pair: Pair, best: Best, now: number): Push {
  return { channel, symbol: pair.symbol, sendTime: now, publicAggreBookTicker: best };
}

export function bookTickersPush(channel: string, pair: Pair, best: Best, now: number): Push {
  return { channel, symbol: pair.symbol, sendTime: now, publicBookTickerBatch: { items: [best] } };
}

/** Returns a candle. @param start its first minute. @returns undefined when there is none */
export function klinePush(
  { name, market, interval, intervalName }: KlineChannel,
  start: number,
  now: number,
): Push | undefined {
  const { pair, candles, forming: running } = market;
  const next = interval.next(start);
  const candle = candles.aggregate(start, next, running);
  if (!candle) return undefined;
  const price = (ticks: number) => plain(ticks, pair.priceDecimals);
  return {
    channel: name,
    symbol: pair.symbol,
    symbolId: nameDigest(pair.symbol),
    createTime: now,
    publicSpotKline: {
      interval: intervalName,
      windowStart: (start * MINUTE_MS) / 1000,
      openingPrice: price(candle.open),
      closingPrice: price(candle.close),
      highestPrice: price(candle.high),
      lowestPrice: price(candle.low),
      volume: plain(candle.volume, pair.quantityDecimals),
      amount: plain(candle.turnover, notionalDecimals(pair)),
      windowEnd: (next * MINUTE_MS) / 1000,
    },
  };
}

/** Returns the mini ticker of the last day. */
export function miniTicker(day: DayStatistics): object {
  const { pair, candle } = day;
  const rate = dayRate(day);
  return {
    symbol: pair.symbol,
    price: plain(candle.close, pair.priceDecimals),
    rate,
    zonedRate: rate,
    high: plain(candle.high, pair.priceDecimals),
    low: plain(candle.low, pair.priceDecimals),
    volume: plain(candle.turnover, notionalDecimals(pair)),
    quantity: plain(candle.volume, pair.quantityDecimals),
    lastCloseRate: rate,
    lastCloseZonedRate: rate,
    lastCloseHigh: plain(candle.high, pair.priceDecimals),
    lastCloseLow: plain(candle.low, pair.priceDecimals),
  };
}
