import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { openGivenNet } from '../net/openNet.ts';
import type { AccountEvent } from '../trading.ts';
import { openMexcAccountStream } from './accountStream.ts';

const MINUTES_MS = 60_000;

afterEach(() => vi.useRealTimers());

/** Opens an account stream at an exchange that refuses connections with certain listen keys. */
async function listen(refused = new Set<string>(), refusal = '401 Unauthorized') {
  const keys = { made: [] as string[], renewed: [] as string[], deleted: [] as string[] };
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const key = new URL(request.url ?? '', 'ws://venue').searchParams.get('listenKey') ?? '';
    if (refused.delete(key)) socket.end(`HTTP/1.1 ${refusal}\r\ncontent-length: 0\r\n\r\n`);
    else sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client));
  });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { method, params } = JSON.parse(String(data));
      if (method === 'SUBSCRIPTION') socket.send(JSON.stringify({ code: 0, msg: params.join(',') }));
      else socket.send(JSON.stringify({ msg: 'PONG' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const net = openGivenNet(
    'mexc',
    { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}/ws` },
    { now: Date.now },
  );
  let connected = 0;
  const stream = openMexcAccountStream(
    {
      ...{ net, marketById: () => undefined, isCancelRequested: () => false, fillsSince: async () => [] },
      listenKeys: async () => [],
      async newListenKey() {
        keys.made.push(`key ${keys.made.length + 1}`);
        return keys.made.at(-1) as string;
      },
      renew: async (key) => void keys.renewed.push(key),
      deleteKey: async (key) => void keys.deleted.push(key),
      async loadMarkets() {},
    },
    ({ type }: AccountEvent) => {
      if (type === 'connected') connected += 1;
    },
  );
  onTestFinished(async () => {
    await stream.close();
    await net.close();
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    keys,
    isConnected: (times: number) => vi.waitFor(() => expect(connected).toBe(times), { timeout: 20_000, interval: 20 }),
    drop: () => {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

test('a listen key is renewed every twenty minutes, however often its connection drops', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { keys, isConnected, drop } = await listen();
  await isConnected(1);
  for (let drops = 1; drops <= 6; drops += 1) {
    await vi.advanceTimersByTimeAsync(15 * MINUTES_MS);
    drop();
    await isConnected(drops + 1);
  }
  expect(keys.made).toEqual(['key 1']);
  expect(keys.renewed.length).toBeGreaterThanOrEqual(4);
});

test('a listen key with which the exchange refuses a connection is replaced', async () => {
  const { keys, isConnected } = await listen(new Set(['key 1', 'key 2']));
  await isConnected(1);
  expect(keys).toMatchObject({ made: ['key 1', 'key 2', 'key 3'], deleted: ['key 1', 'key 2'] });
});

test.each(['451 Unavailable For Legal Reasons', '407 Proxy Authentication Required', '503 Service Unavailable'])(
  'a connection that fails with %s keeps its listen key',
  async (refusal) => {
    const { keys, isConnected } = await listen(new Set(['key 1']), refusal);
    await isConnected(1);
    expect(keys).toMatchObject({ made: ['key 1'], deleted: [] });
  },
);
