import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PERIODS } from '@heron/engine/market/period.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { openMexc } from '@heron/exchanges/ccxt/mexc.ts';
import type { Channel, PublicExchange, StreamEvent } from '@heron/exchanges/exchange.ts';
import { type FeedEvent, openMarketFeed } from '@heron/exchanges/feed/marketFeed.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './botHost.ts';

const MINUTE = PERIODS['1m'];
let folder: string;
let sandbox: Sandbox;
let exchange: PublicExchange;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-mexc-'));
  sandbox = await startSandbox({ port: 0, seed: 11, dataDir: folder });
  exchange = await openMexc({ redirect: sandbox.mexc, now: Date.now });
  await exchange.markets();
});

afterAll(async () => {
  await exchange.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  sandbox = await startSandbox({ port: 0, mexcPort: portOf(sandbox), dataDir: folder });
}

function portOf({ mexc }: Sandbox): number {
  return Number(new URL(mexc.rest).port);
}

test('pairs, grids and tickers arrive in exact units', async () => {
  const markets = await exchange.markets();
  const btc = markets.find(({ pair }) => pair === 'BTC-USDT');
  expect(btc).toMatchObject({
    base: 'BTC',
    quote: 'USDT',
    tick: toUnits(0.01),
    step: toUnits(0.000001, btc?.assetDecimals),
    minNotional: toUnits(1),
  });
  expect(markets).toHaveLength(10);
  const tickers = await exchange.tickers(['BTC-USDT', 'ETH-USDT']);
  expect(tickers.map(({ pair }) => pair).sort()).toEqual(['BTC-USDT', 'ETH-USDT']);
  for (const { bid, ask, last, bidSize } of tickers) {
    expect([bid, ask, last, bidSize].every(Number.isSafeInteger)).toBe(true);
    expect(bid as number).toBeLessThan(ask as number);
  }
  expect(await exchange.tickers()).toHaveLength(10);
  await expect(exchange.tickers(['NOPE-USDT'])).rejects.toMatchObject({ kind: 'misused' });
});

test('history longer than a page is complete, in order and closed', async () => {
  const now = exchange.time();
  const from = Math.floor(now / MINUTE) * MINUTE - 1_700 * MINUTE;
  const candles = await exchange.candles('ETH-USDT', '1m', from, now);
  expect(candles.length).toBeGreaterThanOrEqual(1_699);
  candles.forEach(({ time }, index) => {
    expect(time).toBe(from + index * MINUTE);
  });
  expect((candles.at(-1)?.time as number) + MINUTE + 1_000).toBeLessThanOrEqual(exchange.time());
  await expect(exchange.candles('ETH-USDT', '3m', from, now)).rejects.toMatchObject({ kind: 'misused' });
  for (const period of exchange.periods) {
    expect((await exchange.candles('ETH-USDT', period, now - 3 * PERIODS[period], now)).length).toBeGreaterThan(1);
  }
});

test('streams tell quotes, trades and candles, come back after the venue was away, and can be left', async () => {
  const events: StreamEvent[] = [];
  const stream = exchange.stream((event) => events.push(event));
  const has = (type: StreamEvent['type']) => events.some((event) => event.type === type);
  const trades = [{ kind: 'trades', pair: 'BTC-USDT' }] as const;
  try {
    stream.watch([
      ...trades,
      { kind: 'quotes', pair: 'BTC-USDT' },
      { kind: 'candles', pair: 'BTC-USDT', period: '1m' },
    ]);
    await until(() => has('connected') && has('quote') && has('trade') && has('candle'), 'all streams');
    await sandbox.close();
    await until(() => has('lost'), 'the loss');
    events.length = 0;
    await restart();
    await until(() => has('connected') && has('quote') && has('trade') && has('candle'), 'all streams again', 30_000);
    stream.unwatch(trades);
    stream.watch(trades);
    events.length = 0;
    // More than can have been on their way.
    await until(
      () => events.filter(({ type }) => type === 'trade').length >= 10,
      'trades after they were left',
      30_000,
    );
    stream.unwatch(trades);
    events.length = 0;
    await until(() => events.filter(({ type }) => type === 'quote').length >= 10, 'quotes', 30_000);
    expect(events.filter(({ type }) => type === 'trade').length).toBeLessThan(5);
  } finally {
    await stream.close();
  }
});

test('more channels than one connection takes are all heard', async () => {
  const quoted = new Set<string>();
  const formed = new Set<string>();
  const stream = exchange.stream((event) => {
    if (event.type === 'quote') quoted.add(event.pair);
    if (event.type === 'candle') formed.add(`${event.pair} ${event.period}`);
  });
  try {
    const pairs = (await exchange.markets()).map(({ pair }) => pair);
    const channels = pairs.flatMap((pair): Channel[] => [
      { kind: 'quotes', pair },
      { kind: 'trades', pair },
      ...(['1m', '5m', '1h'] as const).map((period): Channel => ({ kind: 'candles', pair, period })),
    ]);
    stream.watch(channels);
    await until(() => quoted.size === 10 && formed.size === 30, 'every pair', 30_000);
  } finally {
    await stream.close();
  }
});

test('trades that arrive twice are told once, and none is left out', async () => {
  const faulty = await startSandbox({ port: 0, seed: 11, faults: true });
  const reader = await openMexc({ redirect: faulty.mexc, now: Date.now });
  const told: string[] = [];
  const stream = reader.stream((event) => {
    if (event.type === 'trade') told.push(`${event.price} ${event.quantity}`);
  });
  try {
    await fetch(`${faulty.mexc.rest}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'duplicate', match: 'EVENT spot@public.aggre.deals*' }),
    });
    await reader.markets();
    stream.watch([{ kind: 'trades', pair: 'BTC-USDT' }]);
    await until(() => told.length > 30, 'trades');
    const listed = await fetch(`${faulty.mexc.rest}/api/v3/trades?symbol=BTCUSDT&limit=1000`);
    const rows = (await listed.json()) as { price: string; qty: string }[];
    const market = (await reader.markets()).find(({ pair }) => pair === 'BTC-USDT');
    const known = rows
      .reverse()
      .map(({ price, qty }) => `${toUnits(Number(price))} ${toUnits(Number(qty), market?.assetDecimals)}`);
    const heard = told.slice(0, 30).join();
    expect(known.some((_, from) => known.slice(from, from + 30).join() === heard)).toBe(true);
  } finally {
    await stream.close();
    await reader.close();
    await faulty.close();
  }
});

test('a connection that hangs is known within ten seconds', async () => {
  const sockets: Socket[] = [];
  const between = createServer((near) => {
    const far = createConnection(portOf(sandbox), '127.0.0.1');
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => {});
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const { port } = between.address() as { port: number };
  const hanging = await openMexc({
    redirect: { rest: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}/ws` },
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

test('a feed gives the candles of the venue without a gap across a loss of connection', async () => {
  const feed = openMarketFeed(await openMexc({ redirect: sandbox.mexc, now: Date.now }), Date.now);
  const heard: FeedEvent[] = [];
  try {
    const { history } = await feed.subscribe('SOL-USDT', '1m', 50, (event) => heard.push(event));
    expect(history).toHaveLength(50);
    await until(() => heard.some(({ type }) => type === 'quote'), 'a quote');
    await sandbox.close();
    await until(() => feed.problem() !== null, 'the problem');
    // Long enough that at least one candle closes while nobody listens.
    const boundary = Math.floor(Date.now() / MINUTE) * MINUTE + MINUTE + 500;
    await until(() => Date.now() > boundary, 'the end of a minute', 70_000);
    await restart();
    const candles = () => heard.flatMap((event) => (event.type === 'candle' ? [event.candle] : []));
    // One that was missed and one that the stream has told.
    await until(() => candles().length > 1 && feed.problem() === null, 'the candles', 90_000);
    const closed = candles();
    expect(closed[0]?.time).toBe((history.at(-1)?.time as number) + MINUTE);
    closed.forEach(({ time }, index) => {
      if (index > 0) expect(time).toBe((closed[index - 1]?.time as number) + MINUTE);
    });
    await until(() => exchange.time() > (closed.at(-1)?.time as number) + MINUTE + 1_100, 'the second after it');
    expect(await exchange.candles('SOL-USDT', '1m', closed[0]?.time as number, exchange.time())).toEqual(closed);
  } finally {
    await feed.close();
  }
}, 240_000);
