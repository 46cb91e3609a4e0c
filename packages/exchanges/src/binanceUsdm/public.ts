import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { openBinanceStream } from '../binance/marketStream.ts';
import { type CcxtExchange, type CcxtMarket, loadBinanceUsdm } from '../ccxt/library.ts';
import type { FundingPayment, FundingTerms, PublicFutures } from '../exchange.ts';
import { LIBRARY_ORIGINS } from '../net/hosts.ts';
import { openPublicExchangeBase, type PublicConfig } from '../venue/publicExchange.ts';

/** Binance makes every period of ours but 2m. */
const OWN_PERIODS: ReadonlySet<Period> = new Set(
  (Object.keys(PERIODS) as Period[]).filter((period) => period !== '2m'),
);
/** The states of contracts are told once a minute. */
const ROWS_FOR_MS = 60_000;
/** Most fundings in one answer. */
const FUNDINGS = 1_000;

/**
 * Perpetual contracts of Binance USD-M, or of a venue that speaks its protocol, as everybody may read them. A contract in
 * USDT bears the name of its pair: BTC-USDT.
 *
 * @param config.net the address of its streams ends in `/ws`, before which `/public` and `/market` are put
 * @example
 * const exchange = await openBinanceUsdm({ net: openExternalNet('binanceusdm', 'binanceusdm', { now: Date.now }), now: Date.now });
 * const [terms] = await exchange.funding(['BTC-USDT']);
 */
export async function openBinanceUsdm(config: PublicConfig): Promise<PublicFutures> {
  const { adapter, parts } = await openPublicExchangeBase(
    {
      name: 'binanceusdm',
      Base: await loadBinanceUsdm(),
      libraryRest: LIBRARY_ORIGINS.binanceusdm.rest,
      section: 'fapiPublic',
      streamBegins: (address) => address.replace(/ws$/, ''),
      trades: isPerpetual,
      periods: OWN_PERIODS,
      page: 1_000,
      options: {
        defaultType: 'swap',
        fetchMargins: false,
        fetchCurrencies: false,
        ws: { cost: 5, backoff: { base: 250, factor: 2, max: 5_000, stableAfter: 10_000 } },
      },
      openStream: openBinanceStream,
      readRows: rowsReader(config.now),
      // Every contract has conditional orders.
      stop: () => 'market',
    },
    config,
  );
  const { exchange, call, known, all } = parts;
  return {
    ...adapter,

    async funding(pairs) {
      const wanted = pairs === undefined ? await all() : await Promise.all(pairs.map(known));
      const rates = await call(() => exchange.fetchFundingRates());
      return wanted.flatMap(({ market, symbol }): FundingTerms[] => {
        const { markPrice, indexPrice, fundingRate, fundingTimestamp } = rates[symbol] ?? {};
        if (markPrice === undefined || indexPrice === undefined) return [];
        if (fundingRate === undefined || fundingTimestamp === undefined) return [];
        return [
          {
            pair: market.pair,
            mark: toUnits(markPrice),
            index: toUnits(indexPrice),
            rate: fundingRate,
            nextAt: fundingTimestamp,
          },
        ];
      });
    },

    async fundingHistory(pair, from, to) {
      const { symbol } = await known(pair);
      const payments: FundingPayment[] = [];
      for (let since = from; since < to; ) {
        const page = await call(() => exchange.fetchFundingRateHistory(symbol, since, FUNDINGS, { until: to - 1 }));
        for (const { timestamp, fundingRate, info } of page) {
          if (timestamp === undefined || fundingRate === undefined || timestamp < since || timestamp >= to) continue;
          payments.push({ time: timestamp, rate: fundingRate, mark: toUnits(Number(info.markPrice ?? 0)) });
        }
        const newest = page.at(-1)?.timestamp;
        if (newest === undefined || newest < since || page.length < FUNDINGS) break;
        since = newest + 1;
      }
      return payments;
    },
  };
}

/** There is no way to ask for some contracts only: all of them are read, at most once a minute. */
function rowsReader(now: () => number) {
  let read: { at: number; rows: CcxtMarket['info'][] } | null = null;
  return async (exchange: CcxtExchange) => {
    if (read !== null && now() < read.at + ROWS_FOR_MS) return read.rows;
    const endpoints = exchange as unknown as {
      fapiPublicGetExchangeInfo(): Promise<{ symbols: CcxtMarket['info'][] }>;
    };
    read = { at: now(), rows: (await endpoints.fapiPublicGetExchangeInfo()).symbols };
    return read.rows;
  };
}

/** Contracts that never end, one coin each, in the currency that they are quoted in. */
function isPerpetual({ swap, linear, contractSize }: CcxtMarket): boolean {
  return swap === true && linear === true && contractSize === 1;
}
