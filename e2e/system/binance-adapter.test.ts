import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PERIODS } from '@heron/engine/market/period.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { openBinance } from '@heron/exchanges/ccxt/binance.ts';
import type { PublicExchange, StreamEvent } from '@heron/exchanges/exchange.ts';
import { type FeedEvent, openMarketFeed } from '@heron/exchanges/feed/marketFeed.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './botHost.ts';

const MINUTE = PERIODS['1m'];
let folder: string;
let sandbox: Sandbox;
let exchange: PublicExchange;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-adapter-'));
  sandbox = await startSandbox({ port: 0, seed: 11, dataDir: folder });
  exchange = await openBinance({ redirect: sandbox.binance, now: Date.now });
});

afterAll(async () => {
  await exchange.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

test('pairs, grids and tickers arrive in exact units', async () => {
  const markets = await exchange.markets();
  const btc = markets.find(({ pair }) => pair === 'BTC-USDT');
  expect(btc).toMatchObject({
    base: 'BTC',
    quote: 'USDT',
    tick: toUnits(0.01),
    step: toUnits(0.00001, btc?.assetDecimals),
  });
  expect(markets.length).toBeGreaterThanOrEqual(10);
  const tickers = await exchange.tickers(['BTC-USDT', 'ETH-USDT']);
  expect(tickers.map(({ pair }) => pair).sort()).toEqual(['BTC-USDT', 'ETH-USDT']);
  for (const { bid, ask, last } of tickers) {
    expect(Number.isSafeInteger(bid) && Number.isSafeInteger(ask) && Number.isSafeInteger(last)).toBe(true);
    expect(bid as number).toBeLessThan(ask as number);
  }
  await expect(exchange.tickers(['NOPE-USDT'])).rejects.toMatchObject({ kind: 'misused' });
});

test('history longer than a page is complete, in order and closed', async () => {
  const now = exchange.time();
  const from = Math.floor(now / MINUTE) * MINUTE - 2_500 * MINUTE;
  const candles = await exchange.candles('ETH-USDT', '1m', from, now);
  expect(candles.length).toBeGreaterThanOrEqual(2_499);
  candles.forEach(({ time }, index) => {
    expect(time).toBe(from + index * MINUTE);
  });
  const last = candles.at(-1)?.time as number;
  expect(last + MINUTE + 1_000).toBeLessThanOrEqual(exchange.time());
  await expect(exchange.candles('ETH-USDT', '2m', from, now)).rejects.toMatchObject({ kind: 'misused' });
});

test('streams tell quotes, trades and candles, come back after the venue was away, and tell no trade twice', async () => {
  const events: StreamEvent[] = [];
  const stream = exchange.stream((event) => events.push(event));
  const has = (type: StreamEvent['type']) => events.some((event) => event.type === type);
  try {
    stream.watch([
      { kind: 'quotes', pair: 'BTC-USDT' },
      { kind: 'trades', pair: 'BTC-USDT' },
      { kind: 'candles', pair: 'BTC-USDT', period: '1m' },
    ]);
    await until(() => has('connected') && has('quote') && has('trade') && has('candle'), 'all streams');
    const port = Number(new URL(sandbox.binance.rest).port);
    await sandbox.close();
    await until(() => has('lost'), 'the loss');
    events.length = 0;
    sandbox = await startSandbox({ port, dataDir: folder });
    await until(() => has('connected') && has('quote') && has('trade') && has('candle'), 'all streams again');
    // Left and wanted again in one breath: it comes back.
    const trades = [{ kind: 'trades', pair: 'BTC-USDT' }] as const;
    stream.unwatch(trades);
    stream.watch(trades);
    events.length = 0;
    // More than can have been on their way.
    await until(() => events.filter(({ type }) => type === 'trade').length >= 10, 'trades after they were left');
  } finally {
    await stream.close();
  }
});

test('a connection that hangs is known within ten seconds', async () => {
  const port = Number(new URL(sandbox.binance.rest).port);
  const sockets: Socket[] = [];
  const between = createServer((near) => {
    const far = createConnection(port, '127.0.0.1');
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => {});
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const { port: own } = between.address() as { port: number };
  const hanging = await openBinance({
    redirect: { rest: `http://127.0.0.1:${own}`, ws: `ws://127.0.0.1:${own}/stream/ws` },
    now: Date.now,
  });
  const events: StreamEvent[] = [];
  const stream = hanging.stream((event) => events.push(event));
  try {
    stream.watch([{ kind: 'quotes', pair: 'BTC-USDT' }]);
    await until(() => events.some(({ type }) => type === 'quote'), 'a quote');
    for (const socket of sockets) {
      socket.unpipe();
      socket.pause();
    }
    const began = performance.now();
    await until(() => events.some(({ type }) => type === 'lost'), 'the loss');
    expect(performance.now() - began).toBeLessThan(10_500);
    events.length = 0;
    await until(() => events.some(({ type }) => type === 'quote'), 'a quote on a new connection');
  } finally {
    await stream.close();
    await hanging.close();
    for (const socket of sockets) socket.destroy();
    between.close();
  }
});

test('a feed gives candles without a gap across a loss of connection', async () => {
  const feed = openMarketFeed(await openBinance({ redirect: sandbox.binance, now: Date.now }), Date.now);
  const heard: FeedEvent[] = [];
  try {
    const { history } = await feed.subscribe('SOL-USDT', '1m', 50, (event) => heard.push(event));
    expect(history).toHaveLength(50);
    const port = Number(new URL(sandbox.binance.rest).port);
    await until(() => heard.some(({ type }) => type === 'quote'), 'a quote');
    await sandbox.close();
    await until(() => feed.problem() !== null, 'the problem');
    // Long enough that at least one candle closes while nobody listens.
    const boundary = Math.floor(Date.now() / MINUTE) * MINUTE + MINUTE + 500;
    await until(() => Date.now() > boundary, 'the end of a minute', 70_000);
    sandbox = await startSandbox({ port, dataDir: folder });
    const closed = await until(
      () => {
        const candles = heard.flatMap((event) => (event.type === 'candle' ? [event.candle.time] : []));
        return candles.length > 0 && feed.problem() === null ? candles : null;
      },
      'the candle that closed meanwhile',
      30_000,
    );
    expect(closed[0]).toBe((history.at(-1)?.time as number) + MINUTE);
    closed.forEach((time, index) => {
      if (index > 0) expect(time).toBe((closed[index - 1] as number) + MINUTE);
    });
  } finally {
    await feed.close();
  }
});
