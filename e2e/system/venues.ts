import { openBinance } from '@heron/exchanges/binance/public.ts';
import { openBinanceTrading } from '@heron/exchanges/binance/trading.ts';
import { openBinanceUsdm } from '@heron/exchanges/binanceUsdm/public.ts';
import { openBinanceUsdmTrading } from '@heron/exchanges/binanceUsdm/trading.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import { venueBudget } from '@heron/exchanges/http/venueBudget.ts';
import { openMexc } from '@heron/exchanges/mexc/public.ts';
import { openMexcTrading } from '@heron/exchanges/mexc/trading.ts';
import { openGivenNet } from '@heron/exchanges/net/openNet.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import type { Sandbox } from '@heron/sandbox/sandbox.ts';

const CLOCK = { now: Date.now };

/** Addresses and keys of the sandbox exchanges. */
export type Addresses = Omit<Sandbox, 'close'>;

/** An exchange for live trading, and its adapters for the tests. */
export interface TradedVenue {
  readonly name: 'binance' | 'binanceusdm' | 'mexc';
  openReading(at: Addresses): Promise<PublicExchange>;
  /** @param given replaces the REST address or the account's key */
  openTrading(at: Addresses, reading: PublicExchange, given?: Partial<Given>): Promise<TradingExchange>;
}

interface Given {
  readonly rest: string;
  readonly key: string;
  readonly secret: string;
}

export const BINANCE: TradedVenue = {
  name: 'binance',
  openReading: ({ binance: { rest, ws } }) =>
    openBinance({ net: openGivenNet('binance', { rest, ws }, CLOCK), ...CLOCK }),
  openTrading({ binance }, reading, given = {}) {
    const { rest, ws, wsApi, key, secret } = { ...binance, ...given };
    return openBinanceTrading({
      ...{ key: { key, secret }, net: openGivenNet('binance', { rest, ws, wsApi }, CLOCK) },
      ...{ budget: venueBudget('binance', Date.now), markets: () => reading.markets(), now: Date.now },
    });
  },
};

export const BINANCEUSDM: TradedVenue = {
  name: 'binanceusdm',
  openReading: ({ binanceusdm: { rest, ws } }) =>
    openBinanceUsdm({ net: openGivenNet('binanceusdm', { rest, ws }, CLOCK), ...CLOCK }),
  openTrading({ binanceusdm }, reading, given = {}) {
    const { rest, ws, key, secret } = { ...binanceusdm, ...given };
    return openBinanceUsdmTrading({
      ...{ key: { key, secret }, net: openGivenNet('binanceusdm', { rest, ws }, CLOCK) },
      ...{ budget: venueBudget('binanceusdm', Date.now), markets: () => reading.markets(), now: Date.now },
    });
  },
};

export const MEXC: TradedVenue = {
  name: 'mexc',
  openReading: ({ mexc: { rest, ws } }) => openMexc({ net: openGivenNet('mexc', { rest, ws }, CLOCK), ...CLOCK }),
  openTrading({ mexc }, reading, given = {}) {
    const { rest, ws, key, secret } = { ...mexc, ...given };
    return openMexcTrading({
      ...{ key: { key, secret }, net: openGivenNet('mexc', { rest, ws }, CLOCK) },
      ...{ budget: venueBudget('mexc', Date.now), markets: () => reading.markets(), now: Date.now },
    });
  },
};
