import type { PublicConfig } from '../ccxt/publicExchange.ts';
import type { PublicExchange } from '../exchange.ts';

/** An exchange whose candles can be fetched. */
export interface CandleVenue {
  /** Most candles in one answer, and what it weighs. */
  readonly page: number;
  readonly weight: number;
  /** Greatest sum of weights a minute, and the header that tells it. */
  readonly limits: { readonly weight: number; readonly header: string };
  open(config: PublicConfig): Promise<PublicExchange>;
}

/** Exchanges whose candles can be fetched, by name. MEXC counts 500 calls in ten seconds and tells nothing of them. */
export const CANDLE_VENUES: ReadonlyMap<string, CandleVenue> = new Map<string, CandleVenue>([
  [
    'binance',
    {
      page: 1_000,
      weight: 2,
      limits: { weight: 6_000, header: 'x-mbx-used-weight-1m' },
      open: async (config) => (await import('../ccxt/binance.ts')).openBinance(config),
    },
  ],
  [
    'binanceusdm',
    {
      page: 1_000,
      weight: 5,
      limits: { weight: 2_400, header: 'x-mbx-used-weight-1m' },
      open: async (config) => (await import('../ccxt/binanceUsdm.ts')).openBinanceUsdm(config),
    },
  ],
  [
    'mexc',
    {
      page: 500,
      weight: 1,
      limits: { weight: 3_000, header: 'x-mbx-used-weight-1m' },
      open: async (config) => (await import('../ccxt/mexc.ts')).openMexc(config),
    },
  ],
]);
