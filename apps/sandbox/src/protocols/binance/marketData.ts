import { averageTick } from '../../market/averageTick.ts';
import { type LongCandle, MINUTE_MS } from '../../market/candles.ts';
import type { DayStatistics } from '../../market/dayStatistics.ts';
import type { Interval } from '../../market/intervals.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { notionalDecimals, type Pair } from '../../market/pairs.ts';
import type { RecentTrades } from '../../market/recentTrades.ts';
import type { Trade } from '../../market/trade.ts';
import { decimal, signedDecimal } from './format.ts';

/** Returns the best `limit` bids and asks as Binance writes them: [price, quantity]. */
export function depth(market: PairMarket, limit: number): { lastUpdateId: number; bids: string[][]; asks: string[][] } {
  const { book, pair } = market;
  const write = (levels: [number, number][]) => levels.map(([tick, steps]) => level(pair, tick, steps));
  return {
    lastUpdateId: book.updateId,
    bids: write(book.levels('buy', limit)),
    asks: write(book.levels('sell', limit)),
  };
}

export function level(pair: Pair, tick: number, steps: number): string[] {
  return [decimal(tick, pair.priceDecimals), decimal(steps, pair.quantityDecimals)];
}

/** Returns a row of GET /api/v3/trades. */
export function tradeRow(pair: Pair, trade: Trade): object {
  return {
    id: trade.id,
    price: decimal(trade.tick, pair.priceDecimals),
    qty: decimal(trade.quantity, pair.quantityDecimals),
    quoteQty: decimal(BigInt(trade.tick) * BigInt(trade.quantity), notionalDecimals(pair)),
    time: trade.time,
    isBuyerMaker: trade.buyerIsMaker,
    isBestMatch: true,
  };
}

/** Returns at most `limit` trades from `fromId` on, or the latest. */
export function tradesFrom(recent: RecentTrades, fromId: number | undefined, limit: number): Trade[] {
  const first = fromId === undefined ? Math.max(0, recent.length - limit) : recent.firstAtLeast('id', fromId);
  return recent.slice(first, first + limit);
}

/**
 * Returns aggregates from an id or a time on, or else the latest.
 *
 * @param span.start first and `span.end` last millisecond
 */
export function aggregatesFrom(
  recent: RecentTrades,
  fromId: number | undefined,
  span: { start: number | undefined; end: number | undefined },
  limit: number,
): Aggregate[] {
  const until = span.end === undefined ? recent.length : recent.firstAtLeast('time', span.end + 1);
  // Ids of aggregates have no gap.
  const lastId = recent.slice(Math.max(0, until - 1), until)[0]?.aggregateId ?? 0;
  const isLatest = fromId === undefined && span.start === undefined;
  const first = recent.firstAtLeast('aggregateId', isLatest ? lastId - limit + 1 : (fromId ?? 0));
  return aggregate(recent.slice(Math.max(first, recent.firstAtLeast('time', span.start ?? 0)), until)).slice(0, limit);
}

export type Aggregate = {
  id: number;
  tick: number;
  quantity: number;
  firstId: number;
  lastId: number;
  time: number;
  buyerIsMaker: boolean;
};

/** Aggregates the trades of one taker at one price. */
export function aggregate(trades: readonly Trade[]): Aggregate[] {
  const out: Aggregate[] = [];
  for (const trade of trades) {
    const last = out.at(-1);
    if (last?.id === trade.aggregateId) {
      last.quantity += trade.quantity;
      last.lastId = trade.id;
    } else {
      out.push({
        id: trade.aggregateId,
        tick: trade.tick,
        quantity: trade.quantity,
        firstId: trade.id,
        lastId: trade.id,
        time: trade.time,
        buyerIsMaker: trade.buyerIsMaker,
      });
    }
  }
  return out;
}

