import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import type { PublicExchange, StreamEvent } from '@heron/exchanges/exchange.ts';
import type { FeedEvent } from '@heron/exchanges/feed/feedTypes.ts';
import { openMarketFeed } from '@heron/exchanges/feed/marketFeed.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './botHost.ts';

const MINUTE = PERIODS['1m'];

/** An exchange whose public adapter is tested. */
export interface TestedVenue<E extends PublicExchange> {
  readonly name: 'binance' | 'binanceusdm' | 'mexc';
  open(at: { rest: string; ws: string }): Promise<E>;
  /** Exceeds the number of minutes in one response of the exchange. */
  readonly beyondPage: number;
  /** Is a period that the exchange does not support. */
  readonly noPeriod: Period;
}

/** Returns the current adapter and sandbox; a restart replaces them. */
export interface TestedAdapter<E extends PublicExchange> {
  exchange(): E;
  sandbox(): Sandbox;
}

/** Starts the sandbox for the tests of a file, and registers the tests common to all exchanges. */
export function testPublicAdapter<E extends PublicExchange>(venue: TestedVenue<E>): TestedAdapter<E> {
  let folder: string;
  let sandbox: Sandbox;
  let exchange: E;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'heron-adapter-'));
    sandbox = await startSandbox({ port: 0, seed: 11, dataDir: folder });
    exchange = await venue.open(sandbox[venue.name]);
  });

  afterAll(async () => {
    await exchange.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Stops the sandbox while `meanwhile` runs, and restarts it at its address. */
  async function duringOutage(meanwhile: () => Promise<unknown>): Promise<void> {
    const ports = portsOf(sandbox);
    await sandbox.close();
    await meanwhile();
    sandbox = await startSandbox({ ...ports, dataDir: folder });
  }

  test('history longer than a page is complete, in order and closed', async () => {
    const now = exchange.time();
    const from = Math.floor(now / MINUTE) * MINUTE - venue.beyondPage * MINUTE;
    const candles = await exchange.candles('ETH-USDT', '1m', from, now);
    expect(candles.length).toBeGreaterThanOrEqual(venue.beyondPage - 1);
    candles.forEach(({ time }, index) => {
      expect(time).toBe(from + index * MINUTE);
    });
    expect((candles.at(-1)?.time as number) + MINUTE + 1_000).toBeLessThanOrEqual(exchange.time());
    await expect(exchange.candles('ETH-USDT', venue.noPeriod, from, now)).rejects.toMatchObject({ kind: 'misused' });
    for (const period of exchange.periods) {
      expect((await exchange.candles('ETH-USDT', period, now - 3 * PERIODS[period], now)).length).toBeGreaterThan(1);
    }
  });

  test('streams send quotes, trades and candles, reconnect, and can be closed', async () => {
    const events: StreamEvent[] = [];
    const stream = exchange.stream((event) => events.push(event));
    const count = (wanted: StreamEvent['type']) => events.filter(({ type }) => type === wanted).length;
    const all = () => (['connected', 'quote', 'trade', 'candle'] as const).every((type) => count(type) > 0);
    const trades = [{ kind: 'trades', pair: 'BTC-USDT' }] as const;
    try {
      stream.watch([
        ...trades,
        { kind: 'quotes', pair: 'BTC-USDT' },
        { kind: 'candles', pair: 'BTC-USDT', period: '1m' },
      ]);
      await until(all, 'all streams');
      await duringOutage(() => until(() => count('lost') > 0, 'the loss'));
      events.length = 0;
      await until(all, 'all streams again');
      // An immediate unsubscribe and subscribe must leave the subscription active.
      stream.unwatch(trades);
      stream.watch(trades);
      events.length = 0;
      // Ten trades exceed the number that could still be in transit.
      await until(() => count('trade') >= 10, 'trades after they were left');
      stream.unwatch(trades);
      events.length = 0;
      await until(() => count('quote') >= 10, 'quotes');
      expect(count('trade')).toBeLessThan(5);
    } finally {
      await stream.close();
    }
  });

  test('a connection that hangs is detected within ten seconds', async () => {
    const { rest, ws } = sandbox[venue.name];
    const sockets: Socket[] = [];
    const between = createServer((near) => {
      const far = createConnection(Number(new URL(rest).port), '127.0.0.1');
      sockets.push(near, far);
      for (const socket of [near, far]) socket.on('error', () => {});
      near.pipe(far).pipe(near);
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    const { port } = between.address() as { port: number };
    const through = (address: string) => address.replace(/:\d+/, `:${port}`);
    const hanging = await venue.open({ rest: through(rest), ws: through(ws) });
    const events: StreamEvent[] = [];
    const stream = hanging.stream((event) => events.push(event));
    const has = (wanted: StreamEvent['type']) => events.some(({ type }) => type === wanted);
    try {
      stream.watch([{ kind: 'quotes', pair: 'BTC-USDT' }]);
      await until(() => has('quote'), 'a quote');
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
      const began = performance.now();
      await until(() => has('lost'), 'the loss');
      expect(performance.now() - began).toBeLessThan(10_500);
      events.length = 0;
      await until(() => has('quote'), 'a quote on a new connection');
    } finally {
      await stream.close();
      await hanging.close();
      for (const socket of sockets) socket.destroy();
      between.close();
    }
  });

  const reading = { exchange: () => exchange, sandbox: () => sandbox };
  // The last test waits for the end of a minute, so the quick run skips it.
  if (process.env.HERON_QUICK === '1') return reading;

  test('a feed has no gap of candles after a lost connection', async () => {
    const feed = openMarketFeed(await venue.open(sandbox[venue.name]), Date.now);
    const events: FeedEvent[] = [];
    try {
      const { history } = await feed.subscribe('SOL-USDT', '1m', 50, (event) => events.push(event));
      expect(history).toHaveLength(50);
      await until(() => events.some(({ type }) => type === 'quote'), 'a quote');
      await duringOutage(async () => {
        await until(() => feed.problem() !== null, 'the problem');
        // At least one candle closes while the connection is down.
        const boundary = Math.floor(Date.now() / MINUTE) * MINUTE + MINUTE + 500;
        await until(() => Date.now() > boundary, 'the end of a minute', 70_000);
      });
      const candles = () => events.flatMap((event) => (event.type === 'candle' ? [event.candle] : []));
      // Waits for at least one missed candle and one candle from the stream.
      await until(() => candles().length > 1 && feed.problem() === null, 'the candles', 90_000);
      const closed = candles();
      const first = (history.at(-1)?.time as number) + MINUTE;
      expect(closed.map(({ time }) => time)).toEqual(closed.map((_, index) => first + index * MINUTE));
      const finalAt = (closed.at(-1)?.time as number) + MINUTE + 1_100;
      await until(() => exchange.time() > finalAt, 'the second after it');
      expect(await exchange.candles('SOL-USDT', '1m', first, exchange.time())).toEqual(closed);
    } finally {
      await feed.close();
    }
  });

  return reading;
}

function portsOf({ binance, binanceusdm, mexc }: Sandbox) {
  const [port, usdmPort, mexcPort] = [binance, binanceusdm, mexc].map(({ rest }) => Number(new URL(rest).port));
  return { port, usdmPort, mexcPort } as { port: number; usdmPort: number; mexcPort: number };
}
