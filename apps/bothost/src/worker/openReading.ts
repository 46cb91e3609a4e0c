import { openBinance } from '@heron/exchanges/binance/public.ts';
import { openBinanceUsdm } from '@heron/exchanges/binanceUsdm/public.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import { openMexc } from '@heron/exchanges/mexc/public.ts';
import type { PublicConfig } from '@heron/exchanges/venue/publicExchange.ts';
import type { WorkerConfig } from '../config.ts';
import { type HostedName, hostedVenue } from '../store/hosted.ts';

const OPEN: Readonly<Record<HostedName, (config: PublicConfig) => Promise<PublicExchange>>> = {
  binance: openBinance,
  binanceusdm: openBinanceUsdm,
  mexc: openMexc,
};

/** Opens the worker's venue for reading. */
export function openReading(worker: Pick<WorkerConfig, 'venue'>, config: PublicConfig): Promise<PublicExchange> {
  return OPEN[exchangeOfWorker(worker)](config);
}

/** Returns the exchange that a worker's venue belongs to. @throws Error when this host has no adapter for it */
export function exchangeOfWorker({ venue }: Pick<WorkerConfig, 'venue'>): HostedName {
  const hosted = hostedVenue(venue);
  if (hosted === undefined) throw new Error(`this host has no adapter for ${venue}`);
  return hosted.exchange;
}
