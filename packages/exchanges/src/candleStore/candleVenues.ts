import type { PublicExchange } from '../exchange.ts';
import type { PublicConfig } from '../venue/publicExchange.ts';

/** An exchange whose candles can be fetched. */
export interface CandleVenue {
  /** Most candles in one response, and the weight of the request. */
  readonly page: number;
  readonly weight: number;
  open(config: PublicConfig): Promise<PublicExchange>;
}

/** Exchanges whose candles can be fetched, by name. */
export const CANDLE_VENUES: ReadonlyMap<string, CandleVenue> = new Map<string, CandleVenue>([
  [
    'binance',
    {
      page: 1_000,
      weight: 2,
      open: async (config) => (await import('../binance/public.ts')).openBinance(config),
    },
  ],
  [
    'binanceusdm',
    {
      page: 1_000,
      weight: 5,
      open: async (config) => (await import('../binanceUsdm/public.ts')).openBinanceUsdm(config),
    },
  ],
  [
    'mexc',
    {
      page: 500,
      weight: 1,
      open: async (config) => (await import('../mexc/public.ts')).openMexc(config),
    },
  ],
]);
