import type { Market } from '@heron/engine/market/market.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { type CcxtExchange, type CcxtMarket, loadBinance } from '../ccxt/library.ts';
import type { PublicExchange } from '../exchange.ts';
import { LIBRARY_ORIGINS } from '../net/hosts.ts';
import { openPublicExchange, type PublicConfig } from '../venue/publicExchange.ts';
import { openBinanceStream } from './marketStream.ts';

/** Binance makes every period of ours but 2m. */
const OWN_PERIODS: ReadonlySet<Period> = new Set(
  (Object.keys(PERIODS) as Period[]).filter((period) => period !== '2m'),
);

/**
 * Binance spot, or a venue that speaks its protocol, as everybody may read it.
 *
 * @example
 * const exchange = await openBinance({ net: openExternalNet('binance', 'binance', { now: Date.now }), now: Date.now });
 * const candles = await exchange.candles('BTC-USDT', '1h', Date.now() - 86_400_000, Date.now());
 */
export async function openBinance(config: PublicConfig): Promise<PublicExchange> {
  const venue = {
    name: 'binance',
    Base: await loadBinance(),
    libraryRest: LIBRARY_ORIGINS.binance.rest,
    streamBegins: (address: string) => `${address}/`,
    periods: OWN_PERIODS,
    page: 1_000,
    options: {
      fetchMarkets: { types: ['spot'] },
      fetchMargins: false,
      fetchCurrencies: false,
      ws: { cost: 5, backoff: { base: 250, factor: 2, max: 5_000, stableAfter: 10_000 } },
    },
    openStream: openBinanceStream,
    readRows,
    stop: stopOf,
  } as const;
  return openPublicExchange(venue, config);
}

/** States of a few pairs cost little; of all pairs the answer is some megabytes long. */
async function readRows(exchange: CcxtExchange, ids: readonly string[]) {
  const endpoints = exchange as unknown as {
    publicGetExchangeInfo(params: object): Promise<{ symbols: CcxtMarket['info'][] }>;
  };
  return (await endpoints.publicGetExchangeInfo({ symbols: JSON.stringify(ids), showPermissionSets: 'false' })).symbols;
}

/** Sold at market where the pair has that, since nothing may be left over: `{"orderTypes":["LIMIT","STOP_LOSS","STOP_LOSS_LIMIT"]}` */
function stopOf({ info }: CcxtMarket): Market['stop'] {
  const types: readonly unknown[] = Array.isArray(info.orderTypes) ? info.orderTypes : [];
  if (types.includes('STOP_LOSS')) return 'market';
  return types.includes('STOP_LOSS_LIMIT') ? 'limit' : undefined;
}
