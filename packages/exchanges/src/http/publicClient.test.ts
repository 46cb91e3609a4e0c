import { expect, test } from 'vitest';
import { BINANCE_PUBLIC_ENDPOINTS } from '../binance/public.ts';
import { BINANCE_ENDPOINTS } from '../binance/trading.ts';
import { USDM_PUBLIC_ENDPOINTS } from '../binanceUsdm/public.ts';
import { BINANCEUSDM_ENDPOINTS } from '../binanceUsdm/trading.ts';
import { MEXC_PUBLIC_ENDPOINTS } from '../mexc/public.ts';
import { MEXC_ENDPOINTS } from '../mexc/trading.ts';
import type { RestRequest } from '../net/sendRequest.ts';
import type { VenueNet } from '../net/venueNet.ts';
import { openPacer } from './pacer.ts';
import { openPublicClient } from './publicClient.ts';
import type { Endpoints } from './signedClient.ts';

/** A client of all public paths of Binance, and what it sends. */
function open(answer: () => Promise<Response> = async () => new Response('{}')) {
  const sent: { scope: string; url: string; init: RestRequest }[] = [];
  const net = {
    hosts: { rest: ['https://venue.test'] },
    fault: () => null,
    async send(scope: string, url: string, init: RestRequest) {
      sent.push({ scope, url, init });
      return answer();
    },
  } as unknown as VenueNet;
  const client = openPublicClient({
    ...{ name: 'binance', net, endpoints: BINANCE_PUBLIC_ENDPOINTS, pacer: openPacer(0) },
    ...{ readError: () => 'other', now: () => 1_000 },
  });
  return { client, sent };
}

/** Paths that need a key, of one venue. */
const privatePaths = (endpoints: Endpoints) =>
  [...endpoints].filter(([, needed]) => needed !== 'none').map(([endpoint]) => endpoint.split(' ')[1] ?? '');

test.each([
  ['binance', BINANCE_PUBLIC_ENDPOINTS, BINANCE_ENDPOINTS],
  ['binanceusdm', USDM_PUBLIC_ENDPOINTS, BINANCEUSDM_ENDPOINTS],
  ['mexc', MEXC_PUBLIC_ENDPOINTS, MEXC_ENDPOINTS],
])('the public paths of %s contain no path that needs a key', (_, paths, endpoints) => {
  expect(privatePaths(endpoints).length).toBeGreaterThan(5);
  expect(privatePaths(endpoints).filter((path) => paths.has(path))).toEqual([]);
});

test.each([...privatePaths(BINANCE_ENDPOINTS), '/sapi/v1/capital/withdraw/apply', '/api/v3/time/../order'])(
  'a public client rejects %s and sends nothing',
  async (path) => {
    const { client, sent } = open();
    await expect(client.get(path, {}, 1)).rejects.toMatchObject({ kind: 'misused' });
    expect(sent).toEqual([]);
  },
);

test('a public client sends a GET request without a key or a signature', async () => {
  const { client, sent } = open();
  await client.get('/api/v3/klines', { symbol: 'BTCUSDT', limit: 5, endTime: undefined }, 1);
  expect(sent).toMatchObject([
    { scope: 'public', url: 'https://venue.test/api/v3/klines?symbol=BTCUSDT&limit=5', init: { method: 'GET' } },
  ]);
  expect(Object.keys(sent[0]?.init.headers ?? {})).toEqual(['User-Agent']);
});

test('a 5xx response names the fault of the host', async () => {
  const { client } = open(async () => new Response('bad gateway', { status: 502 }));
  await expect(client.get('/api/v3/time', {}, 1)).rejects.toMatchObject({
    kind: 'unreachable',
    fault: { kind: 'server_error', host: 'venue.test', status: 502 },
  });
});

test('a pacer sends the first request and delays the next by the weight of the first', async () => {
  const pacer = openPacer(10);
  const began = performance.now();
  await pacer.pass(5);
  expect(performance.now() - began).toBeLessThan(25);
  await pacer.pass(1);
  expect(performance.now() - began).toBeGreaterThanOrEqual(45);
});
