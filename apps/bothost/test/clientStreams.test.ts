import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { StreamMessage } from '@heron/contract/bots/stream.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type ClientStreams, createClientStreams } from '../src/streams/clientStreams.ts';
import { until } from './testFleet.ts';

const QUOTE: StreamMessage = {
  type: 'quote',
  id: 'abc123',
  pair: 'BTC-USDT',
  at: 1,
  bid: '1',
  ask: '2',
  last: '1',
};

let server: WebSocketServer;
let streams: ClientStreams;
let audience: { owners: readonly string[]; bots: readonly string[] };
const clients: WebSocket[] = [];
/** Owner and bot of each read of details. */
let reads: string[];
/** Details of alice's bots are read once this resolves. */
let readable: Promise<void>;
/** Summaries of all bots are read once this resolves. */
let summarized: Promise<void>;
/** Number of unseen notifications of every owner. */
let unseen: number;

beforeEach(async () => {
  audience = { owners: [], bots: [] };
  reads = [];
  readable = Promise.resolve();
  summarized = Promise.resolve();
  unseen = 0;
  streams = createClientStreams({
    async summaries(owner) {
      const state = { type: 'removed', id: owner === 'alice' ? 'aaaaaa' : 'bbbbbb' } as const;
      await summarized;
      return [state];
    },
    unseen: async () => ({ type: 'unseen', count: unseen }),
    // The detail is a quote here, because the streams send messages without reading them.
    async detail(owner, bot) {
      reads.push(`${owner} ${bot}`);
      if (owner === 'alice') await readable;
      return owner === 'alice' && bot === 'abc123' ? { ...QUOTE, at: 0 } : null;
    },
    audience: (owners, bots) => {
      audience = { owners, bots };
    },
  });
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket, request) => streams.attach(socket, String(request.url).slice(1)));
  await once(server, 'listening');
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  streams.close();
  await new Promise((resolve) => server.close(resolve));
});

interface Listener {
  readonly socket: WebSocket;
  /** All messages except the counts of unseen notifications. */
  readonly received: StreamMessage[];
  readonly counts: number[];
}

