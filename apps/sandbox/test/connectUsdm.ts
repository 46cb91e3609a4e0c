import type { binanceusdm } from 'ccxt';
import type { Clock } from '../src/clock.ts';
import type { Sandbox } from '../src/sandbox.ts';
import { redirectClient } from './redirectedClient.ts';

const base = new URL('./src/pro/', import.meta.resolve('ccxt'));
const { default: BinanceUsdm } = (await import(new URL('binanceusdm.js', base).href)) as {
  default: new (options: object) => binanceusdm;
};

/** Creates an unmodified ccxt client of USD-M futures that is redirected to a sandbox and uses its clock. */
export async function connectUsdm(
  { binanceusdm: address }: Pick<Sandbox, 'binanceusdm'>,
  clock: Pick<Clock, 'now'>,
  overrides: { apiKey?: string; secret?: string } = {},
): Promise<binanceusdm> {
  const client = new BinanceUsdm({
    apiKey: address.key,
    secret: address.secret,
    enableRateLimit: false,
    options: {
      fetchMargins: false,
      fetchCurrencies: false,
      fetchOpenOrders: { warnWithoutSymbol: false },
      warnOnFetchOpenOrdersWithoutSymbol: false,
    },
    urls: { api: { ws: { future: address.ws } } },
    ...overrides,
  });
  return redirectClient(client, { origins: ['https://fapi.binance.com'], rest: address.rest, clock });
}