/** Returns an aggregate trade, for REST and streams. */
export function aggregateRow(pair: Pair, trade: Aggregate): object {
  return {
    a: trade.id,
    p: decimal(trade.tick, pair.priceDecimals),
    q: decimal(trade.quantity, pair.quantityDecimals),
    f: trade.firstId,
    l: trade.lastId,
    T: trade.time,
    m: trade.buyerIsMaker,
    M: true,
  };
}

/** Returns the candle of `interval` that begins at `start` (minutes), the forming minute included. */
function candleAt(market: PairMarket, interval: Interval, start: number): LongCandle | undefined {
  return market.candles.aggregate(start, interval.next(start), market.forming);
}

/**
 * Returns the rows of GET /api/v3/klines, oldest first.
 *
 * @param startTime, endTime bounds of the candles' open times, epoch milliseconds, inclusive
 */
export function klines(
  market: PairMarket,
  interval: Interval,
  startTime: number | undefined,
  endTime: number | undefined,
  limit: number,
): unknown[][] {
  const { candles, forming: running } = market;
  const first = interval.start(candles.length > 0 ? candles.firstMinute : running.minute);
  const bound = endTime === undefined ? running.minute : Math.min(running.minute, Math.floor(endTime / MINUTE_MS));
  const last = interval.start(bound);
  const starts: number[] = [];
  if (startTime === undefined) {
    for (let start = last; start >= first && starts.length < limit; start = interval.start(start - 1)) {
      starts.unshift(start);
    }
  } else {
    const wanted = Math.ceil(startTime / MINUTE_MS);
    let start = interval.start(wanted);
    if (start < wanted) start = interval.next(start);
    if (start < first) start = first;
    for (; start <= last && starts.length < limit; start = interval.next(start)) starts.push(start);
  }
  return starts.flatMap((start) => {
    const candle = candleAt(market, interval, start);
    return candle ? [klineRow(market.pair, candle, start, interval.next(start))] : [];
  });
}

function klineRow(pair: Pair, candle: LongCandle, start: number, next: number): unknown[] {
  const price = (ticks: number) => decimal(ticks, pair.priceDecimals);
  return [
    start * MINUTE_MS,
    price(candle.open),
    price(candle.high),
    price(candle.low),
    price(candle.close),
    decimal(candle.volume, pair.quantityDecimals),
    next * MINUTE_MS - 1,
    decimal(candle.turnover, notionalDecimals(pair)),
    candle.trades,
    decimal(candle.takerBuyVolume, pair.quantityDecimals),
    decimal(candle.takerBuyTurnover, notionalDecimals(pair)),
    '0',
  ];
}

/** Returns a kline event of a stream. @param closed whether the candle is final */
export function klineEvent(
  market: PairMarket,
  interval: Interval,
  start: number,
  closed: boolean,
  time: number,
): object | undefined {
  const { pair } = market;
  // A final candle ends before the forming minute, so it excludes that minute.
  const candle = candleAt(market, interval, start);
  if (!candle) return undefined;
  const price = (ticks: number) => decimal(ticks, pair.priceDecimals);
  const none = candle.trades === 0;
  return {
    e: 'kline',
    E: time,
    s: pair.symbol,
    k: {
      t: start * MINUTE_MS,
      T: interval.next(start) * MINUTE_MS - 1,
      s: pair.symbol,
      i: interval.name,
      f: none ? -1 : candle.firstTradeId,
      L: none ? -1 : candle.firstTradeId + candle.trades - 1,
      o: price(candle.open),
      c: price(candle.close),
      h: price(candle.high),
      l: price(candle.low),
      v: decimal(candle.volume, pair.quantityDecimals),
      n: candle.trades,
      x: closed,
      q: decimal(candle.turnover, notionalDecimals(pair)),
      V: decimal(candle.takerBuyVolume, pair.quantityDecimals),
      Q: decimal(candle.takerBuyTurnover, notionalDecimals(pair)),
      B: '0',
    },
  };
}

function percent(day: DayStatistics): string {
  return (((day.candle.close - day.candle.open) / day.candle.open) * 100).toFixed(3);
}

