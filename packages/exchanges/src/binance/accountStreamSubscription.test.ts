import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { RateBudget } from '../http/rateBudget.ts';
import { openGivenNet } from '../net/openNet.ts';
import type { AccountEvent } from '../trading.ts';
import { openBinanceTrading } from './trading.ts';

const SUBSCRIBED = { status: 200, result: {} };
const refusal = (code: number, msg: string) => ({ status: 400, error: { code, msg } });

/**
 * Opens an account stream at an exchange that answers each subscription. Its clock and ours are `now`, and are measured before.
 *
 * @param acquire the rate budget of subscriptions
 */
async function subscribe(answer: () => object, acquire: () => Promise<void> = async () => {}) {
  const clock = { ahead: 0, measured: 0 };
  const now = () => Date.now() + clock.ahead;
  const subscriptions: { timestamp: number }[] = [];
  let connections = 0;
  let isMeasured = false;
  const server = createServer((request, response) => {
    if (request.url === '/api/v3/time') clock.measured += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ serverTime: now() }));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    connections += 1;
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data));
      if (method !== 'userDataStream.subscribe.signature') return;
      subscriptions.push(params);
      socket.send(JSON.stringify({ id, ...answer() }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const net = openGivenNet(
    'binance',
    { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}/ws` },
    { now: Date.now },
  );
  const trading = await openBinanceTrading({
    ...{ key: { key: 'k', secret: 's' }, net, markets: async () => [], now },
    budget: {
      acquire: async () => (isMeasured ? acquire() : undefined),
      onResponse() {},
      onUsedWeight() {},
    } as unknown as RateBudget,
  });
  await trading.account();
  isMeasured = true;
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
  const connected = () =>
    vi.waitFor(() => expect(events.at(-1)?.type).toBe('connected'), { timeout: 20_000, interval: 10 });
  return { clock, now, subscriptions, connections: () => connections, events, stream, connected };
}

test('a subscription bears the time at which the rate budget allows it', async () => {
  const requested = Promise.withResolvers<void>();
  const allowed = Promise.withResolvers<void>();
  const { clock, now, subscriptions, connected } = await subscribe(
    () => SUBSCRIBED,
    async () => {
      requested.resolve();
      await allowed.promise;
    },
  );
  await requested.promise;
  await nextTurn();
  clock.ahead = 50_000;
  const before = now();
  allowed.resolve();
  await connected();
  expect(subscriptions[0]?.timestamp).toBeGreaterThanOrEqual(before - 1);
});

test('after a subscription with a wrong time the clock is measured again', async () => {
  const answers = [refusal(-1021, 'Timestamp for this request is outside of the recvWindow.')];
  const { clock, subscriptions, connected } = await subscribe(() => answers.shift() ?? SUBSCRIBED);
  await connected();
  expect([subscriptions.length, clock.measured]).toEqual([2, 2]);
});

test('a refused key is retried after a long pause, or at once when it works again', async () => {
  const answers = [refusal(-2015, 'Invalid API-key, IP, or permissions for action.')];
  const { connections, events, stream, connected } = await subscribe(() => answers.shift() ?? SUBSCRIBED);
  await vi.waitFor(() => expect(events).toHaveLength(1), { timeout: 20_000, interval: 10 });
  expect(events).toMatchObject([{ type: 'lost', error: { kind: 'refused', about: 'not_allowed' } }]);
  expect(connections()).toBe(1);
  const began = performance.now();
  stream.retry();
  await connected();
  // The pause after a first refusal takes at least 2.5 s.
  expect(performance.now() - began).toBeLessThan(2_500);
  expect(connections()).toBe(2);
});
