import { dayStatistics } from '../../market/dayStatistics.ts';
import { INTERVALS } from '../../market/intervals.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { binanceError } from '../binance/errors.ts';
import { aggregateRow, aggregatesFrom, depth, klines, tradeRow, tradesFrom } from '../binance/marketData.ts';
import type { Parameters } from '../binance/parameters.ts';
import { usdmError } from './errors.ts';
import { exchangeInfo } from './exchangeInfo.ts';
import { contractLevel, plain } from './format.ts';
import { fundingHistory, futuresTickerRow, premiumIndexRow } from './marketRows.ts';
import type { Route } from './route.ts';
import { chosenMarkets, oneMarket, perMarket, span } from './routeParameters.ts';

const get = (path: string, weight: Route['weight'], handle: Route['handle']): Route => ({
  method: 'GET',
  path,
  security: 'none',
  weight,
  handle,
});
const perSymbol = (one: number, all: number) => (parameters: Parameters) => (parameters.has('symbol') ? one : all);

const DEPTHS: readonly number[] = [5, 10, 20, 50, 100, 500, 1_000];

export const PUBLIC_ROUTES: readonly Route[] = [
  get('/fapi/v1/ping', 1, () => ({})),
  get('/fapi/v1/time', 1, ({ serverTime }) => ({ serverTime })),
  get('/fapi/v1/exchangeInfo', 1, ({ exchange, serverTime }) => exchangeInfo(exchange, serverTime)),
  get(
    '/fapi/v1/depth',
    (parameters) => depthWeight(depthLimit(parameters)),
    (context) => ({
      ...inContractDecimals(oneMarket(context), depth(oneMarket(context), depthLimit(context.parameters))),
      E: context.now,
      T: context.now,
    }),
  ),
  get('/fapi/v1/trades', 5, (context) => {
    const { pair, recent } = oneMarket(context);
    return recent.slice(-context.parameters.limit(500, 1000)).map((trade) => tradeRow(pair, trade));
  }),
  get('/fapi/v1/historicalTrades', 20, (context) => {
    const { pair, recent } = oneMarket(context);
    const limit = context.parameters.limit(100, 500);
    const rows = tradesFrom(recent, context.parameters.integer('fromId'), limit);
    return rows.map((trade) => tradeRow(pair, trade));
  }),
  get('/fapi/v1/aggTrades', 20, (context) => {
    const { pair, recent } = oneMarket(context);
    const limit = context.parameters.limit(500, 1000);
    const rows = aggregatesFrom(recent, context.parameters.integer('fromId'), span(context.parameters), limit);
    return rows.map((row) => aggregateRow(pair, row));
  }),
  ...['klines', 'continuousKlines', 'markPriceKlines', 'indexPriceKlines'].map((name) =>
    get(`/fapi/v1/${name}`, 5, (context) => {
      const market = oneMarket(context, name === 'continuousKlines' || name === 'indexPriceKlines' ? 'pair' : 'symbol');
      const interval = INTERVALS.get(context.parameters.mandatory('interval'));
      if (!interval) throw binanceError.interval();
      const { start, end } = span(context.parameters);
      return klines(market, interval, start, end, klineLimit(context.parameters));
    }),
  ),
  get('/fapi/v1/premiumIndex', perSymbol(1, 10), (context) =>
    perMarket(context, (market) => premiumIndexRow(context.exchange, market)),
  ),
  get('/fapi/v1/fundingRate', 1, (context) => {
    const { start, end } = span(context.parameters);
    const limit = context.parameters.limit(100, 1000);
    return chosenMarkets(context)
      .flatMap((market) => fundingHistory(context.exchange, market, start, end, limit))
      .sort((a, b) => a.fundingTime - b.fundingTime)
      .slice(0, limit);
  }),
  get('/fapi/v1/fundingInfo', 1, ({ exchange }) =>
    exchange.markets.map(({ pair }) => ({
      symbol: pair.symbol,
      adjustedFundingRateCap: '0.00300000',
      adjustedFundingRateFloor: '-0.00300000',
      fundingIntervalHours: exchange.fundingMs / 3_600_000,
      disclaimer: false,
    })),
  ),
  get('/fapi/v1/ticker/24hr', perSymbol(1, 40), (context) =>
    perMarket(context, (market) => futuresTickerRow(dayStatistics(market, context.now))),
  ),
  ...['/fapi/v1/ticker/price', '/fapi/v2/ticker/price'].map((path) =>
    get(path, perSymbol(1, 2), (context) =>
      perMarket(context, ({ pair, lastTick, recent }) => ({
        symbol: pair.symbol,
        price: plain(lastTick, pair.priceDecimals),
        time: recent.last()?.time ?? context.now,
      })),
    ),
  ),
  get('/fapi/v1/ticker/bookTicker', perSymbol(2, 5), (context) =>
    perMarket(context, (market) => ({
      ...bookTicker(market),
      time: context.now,
      lastUpdateId: market.book.updateId,
    })),
  ),
  get('/fapi/v1/openInterest', 1, (context) => {
    const { pair } = oneMarket(context);
    const steps = context.exchange.account
      .positions()
      .reduce((sum, position) => (position.symbol === pair.symbol ? sum + Math.abs(position.steps) : sum), 0);
    return { symbol: pair.symbol, openInterest: plain(steps, pair.quantityDecimals), time: context.now };
  }),
];

/** @throws BinanceError -4021 for an unsupported number of levels */
function depthLimit(parameters: Parameters): number {
  const limit = parameters.integer('limit') ?? 500;
  if (!DEPTHS.includes(limit)) throw usdmError.depthLimit(limit);
  return limit;
}

/** @throws BinanceError -1130 for more candles than one response has */
function klineLimit(parameters: Parameters): number {
  const limit = parameters.integer('limit') ?? 500;
  if (limit < 1 || limit > 1_500) throw binanceError.invalid('limit');
  return limit;
}

/** Returns the best prices with the decimals of the contract. */
function bookTicker({ pair, book }: PairMarket): object {
  const [bidPrice, bidQty] = contractLevel(pair, book.bestBid, book.bids.quantity(book.bestBid));
  const [askPrice, askQty] = contractLevel(pair, book.bestAsk, book.asks.quantity(book.bestAsk));
  return { symbol: pair.symbol, bidPrice, bidQty, askPrice, askQty };
}

function inContractDecimals({ pair, book }: PairMarket, depthRow: { bids: string[][]; asks: string[][] }): object {
  const rows = (levels: [number, number][]) => levels.map(([tick, steps]) => contractLevel(pair, tick, steps));
  return {
    ...depthRow,
    bids: rows(book.levels('buy', depthRow.bids.length)),
    asks: rows(book.levels('sell', depthRow.asks.length)),
  };
}

function depthWeight(limit: number): number {
  if (limit <= 50) return 2;
  if (limit <= 100) return 5;
  return limit <= 500 ? 10 : 20;
}
