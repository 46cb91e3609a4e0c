import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readBinanceError } from '../binance/errorCodes.ts';
import { signBinanceRequest } from '../binance/signRequest.ts';
import { BINANCE_ENDPOINTS } from '../binance/trading.ts';
import { BINANCEUSDM_ENDPOINTS } from '../binanceUsdm/trading.ts';
import { readMexcError } from '../mexc/errorCodes.ts';
import { signMexcRequest } from '../mexc/signRequest.ts';
import { MEXC_ENDPOINTS } from '../mexc/trading.ts';
import { openGivenNet } from '../net/openNet.ts';
import type { RestRequest } from '../net/sendRequest.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { RateBudget } from './rateBudget.ts';
import { openSignedClient } from './signedClient.ts';

const BINANCE = {
  name: 'binance',
  endpoints: BINANCE_ENDPOINTS,
  sign: signBinanceRequest,
  readError: readBinanceError,
};
const MEXC = { name: 'mexc', endpoints: MEXC_ENDPOINTS, sign: signMexcRequest, readError: readMexcError };

function clientOf(venue: typeof BINANCE, net: VenueNet) {
  const key = { key: 'k', secret: 's' };
  const budget = { onResponse() {} } as unknown as RateBudget;
  return openSignedClient({ ...venue, net, key, budget, now: () => 1_000 });
}

/** Network access that records the requests and gives all of them one response. */
function netWith(answer: () => Promise<Response>) {
  const sent: { url: string; init: RestRequest }[] = [];
  const hosts = { rest: ['http://demo'], permissions: ['http://keys'] };
  const net = {
    hosts,
    fault: () => null,
    async send(_scope: string, url: string, init: RestRequest) {
      sent.push({ url, init });
      return answer();
    },
  } as unknown as VenueNet;
  return { net, sent };
}

test.each([BINANCE, MEXC])(
  'a write to $name with a 5xx response has an unknown outcome, whatever its code',
  async (venue) => {
    const answer = async () => new Response('{"code":-9999,"msg":"text of a gateway"}', { status: 502 });
    const { net, sent } = netWith(answer);
    const client = clientOf(venue, net);
    await expect(client.row('POST /api/v3/order', {})).rejects.toMatchObject({ kind: 'unknown_outcome' });
    await expect(client.row('GET /api/v3/order', {})).rejects.toMatchObject({ kind: 'unreachable' });
    expect(sent.map(({ url, init }) => `${init.method} ${url.split('?')[0]}`)).toEqual([
      'POST http://demo/api/v3/order',
      'GET http://demo/api/v3/order',
    ]);
  },
);

test.each([BINANCE, MEXC])('a broken connection of $name leaves the outcome of a write unknown', async (venue) => {
  const { net } = netWith(() => Promise.reject(new Error('socket hang up')));
  const client = clientOf(venue, net);
  await expect(client.row('POST /api/v3/order', {})).rejects.toMatchObject({ kind: 'unknown_outcome' });
  await expect(client.row('GET /api/v3/order', {})).rejects.toMatchObject({ kind: 'unreachable' });
});

test('no endpoint in the lists withdraws, lends, transfers or creates keys', () => {
  const endpoints = [BINANCE_ENDPOINTS, BINANCEUSDM_ENDPOINTS, MEXC_ENDPOINTS].flatMap((list) => [...list.keys()]);
  expect(endpoints.length).toBeGreaterThan(40);
  const movesFunds = /withdraw|capital|transfer|loan|repay|margin\/|sub-?account|earn|staking|convert|dust|apikey/i;
  expect(endpoints.filter((endpoint) => movesFunds.test(endpoint))).toEqual([]);
});

test.each(['POST /sapi/v1/capital/withdraw/apply', 'POST /sapi/v1/asset/transfer', 'GET /api/v3/account/commission'])(
  '%s is rejected before anything is signed or sent',
  async (endpoint) => {
    const { net, sent } = netWith(async () => new Response('{}'));
    await expect(clientOf(BINANCE, net).row(endpoint, {})).rejects.toMatchObject({ kind: 'misused' });
    expect(sent).toEqual([]);
  },
);

test('the permissions of a key are read from the hosts for keys', async () => {
  const { net, sent } = netWith(async () => new Response('{}'));
  await clientOf(BINANCE, net).row('GET /sapi/v1/account/apiRestrictions', {});
  expect(sent.map(({ url }) => url.split('?')[0])).toEqual(['http://keys/sapi/v1/account/apiRestrictions']);
});

/** Starts a server on loopback that gives every request the same response. */
async function serverThat(answer: { status: number; headers: Record<string, string>; body: string }) {
  const requests: { method: string; url: string; body: string; socket: unknown }[] = [];
  const server = createServer(async (incoming, out) => {
    let body = '';
    for await (const part of incoming) body += part;
    requests.push({ method: `${incoming.method}`, url: `${incoming.url}`, body, socket: incoming.socket });
    out.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function netTo(url: string): VenueNet {
  return openGivenNet('binance', { rest: url, ws: 'ws://127.0.0.1:1' }, { now: Date.now });
}

const ORDER = { method: 'POST', headers: { 'X-MBX-APIKEY': 'k' }, body: 'symbol=X' };

test('a request and its response arrive complete, and requests share a connection', async () => {
  const { url, requests } = await serverThat({
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
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/api/v3/order?a=1', body: 'symbol=X' });
  expect(requests[1]?.socket).toBe(requests[0]?.socket);
});

test('a redirect sends no order to another host, and its outcome is unknown', async () => {
  const other = await serverThat({ status: 200, headers: {}, body: '{}' });
  const venue = await serverThat({ status: 307, headers: { location: `${other.url}/api/v3/order` }, body: '' });
  const client = clientOf(BINANCE, netTo(venue.url));
  await expect(client.row('POST /api/v3/order', { symbol: 'X' })).rejects.toMatchObject({ kind: 'unknown_outcome' });
  expect([venue.requests.length, other.requests.length]).toEqual([1, 0]);
});
