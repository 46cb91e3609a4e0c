import { toUnits } from '@heron/engine/money/units.ts';
import { readUsdmError } from '../binance/errorCodes.ts';
import { USDM_PARTS } from '../binance/marketConnection.ts';
import { openBinanceStream } from '../binance/marketStream.ts';
import { filtersOf } from '../binance/parseExchangeInfo.ts';
import { BINANCE_PERIODS } from '../binance/public.ts';
import type { FundingPayment, FundingTerms, PublicFutures } from '../exchange.ts';
import { serverTimeOf } from '../http/clock.ts';
import type { PublicClient } from '../http/publicClient.ts';
import { asRow, asRows, type Row } from '../http/row.ts';
import { candlesIn } from '../venue/klines.ts';
import {
  type ListedPair,
  openPublicExchangeBase,
  type PublicConfig,
  type PublicVenue,
} from '../venue/publicExchange.ts';
import { numberIn } from '../venue/ticker.ts';

/** The states of contracts are read at most once a minute. */
const STATES_FOR_MS = 60_000;
/** Most funding payments in one response. */
const MAX_PAYMENTS = 1_000;
/** Delivery date of a contract that never ends, ms. */
const NO_DELIVERY = 4_133_404_800_000;

export const USDM_PUBLIC_ENDPOINTS = new Set([
  '/fapi/v1/time',
  '/fapi/v1/exchangeInfo',
  '/fapi/v1/ticker/24hr',
  '/fapi/v1/ticker/bookTicker',
  '/fapi/v1/klines',
  '/fapi/v1/premiumIndex',
  '/fapi/v1/fundingRate',
]);

function venueOf(now: () => number): PublicVenue {
  return {
    name: 'binanceusdm',
    endpoints: USDM_PUBLIC_ENDPOINTS,
    // Twice what 2,400 a minute for one IP address would need.
    msPerWeight: 50,
    readError: readUsdmError,
    periods: BINANCE_PERIODS,
    page: 1_000,

    async readTime(client) {
      return serverTimeOf(asRow(await client.get('/fapi/v1/time', {}, 1)));
    },

    async readPairs(client) {
      return (await readContracts(client)).flatMap(contractOf);
    },

    // The 24-hour figures of futures lack the best prices.
    async readTickers(client, ids) {
      const symbol = ids?.length === 1 ? ids[0] : undefined;
      const rowsOf = (answer: unknown) => (symbol === undefined ? asRows(answer) : [asRow(answer)]);
      const [figures, books] = await Promise.all([
        client.get('/fapi/v1/ticker/24hr', { symbol }, symbol === undefined ? 40 : 1),
        client.get('/fapi/v1/ticker/bookTicker', { symbol }, symbol === undefined ? 5 : 2),
      ]);
      const bestPrices = new Map(rowsOf(books).map((row) => [row.symbol, row]));
      return rowsOf(figures).map((row) => ({ ...bestPrices.get(row.symbol), ...row }));
    },

    async readCandles(client, { id, period, from, until, limit }) {
      const params = { symbol: id, interval: period, startTime: from, endTime: until, limit };
      return candlesIn(await client.get('/fapi/v1/klines', params, 5));
    },

    readStates: statesReader(now),
    openStream: (config, listener) => openBinanceStream(config, USDM_PARTS, listener),
  };
}

/**
 * Opens the reading side of the perpetual contracts of Binance USD-M, or of a venue with the same protocol. A contract has
 * the name of its pair: BTC-USDT.
 *
 * @param config.net the address of its streams ends in `/ws`, before which `/public` and `/market` are put
 * @example
 * const exchange = await openBinanceUsdm({ net: openExternalNet('binanceusdm', 'binanceusdm', { now: Date.now }), now: Date.now });
 * const [terms] = await exchange.funding(['BTC-USDT']);
 */
export async function openBinanceUsdm(config: PublicConfig): Promise<PublicFutures> {
  const { adapter, base } = openPublicExchangeBase(venueOf(config.now), config);
  const { client, readable, known, all } = base;
  return {
    ...adapter,

    async funding(pairs) {
      const wanted = pairs === undefined ? await all() : await Promise.all(pairs.map(known));
      const answer = await client.get('/fapi/v1/premiumIndex', {}, 10);
      const byId = readable(() => new Map(asRows(answer).map((row) => [String(row.symbol), row])));
      return wanted.flatMap(({ market, id }) => termsOf(byId.get(id), market.pair));
    },

    async fundingHistory(pair, from, to) {
      const { id } = await known(pair);
      const payments: FundingPayment[] = [];
      for (let since = from; since < to; ) {
        const params = { symbol: id, startTime: since, endTime: to - 1, limit: MAX_PAYMENTS };
        const answer = await client.get('/fapi/v1/fundingRate', params, 1);
        const page = readable(() => asRows(answer).flatMap(paymentOf)).sort((a, b) => a.time - b.time);
        payments.push(...page.filter(({ time }) => time >= since && time < to));
        const newest = page.at(-1)?.time;
        if (newest === undefined || newest < since || page.length < MAX_PAYMENTS) break;
        since = newest + 1;
      }
      return payments;
    },
  };
}

async function readContracts(client: PublicClient): Promise<Row[]> {
  return asRows(asRow(await client.get('/fapi/v1/exchangeInfo', {}, 1)).symbols);
}

/** The endpoint has no filter, so that all contracts are read. */
function statesReader(now: () => number): (client: PublicClient) => Promise<Row[]> {
  let last: { at: number; rows: Row[] } | null = null;
  return async (client) => {
    if (last !== null && now() < last.at + STATES_FOR_MS) return last.rows;
    last = { at: now(), rows: await readContracts(client) };
    return last.rows;
  };
}

/** Returns perpetual contracts that are settled in the currency of their quotes; every contract has conditional orders. */
function contractOf(row: Row): ListedPair[] {
  const isPerpetual = row.contractType === 'PERPETUAL' || Number(row.deliveryDate) === NO_DELIVERY;
  const isWhole = (numberIn(row.contractSize) ?? 1) === 1;
  if (row.status !== 'TRADING' || !isPerpetual || !isWhole || row.marginAsset !== row.quoteAsset) return [];
  const filters = filtersOf(row);
  return filters === null ? [] : [{ ...filters, stop: 'market' }];
}

/** `{"symbol":"BTCUSDT","markPrice":"1","indexPrice":"1","lastFundingRate":"0.0001","nextFundingTime":1}` */
function termsOf(row: Row | undefined, pair: string): FundingTerms[] {
  const mark = numberIn(row?.markPrice);
  const index = numberIn(row?.indexPrice);
  const rate = numberIn(row?.lastFundingRate);
  const nextAt = numberIn(row?.nextFundingTime);
  if (mark === null || index === null || rate === null || nextAt === null) return [];
  return [{ pair, mark: toUnits(mark), index: toUnits(index), rate, nextAt }];
}

/** `{"symbol":"BTCUSDT","fundingTime":1,"fundingRate":"0.0001","markPrice":"1"}`; old rows have no mark price. */
function paymentOf(row: Row): FundingPayment[] {
  const time = numberIn(row.fundingTime);
  const rate = numberIn(row.fundingRate);
  if (time === null || rate === null) return [];
  return [{ time, rate, mark: toUnits(numberIn(row.markPrice) ?? 0) }];
}
