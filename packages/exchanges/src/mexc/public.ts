import type { Period } from '@heron/engine/market/period.ts';
import type { PublicExchange } from '../exchange.ts';
import { serverTimeOf } from '../http/clock.ts';
import { asRow, asRows, type Row } from '../http/row.ts';
import { candlesIn } from '../venue/klines.ts';
import { type ListedPair, openPublicExchange, type PublicConfig, type PublicVenue } from '../venue/publicExchange.ts';
import { numberIn } from '../venue/ticker.ts';
import { readMexcError } from './errorCodes.ts';
import { openMexcStream } from './marketStream.ts';
import { STREAM_PERIODS } from './parseMarket.ts';

/** The start of MEXC's weeks is not documented, so that weeks are made from days. */
const OWN_PERIODS: ReadonlySet<Period> = new Set(STREAM_PERIODS.values());

export const MEXC_PUBLIC_ENDPOINTS = new Set([
  '/api/v3/time',
  '/api/v3/exchangeInfo',
  '/api/v3/ticker/24hr',
  '/api/v3/klines',
]);

const VENUE: PublicVenue = {
  name: 'mexc',
  endpoints: MEXC_PUBLIC_ENDPOINTS,
  msPerWeight: 50,
  readError: readMexcError,
  periods: OWN_PERIODS,
  // The documents state 1,000; the responses have 500.
  page: 500,

  async readTime(client) {
    return serverTimeOf(asRow(await client.get('/api/v3/time', {}, 1)));
  },

  async readPairs(client) {
    return asRows(asRow(await client.get('/api/v3/exchangeInfo', {}, 10)).symbols).flatMap(pairOf);
  },

  async readTickers(client, ids) {
    if (ids?.length === 1) return [tickerRow(asRow(await client.get('/api/v3/ticker/24hr', { symbol: ids[0] }, 1)))];
    return asRows(await client.get('/api/v3/ticker/24hr', {}, 40)).map(tickerRow);
  },

  async readCandles(client, { id, period, from, until, limit }) {
    const interval = period === '1h' ? '60m' : period;
    // MEXC excludes the end.
    const params = { symbol: id, interval, startTime: from, endTime: until + 1, limit };
    return candlesIn(await client.get('/api/v3/klines', params, 1));
  },

  openStream: openMexcStream,
};

/**
 * Opens the reading side of MEXC spot, or of a venue with the same protocol.
 *
 * @example
 * const exchange = await openMexc({ net: openExternalNet('mexc', 'mexc', { now: Date.now }), now: Date.now });
 * const candles = await exchange.candles('BTC-USDT', '1h', Date.now() - 86_400_000, Date.now());
 */
export async function openMexc(config: PublicConfig): Promise<PublicExchange> {
  return openPublicExchange(VENUE, config);
}

/** Returns a pair that can be bought and sold over the API: `tradeSideType` 2 and 3 allow one side, 4 neither. */
function pairOf(row: Row): ListedPair[] {
  const isTraded = String(row.status) === '1' && row.isSpotTradingAllowed === true;
  if (!isTraded || String(row.tradeSideType ?? '1') !== '1') return [];
  const base = numberIn(row.baseAssetPrecision);
  const quote = numberIn(row.quoteAssetPrecision);
  if (base === null || quote === null) return [];
  return [
    {
      id: String(row.symbol),
      pair: `${String(row.baseAsset)}-${String(row.quoteAsset)}`,
      tickSize: Number(`1e-${quote}`),
      stepSize: Number(`1e-${base}`),
      // The names of these fields are misleading: they hold the smallest quantity and the smallest order value.
      minQuantity: numberIn(row.baseSizePrecision) ?? 0,
      maxQuantity: Number.POSITIVE_INFINITY,
      minNotional: numberIn(row.quoteAmountPrecision) ?? 0,
    },
  ];
}

/** MEXC gives the change as a fraction, and 0 or nothing for a size that it does not know. */
function tickerRow(row: Row): Row {
  const change = numberIn(row.priceChangePercent);
  return {
    ...row,
    priceChangePercent: change === null ? null : Number(`${row.priceChangePercent}e2`),
    bidQty: numberIn(row.bidQty) || null,
    askQty: numberIn(row.askQty) || null,
  };
}
