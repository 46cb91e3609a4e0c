import { expect, test } from 'vitest';
import { type CcxtClass, loadBinance, loadMexc } from '../src/ccxt/library.ts';
import { tradingOnly } from '../src/ccxt/tradingOnly.ts';

/** Of the endpoint methods that the library makes, those that are called here. */
type Endpoint = (params: object) => Promise<unknown>;

const VENUES: readonly [string, () => Promise<CcxtClass>, string, readonly string[]][] = [
  ['binance', loadBinance, 'https://api.binance.com', ['private', '']],
  ['mexc', loadMexc, 'https://api.mexc.com', ['spot private', 'spot']],
];

test.each(VENUES)(
  'a write to %s that is answered 5xx has an unknown outcome, whatever code the answer bears',
  async (name, load, origin, [api, prefix]) => {
    const asked: string[] = [];
    const Trading = tradingOnly(await load(), name, {
      endpoints: new Set([`${api} POST order`, `${api} GET order`]),
      origins: new Map([[origin, 'http://demo']]),
      async fetch(url, init) {
        asked.push(`${init.method} ${url.split('?')[0]}`);
        return new Response('{"code":-9999,"msg":"what a gateway says"}', { status: 502 });
      },
    });
    const client = new Trading({ apiKey: 'k', secret: 's' }) as unknown as Record<string, Endpoint>;
    const call = (method: string) =>
      (client[`${prefix}${prefix ? 'P' : 'p'}rivate${method}Order`] as Endpoint)({ symbol: 'X' });
    await expect(call('Post')).rejects.toMatchObject({ kind: 'unknown_outcome' });
    await expect(call('Get')).rejects.toMatchObject({ kind: 'unreachable' });
    expect(asked).toEqual(['POST http://demo/api/v3/order', 'GET http://demo/api/v3/order']);
  },
);
