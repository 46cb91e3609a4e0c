import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { ExchangeRefused } from '../errors.ts';
import type { Channel, StreamEvent } from '../exchange.ts';
import { openGivenNet } from '../net/openNet.ts';
import { openMexcStream } from './marketStream.ts';

/** More channels than one connection accepts: the last one has a connection of its own. */
const CHANNELS = Array.from({ length: 31 }, (_, n): Channel => ({ kind: 'trades', pair: `P${n}-USDT` }));
const LAST = CHANNELS.slice(-1);

/** Starts a venue that can refuse or delay the next connection, refuse a subscription, and drop the connection of a pair. */
async function openVenue() {
  const byPair = new Map<string, WebSocket>();
  let refusesNext = false;
  const refused = new Set<string>();
  const delayed = Promise.withResolvers<Duplex>();
  let upgrades: 'accept' | 'delay_next' | 'refuse' = 'accept';
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (upgrades === 'refuse') {
      socket.destroy();
      return;
    }
    if (upgrades === 'delay_next') {
      upgrades = 'accept';
      delayed.resolve(socket);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (connection) => {
      connection.on('message', (data) => {
        const { method, params = [] } = JSON.parse(String(data)) as { method: string; params?: string[] };
        if (method === 'PING') connection.send(JSON.stringify({ id: 0, code: 0, msg: 'PONG' }));
        for (const name of params) {
          byPair.set(name.replace(/.*@/, ''), connection);
          const isRefused = refusesNext || refused.has(name.replace(/.*@/, ''));
          const msg = isRefused ? `Not Subscribed successfully! [${name}]. Reason: Blocked! ` : name;
          refusesNext = false;
          connection.send(JSON.stringify({ id: 0, code: 0, msg }));
        }
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    byPair,
    refuse: (symbol: string) => refused.add(symbol),
    refuseNext() {
      refusesNext = true;
    },
    addresses: { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}/ws` },
    /** Does not answer the next request for a connection. @returns resolves when it was received */
    async delayNext() {
      upgrades = 'delay_next';
      const socket = await delayed.promise;
      onTestFinished(() => void socket.destroy());
    },
    /** Ends the connection of a pair, and accepts no other one. */
    drop(pair: string) {
      upgrades = 'refuse';
      byPair.get(pair)?.terminate();
    },
  };
}

/** Opens the streams of MEXC at a venue. */
function openStream(addresses: { rest: string; ws: string }) {
  const net = openGivenNet('mexc', addresses, { now: Date.now });
  const events: StreamEvent['type'][] = [];
  const stream = openMexcStream(
    {
      ...{ exchange: 'mexc', net, address: addresses.ws, marketById: () => undefined, loadMarkets: async () => {} },
      idOf: (pair) => pair.replace('-', ''),
      refused: (why) => new ExchangeRefused('mexc', why),
    },
    ({ type }) => events.push(type),
  );
  onTestFinished(async () => {
    await stream.close();
    await net.close();
  });
  return { stream, events };
}

test('a stream is connected again once a refused subscription is accepted', async () => {
  const { addresses, refuseNext } = await openVenue();
  const { stream, events } = openStream(addresses);
  refuseNext();
  stream.watch(CHANNELS.slice(0, 2));
  await vi.waitFor(() => expect(events).toEqual(['connected', 'lost']), { timeout: 10_000 });
  await vi.waitFor(() => expect(events).toEqual(['connected', 'lost', 'connected']), { timeout: 20_000 });
}, 40_000);

test('a stream is connected again when the channels of its lost connection are released', async () => {
  const { byPair, addresses, drop } = await openVenue();
  const { stream, events } = openStream(addresses);
  stream.watch(CHANNELS);
  await vi.waitFor(() => expect(byPair.size).toBe(CHANNELS.length), { timeout: 10_000 });
  expect(events.at(-1)).toBe('connected');
  drop('P30USDT');
  await vi.waitFor(() => expect(events.at(-1)).toBe('lost'), { timeout: 10_000 });
  stream.unwatch(CHANNELS.slice(0, 1));
  expect(events.at(-1)).toBe('lost');
  stream.unwatch(LAST);
  expect(events.at(-1)).toBe('connected');
});

test('a stream is connected again when the channels of a connection that is not open yet are released', async () => {
  const { byPair, addresses, delayNext } = await openVenue();
  const { stream, events } = openStream(addresses);
  stream.watch(CHANNELS.slice(0, 30));
  await vi.waitFor(() => expect(byPair.size).toBe(30), { timeout: 10_000 });
  const requested = delayNext();
  stream.watch(LAST);
  await requested;
  const before = byPair.get('P0USDT');
  before?.terminate();
  await vi.waitFor(() => expect(byPair.get('P0USDT')).not.toBe(before), { timeout: 10_000 });
  expect(events.at(-1)).toBe('lost');
  stream.unwatch(LAST);
  expect(events.at(-1)).toBe('connected');
});

test('a stream is connected once the channels of a connection that is not open yet are released', async () => {
  const { byPair, addresses, delayNext } = await openVenue();
  const { stream, events } = openStream(addresses);
  const requested = delayNext();
  stream.watch(CHANNELS.slice(0, 30));
  await requested;
  stream.watch(LAST);
  await vi.waitFor(() => expect(byPair.has('P30USDT')).toBe(true), { timeout: 10_000 });
  expect(events).toEqual([]);
  stream.unwatch(CHANNELS.slice(0, 30));
  expect(events).toEqual(['connected']);
});

test('a stream is not connected while a subscription is refused, although another connection opens', async () => {
  const { addresses, refuse, byPair } = await openVenue();
  const { stream, events } = openStream(addresses);
  refuse('P0USDT');
  stream.watch(CHANNELS.slice(0, 30));
  await vi.waitFor(() => expect(events.at(-1)).toBe('lost'), { timeout: 10_000 });
  stream.watch(LAST);
  await vi.waitFor(() => expect(byPair.has('P30USDT')).toBe(true), { timeout: 10_000 });
  expect(events.at(-1)).toBe('lost');
  // The others are subscribed.
  stream.unwatch(CHANNELS.slice(0, 1));
  expect(events.at(-1)).toBe('connected');
});
