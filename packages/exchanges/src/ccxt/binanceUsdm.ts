import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import type { FundingPayment, FundingTerms, PublicFutures } from '../exchange.ts';
import { openBinanceStream } from './binanceStream.ts';
import { type CcxtMarket, loadBinanceUsdm } from './library.ts';
import { openPublicParts, type PublicConfig } from './publicExchange.ts';

/** Binance makes every period of ours but 2m. */
const OWN_PERIODS: ReadonlySet<Period> = new Set(
  (Object.keys(PERIODS) as Period[]).filter((period) => period !== '2m'),
);
/** Most fundings in one answer. */
const FUNDINGS = 1_000;

/**
 * Perpetual contracts of Binance USD-M, or of a venue that speaks its protocol, as everybody may read them. A contract in
 * USDT bears the name of its pair: BTC-USDT.
 *
 * @param config.redirect the address of streams ends in `/ws`, before which `/public` and `/market` are put
 * @example
 * const exchange = await openBinanceUsdm({ redirect: null, now: Date.now });
 * const [terms] = await exchange.funding(['BTC-USDT']);
 */
export async function openBinanceUsdm(config: PublicConfig): Promise<PublicFutures> {
  const { adapter, parts } = await openPublicParts(
    {
      name: 'binanceusdm',
      Base: await loadBinanceUsdm(),
      rest: 'https://fapi.binance.com',
      section: 'fapiPublic',
      stream: { address: 'wss://fstream.binance.com/ws', begins: (address) => address.replace(/ws$/, '') },
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
      const told = await call(() => exchange.fetchFundingRates());
      return wanted.flatMap(({ market, symbol }): FundingTerms[] => {
        const { markPrice, indexPrice, fundingRate, fundingTimestamp } = told[symbol] ?? {};
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

/** Contracts that never end, one coin each, in the currency that they are quoted in. */
function isPerpetual({ swap, linear, contractSize }: CcxtMarket): boolean {
  return swap === true && linear === true && contractSize === 1;
}
