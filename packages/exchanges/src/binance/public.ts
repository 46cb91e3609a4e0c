import type { Market } from '@heron/engine/market/market.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import type { PublicExchange } from '../exchange.ts';
import { serverTimeOf } from '../http/clock.ts';
import type { PublicClient } from '../http/publicClient.ts';
import { asRow, asRows, type Row } from '../http/row.ts';
import { candlesIn } from '../venue/klines.ts';
import { type ListedPair, openPublicExchange, type PublicConfig, type PublicVenue } from '../venue/publicExchange.ts';
import { readBinanceError } from './errorCodes.ts';
import { SPOT_PARTS } from './marketConnection.ts';
import { openBinanceStream } from './marketStream.ts';
import { filtersOf } from './parseExchangeInfo.ts';

/** Binance makes every period of ours but 2m. */
export const BINANCE_PERIODS: ReadonlySet<Period> = new Set(
  (Object.keys(PERIODS) as Period[]).filter((period) => period !== '2m'),
);

/** Pairs that one request for tickers may name. */
const MAX_NAMED_TICKERS = 100;

export const BINANCE_PUBLIC_ENDPOINTS = new Set([
  '/api/v3/time',
  '/api/v3/exchangeInfo',
  '/api/v3/ticker/24hr',
  '/api/v3/klines',
]);

const VENUE: PublicVenue = {
  name: 'binance',
  endpoints: BINANCE_PUBLIC_ENDPOINTS,
  // 6,000 a minute for one IP address.
  msPerWeight: 10,
  readError: readBinanceError,
  periods: BINANCE_PERIODS,
  page: 1_000,

  async readTime(client) {
    return serverTimeOf(asRow(await client.get('/api/v3/time', {}, 1)));
  },

  async readPairs(client) {
    return (await readSymbols(client, {})).flatMap(pairOf);
  },

  async readTickers(client, ids) {
    if (ids?.length === 1) return [asRow(await client.get('/api/v3/ticker/24hr', { symbol: ids[0] }, 2))];
    const symbols = ids === null || ids.length > MAX_NAMED_TICKERS ? undefined : JSON.stringify(ids);
    return asRows(await client.get('/api/v3/ticker/24hr', { symbols }, symbols === undefined ? 80 : 40));
  },

  async readCandles(client, { id, period, from, until, limit }) {
    const params = { symbol: id, interval: period, startTime: from, endTime: until, limit };
    return candlesIn(await client.get('/api/v3/klines', params, 2));
  },

  // The states of a few pairs cost little; the response for all pairs has some megabytes.
  readStates: (client, ids) => readSymbols(client, { symbols: JSON.stringify(ids) }),

  openStream: (config, listener) => openBinanceStream(config, SPOT_PARTS, listener),
};

/**
 * Opens the reading side of Binance spot, or of a venue with the same protocol.
 *
 * @example
 * const exchange = await openBinance({ net: openExternalNet('binance', 'binance', { now: Date.now }), now: Date.now });
 * const candles = await exchange.candles('BTC-USDT', '1h', Date.now() - 86_400_000, Date.now());
 */
export async function openBinance(config: PublicConfig): Promise<PublicExchange> {
  return openPublicExchange(VENUE, config);
}

async function readSymbols(client: PublicClient, params: { symbols?: string }): Promise<Row[]> {
  return asRows(
    asRow(await client.get('/api/v3/exchangeInfo', { ...params, showPermissionSets: 'false' }, 20)).symbols,
  );
}

/** Returns no pair for one that cannot be traded now, or not by every account. */
function pairOf(row: Row): ListedPair[] {
  const permissions: readonly unknown[] = Array.isArray(row.permissions) ? row.permissions : [];
  if (row.status !== 'TRADING' || permissions.includes('TRD_GRP_003')) return [];
  const filters = filtersOf(row);
  const stop = stopOf(row);
  return filters === null ? [] : [{ ...filters, ...(stop !== undefined && { stop }) }];
}

/** Stops sell at market where the pair allows it, so that no rest remains: `{"orderTypes":["LIMIT","STOP_LOSS"]}` */
function stopOf({ orderTypes }: Row): Market['stop'] {
  const types: readonly unknown[] = Array.isArray(orderTypes) ? orderTypes : [];
  if (types.includes('STOP_LOSS')) return 'market';
  return types.includes('STOP_LOSS_LIMIT') ? 'limit' : undefined;
}