async function open(owner: string): Promise<Listener> {
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/${owner}`);
  clients.push(socket);
  const events: StreamMessage[] = [];
  const counts: number[] = [];
  socket.on('message', (data) => {
    const message: StreamMessage = JSON.parse(String(data));
    if (message.type === 'unseen') counts.push(message.count);
    else events.push(message);
  });
  await once(socket, 'open');
  return { socket, received: events, counts };
}

async function connect(owner: string): Promise<Listener> {
  const listener = await open(owner);
  await until(() => listener.received.length > 0, 'the first message');
  return listener;
}

const watch = (socket: WebSocket, id: string | null) => socket.send(JSON.stringify({ type: 'watch', id }));
const push = (owner: string, watchers: boolean) => streams.push({ owner, bot: 'abc123', watchers, message: QUOTE });

test('each owner receives only own bots, and details only of the watched bot', async () => {
  const alice = await connect('alice');
  const bob = await connect('bob');
  expect(alice.received).toEqual([{ type: 'removed', id: 'aaaaaa' }]);
  expect(bob.received).toEqual([{ type: 'removed', id: 'bbbbbb' }]);
  push('alice', true);
  watch(alice.socket, 'abc123');
  await until(() => alice.received.length === 2, 'the detail');
  expect(audience).toEqual({ owners: ['alice', 'bob'], bots: ['abc123'] });
  push('alice', true);
  push('alice', false);
  await until(() => alice.received.length === 4, 'both pushes');
  watch(alice.socket, null);
  await until(() => audience.bots.length === 0, 'nobody watches');
  push('alice', true);
  push('alice', false);
  await until(() => alice.received.length === 5, 'the summary');
  expect(bob.received).toHaveLength(1);
});

test('a bot of another owner cannot be watched', async () => {
  const bob = await connect('bob');
  watch(bob.socket, 'abc123');
  await until(() => bob.received.length === 2, 'an answer');
  expect(bob.received[1]).toEqual({ type: 'removed', id: 'abc123' });
  push('alice', true);
  expect(audience.bots).toEqual([]);
});

test.each(['', 'no json', '{"type":"watch"}', '{"type":"watch","id":"../../x"}', '[]'])(
  'malformed input %j closes the stream',
  async (text) => {
    const { socket } = await connect('alice');
    const closed = once(socket, 'close');
    socket.send(text);
    expect((await closed)[0]).toBe(1008);
  },
);

test('a client that does not read has a bounded buffer and then gets the whole state', async () => {
  const { socket, received: events } = await connect('alice');
  watch(socket, 'abc123');
  await until(() => events.length === 2, 'the detail');
  socket.pause();
  const big: StreamMessage = { ...QUOTE, pair: `A-${'B'.repeat(12)}`, last: '1'.repeat(20_000) };
  for (let n = 0; n < 5_000; n++) streams.push({ owner: 'alice', bot: 'abc123', watchers: true, message: big });
  const [connection] = server.clients;
  // The limit is 256 KiB and the message that exceeds it. Buffers of the kernel do not count.
  expect(connection?.bufferedAmount).toBeLessThan(300 * 1024);
  events.length = 0;
  socket.resume();
  await until(() => events.some((message) => message.type === 'quote' && message.at === 0), 'the whole state');
  expect(events.length).toBeLessThan(5_000);
});

test('after pushes may have been missed every client gets the whole state', async () => {
  const { socket, received: events } = await connect('alice');
  watch(socket, 'abc123');
  await until(() => events.length === 2, 'the detail');
  streams.renew();
  await until(() => events.length === 4, 'summary and detail');
});

test('in a flood of requests only the newest is answered, and few others are read', async () => {
  const { socket, received: events } = await connect('alice');
  const { promise, resolve } = Promise.withResolvers<void>();
  readable = promise;
  for (let n = 0; n < 20_000; n++) watch(socket, String(100_000 + n));
  watch(socket, 'abc123');
  // A pong shows that all earlier messages were received.
  socket.ping();
  await once(socket, 'pong');
  resolve();
  await until(() => audience.bots.length === 1, 'the newest');
  await until(() => events.length === 2, 'its detail');
  expect(events[1]).toEqual({ ...QUOTE, at: 0 });
  expect(reads.length).toBeLessThanOrEqual(2);
  expect(reads.at(-1)).toBe('alice abc123');
});

test('reads for one client of an owner run at a time, and other owners do not wait', async () => {
  const own = await Promise.all(Array.from({ length: 10 }, () => connect('alice')));
  const bob = await connect('bob');
  const { promise, resolve } = Promise.withResolvers<void>();
  readable = promise;
  for (const { socket } of own) watch(socket, 'abc123');
  await until(() => reads.length > 0, 'the first read');
  watch(bob.socket, 'abc123');
  await until(() => bob.received.length === 2, 'the answer for bob');
  expect(reads).toEqual(['alice abc123', 'bob abc123']);
  resolve();
  await until(() => own.every(({ received: events }) => events.length === 2), 'the answers for alice');
});

test('a request that is withdrawn while its state is read gets no response', async () => {
  const { socket, received: events } = await connect('alice');
  const { promise, resolve } = Promise.withResolvers<void>();
  readable = promise;
  watch(socket, 'abc123');
  await until(() => reads.length === 1, 'the read');
  watch(socket, null);
  socket.ping();
  await once(socket, 'pong');
  resolve();
  watch(socket, 'zzzzzz');
  await until(() => events.length === 2, 'the next answer');
  expect(events[1]).toEqual({ type: 'removed', id: 'zzzzzz' });
  expect(audience.bots).toEqual([]);
});

test('pushes during a read of the state are sent after that state, which is older', async () => {
  const { promise: summariesRead, resolve: endSummaries } = Promise.withResolvers<void>();
  summarized = summariesRead;
  const { socket, received: events } = await open('alice');
  await until(() => audience.owners.includes('alice'), 'the stream');
  push('alice', false);
  endSummaries();
  await until(() => events.length === 2, 'state and push');
  expect(events).toEqual([{ type: 'removed', id: 'aaaaaa' }, QUOTE]);

  const { promise: detailRead, resolve: endDetail } = Promise.withResolvers<void>();
  readable = detailRead;
  watch(socket, 'abc123');
  await until(() => audience.bots.includes('abc123'), 'the read');
  push('alice', true);
  endDetail();
  await until(() => events.length === 4, 'detail and push');
  expect(events.slice(2)).toEqual([{ ...QUOTE, at: 0 }, QUOTE]);
});

test('a client with more than 1,000 messages pending a read gets the whole state again', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  summarized = promise;
  const { received: events } = await open('alice');
  await until(() => audience.owners.includes('alice'), 'the stream');
  for (let n = 0; n < 5_000; n++) push('alice', false);
  resolve();
  await until(() => events.length > 0, 'the whole state');
  expect(events).toEqual([{ type: 'removed', id: 'aaaaaa' }]);
});

test('the number of unseen notifications stays current while a new window loads bots', async () => {
  unseen = 4;
  const { promise, resolve } = Promise.withResolvers<void>();
  summarized = promise;
  const { counts } = await open('alice');
  await until(() => audience.owners.includes('alice'), 'the stream');
  unseen = 0;
  streams.countUnseen('alice');
  resolve();
  await until(() => counts.at(-1) === 0, 'the newest count');
  const notice = { type: 'notice' } as StreamMessage;
  unseen = 1;
  streams.push({ owner: 'alice', bot: 'abc123', watchers: false, message: notice });
  await until(() => counts.at(-1) === 1, 'the count after a notice');
});
