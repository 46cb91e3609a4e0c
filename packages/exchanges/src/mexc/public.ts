import type { Period } from '@heron/engine/market/period.ts';
import { type CcxtMarket, loadMexc } from '../ccxt/library.ts';
import type { PublicExchange } from '../exchange.ts';
import { LIBRARY_ORIGINS } from '../net/hosts.ts';
import { openPublicExchange, type PublicConfig } from '../venue/publicExchange.ts';
import { openMexcStream } from './marketStream.ts';
import { STREAM_PERIODS } from './parseMarket.ts';

/** What MEXC makes itself; where its weeks begin is not documented, so weeks are made from days. */
const OWN_PERIODS: ReadonlySet<Period> = new Set(STREAM_PERIODS.values());

/**
 * MEXC spot, or a venue that speaks its protocol, as everybody may read it.
 *
 * @example
 * const exchange = await openMexc({ net: openExternalNet('mexc', 'mexc', { now: Date.now }), now: Date.now });
 * const candles = await exchange.candles('BTC-USDT', '1h', Date.now() - 86_400_000, Date.now());
 */
export async function openMexc(config: PublicConfig): Promise<PublicExchange> {
  const Base = await loadMexc();
  const venue = {
    name: 'mexc',
    // its futures are another host, and none of ours
    Base: class extends Base {
      override fetchSwapMarkets() {
        return Promise.resolve([]);
      }
    },
    libraryRest: LIBRARY_ORIGINS.mexc.rest,
    streamBegins: (address: string) => address,
    periods: OWN_PERIODS,
    // the documents say 1,000
    page: 500,
    options: { ws: { cost: 1, backoff: { base: 250, factor: 2, max: 5_000, stableAfter: 10_000 } } },
    openStream: openMexcStream,
    trades: allowsBothSides,
  } as const;
  return openPublicExchange(venue, config);
}

/** Pairs that may be bought and sold: `tradeSideType` 2 and 3 allow one of both, 4 neither. */
function allowsBothSides({ spot, info }: CcxtMarket): boolean {
  return spot && String(info.tradeSideType ?? '1') === '1';
}
