import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PERIODS } from '@heron/engine/market/period.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { openBinanceUsdm } from '@heron/exchanges/ccxt/binanceUsdm.ts';
import type { PublicFutures, StreamEvent } from '@heron/exchanges/exchange.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './botHost.ts';

const MINUTE = PERIODS['1m'];
const FUNDING_MS = 8 * 60 * MINUTE;
let folder: string;
let sandbox: Sandbox;
let exchange: PublicFutures;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-usdm-'));
  sandbox = await startSandbox({ port: 0, seed: 11, dataDir: folder });
  exchange = await openBinanceUsdm({ redirect: sandbox.binanceusdm, now: Date.now });
});

afterAll(async () => {
  await exchange.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

test('contracts, grids and tickers arrive in exact units', async () => {
  const markets = await exchange.markets();
  const btc = markets.find(({ pair }) => pair === 'BTC-USDT');
  expect(btc).toMatchObject({
    base: 'BTC',
    quote: 'USDT',
    tick: toUnits(0.1),
    step: toUnits(0.001, btc?.assetDecimals),
    minNotional: toUnits(100),
  });
  expect(markets).toHaveLength(10);
  const tickers = await exchange.tickers(['BTC-USDT', 'ETH-USDT']);
  expect(tickers.map(({ pair }) => pair).sort()).toEqual(['BTC-USDT', 'ETH-USDT']);
  for (const { last } of tickers) expect(Number.isSafeInteger(last)).toBe(true);
  expect(await exchange.tickers()).toHaveLength(10);
  await expect(exchange.tickers(['NOPE-USDT'])).rejects.toMatchObject({ kind: 'misused' });
});

test('history longer than a page is complete, in order and closed', async () => {
  const now = exchange.time();
  const from = Math.floor(now / MINUTE) * MINUTE - 2_200 * MINUTE;
  const candles = await exchange.candles('ETH-USDT', '1m', from, now);
  expect(candles.length).toBeGreaterThanOrEqual(2_199);
  candles.forEach(({ time }, index) => {
    expect(time).toBe(from + index * MINUTE);
  });
  expect((candles.at(-1)?.time as number) + MINUTE + 1_000).toBeLessThanOrEqual(exchange.time());
});

test('marks, rates and what was paid are told as the venue has them', async () => {
  const [terms, ...others] = await exchange.funding(['BTC-USDT']);
  expect(others).toEqual([]);
  expect(terms?.nextAt).toBe(Math.ceil(exchange.time() / FUNDING_MS) * FUNDING_MS);
  expect(Math.abs((terms?.mark as number) / (terms?.index as number) - 1)).toBeLessThan(0.005);
  expect(Math.abs(terms?.rate as number)).toBeLessThanOrEqual(0.003);
  expect(await exchange.funding()).toHaveLength(10);
  const to = Math.floor(exchange.time() / FUNDING_MS) * FUNDING_MS;
  const paid = await exchange.fundingHistory('BTC-USDT', to - 30 * FUNDING_MS, to);
  expect(paid.map(({ time }) => time)).toEqual(Array.from({ length: 30 }, (_, i) => to - (30 - i) * FUNDING_MS));
  for (const { mark, rate } of paid) {
    expect(Number.isSafeInteger(mark) && mark > 0).toBe(true);
    expect(Math.abs(rate)).toBeLessThanOrEqual(0.003);
  }
});

test('streams tell quotes, trades and candles through both doors, and come back after the venue was away', async () => {
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
    const usdmPort = Number(new URL(sandbox.binanceusdm.rest).port);
    await sandbox.close();
    await until(() => has('lost'), 'the loss');
    events.length = 0;
    sandbox = await startSandbox({ port: 0, usdmPort, dataDir: folder });
    await until(() => has('connected') && has('quote') && has('trade') && has('candle'), 'all streams again');
    stream.unwatch([{ kind: 'trades', pair: 'BTC-USDT' }]);
  } finally {
    await stream.close();
  }
});
