import type { mexc } from 'ccxt';
import type { Clock } from '../src/clock.ts';
import type { Sandbox } from '../src/sandbox.ts';
import { redirectClient } from './redirectedClient.ts';

const base = new URL('./src/pro/', import.meta.resolve('ccxt'));
const { default: Mexc } = (await import(new URL('mexc.js', base).href)) as {
  default: new (options: object) => mexc;
};

const ORIGINS = ['https://api.mexc.com', 'https://contract.mexc.com'];

/** Creates an unmodified ccxt client of MEXC that is redirected to a sandbox and uses its clock. */
export async function connectMexc(
  { mexc: address }: Pick<Sandbox, 'mexc'>,
  clock: Pick<Clock, 'now'>,
  overrides: { apiKey?: string; secret?: string } = {},
): Promise<mexc> {
  const client = new Mexc({
    apiKey: address.key,
    secret: address.secret,
    enableRateLimit: false,
    options: { watchOrderBook: { snapshotDelay: 1 } },
    urls: { api: { ws: { spot: address.ws } } },
    ...overrides,
  });
  return redirectClient(client, { origins: ORIGINS, rest: address.rest, clock });
}
