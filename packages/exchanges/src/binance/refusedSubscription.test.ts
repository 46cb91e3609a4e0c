import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { StreamEvent } from '../exchange.ts';
import { openGivenNet } from '../net/openNet.ts';
import { BINANCE_RECORDINGS } from '../testing/recordings/binance.ts';
import { openBinance } from './public.ts';

/** Starts a venue that refuses the first subscription. */
async function openRefusingVenue() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://venue');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(BINANCE_RECORDINGS.rest[`${request.method} ${pathname}`]?.body));
  });
  const sockets = new WebSocketServer({ server });
  let refuses = true;
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id } = JSON.parse(String(data)) as { id: number };
      const refusal = { error: { code: 2, msg: 'Invalid request' }, id };
      socket.send(JSON.stringify(refuses ? refusal : { result: null, id }));
      refuses = false;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}/ws` };
}

test('a stream is connected again once a refused subscription is accepted', async () => {
  const net = openGivenNet('binance', await openRefusingVenue(), { now: Date.now });
  const exchange = await openBinance({ net, now: Date.now });
  const events: StreamEvent['type'][] = [];
  const stream = exchange.stream(({ type }) => events.push(type));
  onTestFinished(async () => {
    await stream.close();
    await exchange.close();
    await net.close();
  });
  stream.watch([{ kind: 'trades', pair: 'BTC-USDT' }]);
  await vi.waitFor(() => expect(events).toEqual(['connected', 'lost']), { timeout: 10_000 });
  await vi.waitFor(() => expect(events).toEqual(['connected', 'lost', 'connected']), { timeout: 20_000 });
}, 40_000);
