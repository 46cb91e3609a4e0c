import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { StreamEvent } from '../exchange.ts';
import { openGivenNet } from '../net/openNet.ts';
import { BINANCE_RECORDINGS } from '../testing/recordings/binance.ts';
import { bodyOf } from '../testing/recordings/recording.ts';
import { openBinance } from './public.ts';

const { rest, streams } = BINANCE_RECORDINGS;

/**
 * Starts a venue that announces its shutdown on the first connection and closes it before the second one is subscribed. Later
 * connections are refused, so that only the second one can deliver.
 */
async function openClosingVenue() {
  const connections: WebSocket[] = [];
  /** The client dials in place of the connection that was closed. */
  const lossNoticed = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://venue');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(rest[`${request.method} ${pathname}`]?.body));
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (connections.length >= 2) {
      socket.destroy();
      lossNoticed.resolve();
    } else sockets.handleUpgrade(request, socket, head, onConnection);
  });
  function onConnection(socket: WebSocket) {
    const number = connections.push(socket);
    socket.on('message', async (data) => {
      const { id } = JSON.parse(String(data)) as { id: number };
      if (number === 2) {
        connections[0]?.terminate();
        await lossNoticed.promise;
      }
      socket.send(JSON.stringify({ result: null, id }));
      socket.send(JSON.stringify(bodyOf(streams, number === 1 ? 'serverShutdown' : 'trade')));
    });
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    for (const socket of connections) socket.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}/ws` };
}

test('a server that closes before its successor subscribes is reported as lost', async () => {
  const net = openGivenNet('binance', await openClosingVenue(), { now: Date.now });
  const exchange = await openBinance({ net, now: Date.now });
  const events: StreamEvent['type'][] = [];
  const stream = exchange.stream(({ type }) => events.push(type));
  onTestFinished(async () => {
    await stream.close();
    await exchange.close();
    await net.close();
  });
  stream.watch([{ kind: 'trades', pair: 'BTC-USDT' }]);
  await vi.waitFor(() => expect(events).toContain('trade'), { timeout: 10_000 });
  expect(events.slice(0, 2)).toEqual(['connected', 'lost']);
  expect(events.slice(events.lastIndexOf('lost'))).toEqual(['lost', 'connected', 'trade']);
}, 15_000);
