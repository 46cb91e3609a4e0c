import { openBinance } from '@heron/exchanges/ccxt/binance.ts';
import { openBinanceUsdm } from '@heron/exchanges/ccxt/binanceUsdm.ts';
import { openMexc } from '@heron/exchanges/ccxt/mexc.ts';
import type { PublicConfig } from '@heron/exchanges/ccxt/publicExchange.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import type { HostedName } from '../bots/hosted.ts';
import type { WorkerConfig } from '../config.ts';

const OPEN: Readonly<Record<HostedName, (config: PublicConfig) => Promise<PublicExchange>>> = {
  binance: openBinance,
  binanceusdm: openBinanceUsdm,
  mexc: openMexc,
};

/**
 * The worker's exchange as everybody may read it.
 *
 * @param heard is told of every answer
 * @throws Error when a market stands in for it and has no such exchange
 */
export function openReading(
  { exchange, market }: WorkerConfig,
  now: () => number,
  heard: NonNullable<PublicConfig['heard']>,
): Promise<PublicExchange> {
  const redirect = market === null ? null : market[exchange];
  if (redirect === undefined) throw new Error(`the market that this host is led to has no ${exchange}`);
  return OPEN[exchange]({ redirect, now, heard });
}
