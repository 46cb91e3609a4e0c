import { openBinance } from '@heron/exchanges/ccxt/binance.ts';
import { binanceBudget, openBinanceTrading } from '@heron/exchanges/ccxt/binanceTrading.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import type { Addresses } from './killableMarket.ts';

/** A protocol under attack. */
export interface Venue {
  readonly exchange: 'binance';
  readonly pairs: readonly string[];
  /** Path of a new order. */
  readonly orderPath: string;
  /** What the fault script calls an order, its cancel, a question, and the account's events and stream. */
  readonly subjects: {
    readonly order: string;
    readonly cancel: string;
    readonly question: string;
    readonly event: string;
    readonly stream: string;
    readonly quote: string;
  };
  /** The client id in a request for a new order. */
  clientOrderId(params: URLSearchParams): string;
  /** The account as its owner sees it beside the bots. */
  openOwner(addresses: Addresses): Promise<TradingExchange>;
}

/** Every protocol that bots trade live on. */
export const VENUES: readonly Venue[] = [
  {
    exchange: 'binance',
    pairs: ['BTC-USDT', 'ETH-USDT'],
    orderPath: '/api/v3/order',
    subjects: {
      order: 'POST /api/v3/order',
      cancel: 'DELETE /api/v3/order',
      question: 'GET /api/v3/*',
      event: 'EVENT user *',
      stream: 'CONNECT /ws-api*',
      quote: 'EVENT *@bookTicker',
    },
    clientOrderId: (params) => params.get('newClientOrderId') ?? '',
    async openOwner({ binance: { rest, ws, wsApi, key, secret } }) {
      const reading = await openBinance({ redirect: { rest, ws }, now: Date.now });
      const markets = await reading.markets();
      await reading.close();
      return openBinanceTrading({
        key: { key, secret },
        redirect: { rest, wsApi },
        budget: binanceBudget(Date.now),
        markets: async () => markets,
        now: Date.now,
      });
    },
  },
];
