import { binanceBudget, openBinanceTrading } from '@heron/exchanges/ccxt/binanceTrading.ts';
import { binanceUsdmBudget, openBinanceUsdmTrading } from '@heron/exchanges/ccxt/binanceUsdmTrading.ts';
import { mexcBudget, openMexcTrading } from '@heron/exchanges/ccxt/mexcTrading.ts';
import { ExchangeMisused } from '@heron/exchanges/errors.ts';
import type { TradingConfig, TradingExchange } from '@heron/exchanges/trading.ts';
import type { WorkerConfig } from '../config.ts';

/** How the worker's exchange is traded on, with one budget of requests for all its accounts. */
export function tradingOpener(
  { exchange, market }: Pick<WorkerConfig, 'exchange' | 'market'>,
  now: () => number,
): (given: TradingConfig) => Promise<TradingExchange> {
  const redirect = market === null ? null : market[exchange];
  const missing = () => new ExchangeMisused(exchange, 'the market that this host is led to does not have it');
  switch (exchange) {
    case 'binance': {
      const budget = binanceBudget(now);
      return async (given) => {
        if (redirect === null) return openBinanceTrading({ ...given, redirect, budget });
        if (redirect?.wsApi === undefined) throw missing();
        return openBinanceTrading({ ...given, redirect: { rest: redirect.rest, wsApi: redirect.wsApi }, budget });
      };
    }
    case 'mexc': {
      const budget = mexcBudget(now);
      return async (given) => {
        if (redirect === undefined) throw missing();
        return openMexcTrading({ ...given, redirect, budget });
      };
    }
    case 'binanceusdm': {
      const budget = binanceUsdmBudget(now);
      return async (given) => {
        if (redirect === undefined) throw missing();
        return openBinanceUsdmTrading({ ...given, redirect, budget });
      };
    }
  }
}