/** Returns a row of GET /api/v3/ticker/24hr. */
export function tickerRow(day: DayStatistics, mini: boolean): object {
  const { pair, candle } = day;
  const price = (ticks: number) => decimal(ticks, pair.priceDecimals);
  const quantity = (steps: number) => decimal(steps, pair.quantityDecimals);
  const common = {
    openPrice: price(candle.open),
    highPrice: price(candle.high),
    lowPrice: price(candle.low),
    volume: decimal(candle.volume, pair.quantityDecimals),
    quoteVolume: decimal(candle.turnover, notionalDecimals(pair)),
    openTime: day.openTime,
    closeTime: day.closeTime,
    firstId: candle.firstTradeId,
    lastId: candle.firstTradeId + candle.trades - 1,
    count: candle.trades,
  };
  if (mini) return { symbol: pair.symbol, lastPrice: price(candle.close), ...common };
  return {
    symbol: pair.symbol,
    priceChange: signedDecimal(candle.close - candle.open, pair.priceDecimals),
    priceChangePercent: percent(day),
    weightedAvgPrice: price(day.weighted),
    prevClosePrice: price(day.previousClose),
    lastPrice: price(candle.close),
    lastQty: quantity(day.lastQuantity),
    bidPrice: price(day.bid[0]),
    bidQty: quantity(day.bid[1]),
    askPrice: price(day.ask[0]),
    askQty: quantity(day.ask[1]),
    ...common,
  };
}

/** Returns a 24hrMiniTicker event. */
export function miniTickerEvent(day: DayStatistics): object {
  const { pair, candle } = day;
  const price = (ticks: number) => decimal(ticks, pair.priceDecimals);
  return {
    e: '24hrMiniTicker',
    E: day.closeTime,
    s: pair.symbol,
    c: price(candle.close),
    o: price(candle.open),
    h: price(candle.high),
    l: price(candle.low),
    v: decimal(candle.volume, pair.quantityDecimals),
    q: decimal(candle.turnover, notionalDecimals(pair)),
  };
}

/** Returns a 24hrTicker event. */
export function tickerEvent(day: DayStatistics): object {
  const { pair, candle } = day;
  const price = (ticks: number) => decimal(ticks, pair.priceDecimals);
  const quantity = (steps: number) => decimal(steps, pair.quantityDecimals);
  return {
    e: '24hrTicker',
    E: day.closeTime,
    s: pair.symbol,
    p: signedDecimal(candle.close - candle.open, pair.priceDecimals),
    P: percent(day),
    w: price(day.weighted),
    x: price(day.previousClose),
    c: price(candle.close),
    Q: quantity(day.lastQuantity),
    b: price(day.bid[0]),
    B: quantity(day.bid[1]),
    a: price(day.ask[0]),
    A: quantity(day.ask[1]),
    o: price(candle.open),
    h: price(candle.high),
    l: price(candle.low),
    v: decimal(candle.volume, pair.quantityDecimals),
    q: decimal(candle.turnover, notionalDecimals(pair)),
    O: day.openTime,
    C: day.closeTime,
    F: candle.firstTradeId,
    L: candle.firstTradeId + candle.trades - 1,
    n: candle.trades,
  };
}

/** Returns the best bid and ask, for REST. */
export function bookTickerRow(market: PairMarket): object {
  const { pair, book } = market;
  const [bidPrice, bidQty] = level(pair, book.bestBid, book.bids.quantity(book.bestBid));
  const [askPrice, askQty] = level(pair, book.bestAsk, book.asks.quantity(book.bestAsk));
  return { symbol: pair.symbol, bidPrice, bidQty, askPrice, askQty };
}

/** Returns the response of GET /api/v3/avgPrice. */
export function averagePrice(market: PairMarket): object {
  return {
    mins: 5,
    price: decimal(Math.round(averageTick(market) * 10 ** (8 - market.pair.priceDecimals)), 8),
    closeTime: market.recent.last()?.time ?? market.forming.minute * MINUTE_MS,
  };
}
