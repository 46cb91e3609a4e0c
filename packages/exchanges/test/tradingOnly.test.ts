import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type CcxtClass, loadBinance, loadMexc } from '../src/ccxt/library.ts';
import { tradingOnly } from '../src/ccxt/tradingOnly.ts';
import { openGivenNet } from '../src/net/openNet.ts';
import type { VenueNet } from '../src/net/venueNet.ts';

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

/** A server on loopback that answers each request in the same way. */
async function serverThat(answer: { status: number; headers: Record<string, string>; body: string }) {
  const asked: { method: string; url: string; body: string; socket: unknown }[] = [];
  const server = createServer(async (incoming, out) => {
    let body = '';
    for await (const part of incoming) body += part;
    asked.push({ method: `${incoming.method}`, url: `${incoming.url}`, body, socket: incoming.socket });
    out.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function netTo(url: string): VenueNet {
  return openGivenNet('binance', { rest: url, ws: 'ws://127.0.0.1:1' }, { now: Date.now });
}

const ORDER = { method: 'POST', headers: { 'X-MBX-APIKEY': 'k' }, body: 'symbol=X' };

test('a request and its answer arrive whole, and requests share a connection', async () => {
  const { url, asked } = await serverThat({
    status: 400,
    headers: { 'x-mbx-used-weight-1m': '7' },
    body: '{"code":-1}',
  });
  const net = netTo(url);
  for (let i = 0; i < 2; i++) {
    await setImmediate();
    const answer = await net.send('signed', `${url}/api/v3/order?a=1`, ORDER);
    expect([answer.status, answer.headers.get('X-MBX-USED-WEIGHT-1M'), await answer.text()]).toEqual([
      400,
      '7',
      '{"code":-1}',
    ]);
  }
  expect(asked[0]).toMatchObject({ method: 'POST', url: '/api/v3/order?a=1', body: 'symbol=X' });
  expect(asked[1]?.socket).toBe(asked[0]?.socket);
});

test('a redirect takes no order elsewhere, and nobody knows what became of it', async () => {
  const other = await serverThat({ status: 200, headers: {}, body: '{}' });
  const venue = await serverThat({ status: 307, headers: { location: `${other.url}/api/v3/order` }, body: '' });
  const Trading = tradingOnly(await loadBinance(), 'binance', {
    endpoints: new Set(['private POST order']),
    origins: new Map([['https://api.binance.com', venue.url]]),
    fetch: (url, init) => netTo(venue.url).send('signed', url, init),
  });
  const client = new Trading({ apiKey: 'k', secret: 's' }) as unknown as Record<string, Endpoint>;
  await expect((client.privatePostOrder as Endpoint)({ symbol: 'X' })).rejects.toMatchObject({
    kind: 'unknown_outcome',
  });
  expect([venue.asked.length, other.asked.length]).toEqual([1, 0]);
});
