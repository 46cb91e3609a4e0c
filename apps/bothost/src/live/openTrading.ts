import { openBinanceTrading } from '@heron/exchanges/binance/trading.ts';
import { openBinanceUsdmTrading } from '@heron/exchanges/binanceUsdm/trading.ts';
import type { RateBudget } from '@heron/exchanges/http/rateBudget.ts';
import { openMexcTrading } from '@heron/exchanges/mexc/trading.ts';
import type { VenueNet } from '@heron/exchanges/net/venueNet.ts';
import type { TradingConfig, TradingExchange } from '@heron/exchanges/trading.ts';
import type { WorkerConfig } from '../config.ts';
import type { HostedName } from '../store/hosted.ts';
import { exchangeOfWorker } from '../worker/openReading.ts';

const OPEN = {
  binance: openBinanceTrading,
  binanceusdm: openBinanceUsdmTrading,
  mexc: openMexcTrading,
} as const satisfies Record<HostedName, unknown>;

/** Returns a function that signs in to the worker's exchange. All its accounts share one rate budget. */
export function tradingOpener(
  config: Pick<WorkerConfig, 'venue'>,
  net: VenueNet,
  budget: RateBudget,
): (given: TradingConfig) => Promise<TradingExchange> {
  const open = OPEN[exchangeOfWorker(config)];
  return (given) => open({ ...given, net, budget });
}
