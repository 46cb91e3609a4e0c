import type { binance } from 'ccxt';
import type { Clock } from '../src/clock.ts';
import type { Sandbox } from '../src/sandbox.ts';
import { redirectClient } from './redirectedClient.ts';

const base = new URL('./src/pro/', import.meta.resolve('ccxt'));
const { default: Binance } = (await import(new URL('binance.js', base).href)) as {
  default: new (options: object) => binance;
};

/** Creates an unmodified ccxt client that is redirected to a sandbox and uses its clock. */
export async function connectCcxt(
  sandbox: Sandbox,
  clock: Clock,
  overrides: { apiKey?: string; secret?: string } = {},
): Promise<binance> {
  const { rest, ws, wsApi, key, secret } = sandbox.binance;
  const client = new Binance({
    apiKey: key,
    secret,
    enableRateLimit: false,
    options: {
      fetchMarkets: { types: ['spot'] },
      fetchMargins: false,
      fetchCurrencies: false,
      fetchOpenOrders: { warnWithoutSymbol: false },
    },
    urls: { api: { ws: { spot: ws, 'ws-api': { spot: wsApi } } } },
    ...overrides,
  });
  return redirectClient(client, { origins: ['https://api.binance.com'], rest: rest, clock });
}
