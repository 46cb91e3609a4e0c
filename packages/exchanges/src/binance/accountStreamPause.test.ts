import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { marketOf } from '@heron/engine/market/market.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { venueBudget } from '../http/venueBudget.ts';
import { openGivenNet } from '../net/openNet.ts';
import type { Pause } from '../net/pause.ts';
import type { AccountEvent } from '../trading.ts';
import { openBinanceTrading } from './trading.ts';

const MARKET = marketOf({
  ...{ pair: 'BTC-USDT', tickSize: 0.01, stepSize: 0.001 },
  ...{ minQuantity: 0.001, maxQuantity: 100, minNotional: 5 },
});
/** The clock of the exchange is behind that of this machine. */
const BEHIND_MS = 3_600_000;
const banOf = (ms: number) => {
  const serverTime = Date.now() - BEHIND_MS;
  const retryAfter = serverTime + ms;
  return {
    status: 418,
    error: {
      code: -1003,
      msg: `Way too much request weight used; IP banned until ${retryAfter}. Please use WebSocket Streams.`,
      data: { serverTime, retryAfter },
    },
  };
};

const USED = [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6000, count: 6_001 }];

/** Opens an account stream at an exchange that gives the given responses. */
async function listen(answer: (method: string) => object) {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(`${request.method} ${request.url?.split('?')[0]}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ serverTime: Date.now() - BEHIND_MS }));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    requested.push('CONNECT');
    socket.on('ping', () => requested.push('ping frame'));
    socket.on('message', (data) => {
      const { id, method } = JSON.parse(String(data)) as { id: string; method: string };
      requested.push(method);
      socket.send(JSON.stringify({ id, ...answer(method) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const received: Pause[] = [];
  const net = openGivenNet(
    'binance',
    { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}/ws` },
    { now: Date.now, onPause: (pause) => received.push(pause) },
  );
  // Counts of a minute end with it: this one has just begun, and lasts as long as the test.
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  const budget = venueBudget('binance', () => minute);
  const trading = await openBinanceTrading({
    ...{ key: { key: 'k', secret: 's' }, net, budget, markets: async () => [MARKET], now: Date.now },
  });
  const events: AccountEvent[] = [];
  const stream = trading.stream((event) => events.push(event));
  onTestFinished(async () => {
    await stream.close();
    await trading.close();
    await net.close();
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { requested, noted: received, net, budget, trading, types: () => events.map(({ type }) => type) };
}

test('a subscription rejected by a ban starts a pause without requests and is repeated', async () => {
  let banned = true;
  const began = Date.now();
  const {
    requested,
    noted: received,
    net,
    trading,
    types,
  } = await listen(() => (banned ? banOf(1_500) : { status: 200, result: {} }));
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 10_000 });
  const [pause] = received;
  // By this machine's clock, whatever the time of the exchange.
  expect(pause?.until).toBeGreaterThanOrEqual(began + 1_500);
  expect(pause?.until).toBeLessThanOrEqual(Date.now() + 1_500);
  expect(net.pause()).toEqual({ until: pause?.until, banned: true });
  await expect(trading.balances()).rejects.toMatchObject({ kind: 'rate_limited', retryAt: pause?.until });
  banned = false;
  const before = [...requested];
  expect(before.filter((each) => each === 'CONNECT')).toHaveLength(1);
  let duringPause = before;
  await vi.waitFor(
    () => {
      if (net.pause() !== null) duringPause = [...requested];
      expect(types().at(-1)).toBe('connected');
    },
    { timeout: 15_000, interval: 10 },
  );
  expect(duringPause).toEqual(before);
  expect(received).toHaveLength(1);
});

test('a ping rejected by a ban starts a pause, in which the open connection stays idle', async () => {
  const {
    requested,
    noted: received,
    budget,
    types,
  } = await listen((method) =>
    method === 'ping' ? { ...banOf(60_000), rateLimits: USED } : { status: 200, result: {} },
  );
  await vi.waitFor(() => expect(received).toMatchObject([{ banned: true }]), { timeout: 10_000 });
  const before = requested.length;
  await vi.waitFor(() => expect(requested.slice(before)).toEqual(['ping frame', 'ping frame', 'ping frame']), {
    timeout: 20_000,
  });
  expect(types()).toEqual(['connected']);
  // It also contains the used weight of the address.
  await expect(budget.acquire(1, 'order')).rejects.toMatchObject({ kind: 'rate_limited' });
}, 30_000);
