import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { ExchangeRefused } from '../errors.ts';
import { openGivenNet } from '../net/openNet.ts';
import { openAccountConnection } from './accountConnection.ts';

test('the pauses after refusals of a key grow, however long its subscription waited', async () => {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  let connections = 0;
  sockets.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const addresses = { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}/ws` };
  const net = openGivenNet('binance', addresses, { now: Date.now });
  const pauses: number[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const stream = openAccountConnection(
    {
      ...{ exchange: 'binance', net, ping: {}, address: async () => addresses.ws, onMessage() {}, onClose() {} },
      onOpen(connection) {
        // The rate budget was busy.
        vi.advanceTimersByTime(20_000);
        connection.refuse(new ExchangeRefused('binance', 'Invalid API-key, IP, or permissions.', 'not_allowed'));
      },
      onStreamClosed: async () => {},
    },
    () => {},
  );
  onTestFinished(async () => {
    vi.useRealTimers();
    await stream.close();
    await net.close();
    await new Promise((resolve) => server.close(resolve));
  });
  for (let refusal = 1; refusal <= 4; refusal += 1) {
    await vi.waitFor(() => expect([connections, vi.getTimerCount()]).toEqual([refusal, 1]), { interval: 10 });
    const before = performance.now();
    await vi.advanceTimersToNextTimerAsync();
    pauses.push(performance.now() - before);
  }
  expect(Math.max(...pauses)).toBeGreaterThan(20_000);
});
