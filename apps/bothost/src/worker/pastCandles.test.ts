import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { toUnits } from '@heron/engine/money/units.ts';
import { readSeries } from '@heron/exchanges/candleStore/storedSeries.ts';
import { ExchangeUnreachable, RateLimited } from '@heron/exchanges/errors.ts';
import type { FundingPayment, PublicFutures } from '@heron/exchanges/exchange.ts';
import type { RateBudget } from '@heron/exchanges/http/rateBudget.ts';
import { candleAt, scriptedExchange } from '@heron/exchanges/testing/scriptedExchange.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog } from '../log.ts';
import { openPast } from './pastCandles.ts';

const MINUTE = 60_000;
const NOW = 20_000 * MINUTE + 30_000;

let store: string;
beforeEach(async () => {
  store = await mkdtemp(path.join(os.tmpdir(), 'heron-past-'));
});
afterEach(() => rm(store, { recursive: true, force: true }));

interface Given {
  redirect?: string | null;
  budget?: Partial<RateBudget>;
  mostBytes?: number;
}

function open({ redirect = null, budget = {}, mostBytes: maxBytes = 1e9 }: Given = {}) {
  const exchange = scriptedExchange(() => NOW);
  const past = openPast({
    ...{
      exchange,
      series: 'binance',
      store,
      redirect,
      timeoutMs: 1_500,
      maxBytes,
      venue: { page: 1_000, weight: 1 },
      now: () => NOW,
    },
    budget: { acquire: async () => {}, onResponse() {}, onUsedWeight() {}, retryAt: () => null, ...budget },
    log: openLog('test', 'silent'),
  });
  const candles = (from: number, to: number) =>
    past.candles('BTC-USDT', '1m', { from: from * MINUTE, to: to * MINUTE });
  return { exchange, past, candles };
}

const minutes = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => (from + i) * MINUTE);

test('past candles are sent in parts, fetched once, and stored for other programs', async () => {
  const { exchange, candles } = open();
  const first = await candles(5_000, 17_500);
  expect(first.time).toEqual(minutes(5_000, 15_000));
  expect(first.until).toBe(15_000 * MINUTE);
  expect([first.open[7], first.volume[7]]).toEqual([candleAt(5_007 * MINUTE).open, 10]);
  const rest = await candles(first.until / MINUTE, 17_500);
  expect(rest.time).toEqual(minutes(15_000, 17_500));
  expect(rest.until).toBe(17_500 * MINUTE);
  const before = exchange.requests.length;
  expect(await candles(5_000, 17_500)).toEqual(first);
  expect(exchange.requests).toHaveLength(before);
  const stored = await readSeries(path.join(store, 'binance', 'BTC-USDT-1m.arrow'));
  expect(stored?.candles.length).toBe(12_500);
  expect(await readdir(path.join(store, 'binance'))).toEqual(['BTC-USDT-1m.arrow']);
});

test('candles that are not closed are neither sent nor awaited; gaps stay gaps', async () => {
  const { exchange, candles } = open();
  exchange.holes.add(19_990 * MINUTE);
  const { time, until } = await candles(19_980, 20_100);
  expect(time).toEqual(minutes(19_980, 20_000).filter((at) => at !== 19_990 * MINUTE));
  expect(until).toBe(20_100 * MINUTE);
  expect(await candles(300, 200)).toMatchObject({ time: [], until: 300 * MINUTE });
});

test('concurrent requests are answered from one sequence of fetches', async () => {
  const { candles } = open();
  const answers = await Promise.all([candles(1_000, 2_000), candles(1_500, 3_000), candles(1_000, 2_000)]);
  expect(answers.map(({ time }) => time.length)).toEqual([1_000, 1_500, 1_000]);
});

test('when the rate limit delays a fetch, a partial result says where to continue', async () => {
  let turns = 0;
  const never = new Promise<void>(() => {});
  const { candles } = open({ budget: { acquire: () => (++turns > 2 ? never : Promise.resolve()) } });
  const { time, until } = await candles(10_000, 15_000);
  expect(time).toEqual(minutes(10_000, 12_000));
  expect(until).toBe(12_000 * MINUTE);
});

test('queued requests for candles that never arrive wait no longer than a single one', async () => {
  const { candles } = open({ budget: { acquire: () => new Promise(() => {}) } });
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 12 }, () => candles(10_000, 15_000)));
  expect(answers.map(({ until }) => until)).toEqual(Array(12).fill(10_000 * MINUTE));
  // Sequential reads would take 18 seconds.
  expect(performance.now() - began).toBeLessThan(12_000);
});

test('candles too far in the past are not sent', async () => {
  const { exchange } = open();
  const past = openPast({
    ...{
      exchange,
      series: 'binance',
      store,
      redirect: null,
      timeoutMs: 1_500,
      maxBytes: 1e9,
      venue: { page: 1_000, weight: 1 },
    },
    ...{
      budget: { acquire: async () => {}, onResponse() {}, onUsedWeight() {}, retryAt: () => null },
      log: openLog('test', 'silent'),
    },
    now: () => 700_000 * MINUTE,
  });
  const { time, until } = await past.candles('BTC-USDT', '1m', { from: 0, to: 700_000 * MINUTE });
  expect([time[0] ?? null, until]).toEqual([null, 110_000 * MINUTE]);
});

test('an unreachable venue is reported as unreachable', async () => {
  const { exchange, candles } = open();
  exchange.candles = async () => {
    throw new ExchangeUnreachable('scripted', 'no answer');
  };
  await expect(candles(1_000, 2_000)).rejects.toThrow('no answer');
});

test('a venue that bans requests is reported with the remaining seconds', async () => {
  const { exchange, candles } = open();
  exchange.candles = async () => {
    throw new RateLimited('scripted', NOW + 42_000);
  };
  await expect(candles(1_000, 2_000)).rejects.toMatchObject({ code: 'too_many_requests', details: { seconds: 42 } });
});

test('a full store caches no other pairs, but their candles are sent all the same', async () => {
  const { exchange, candles, past } = open({ mostBytes: 20_000 });
  await candles(1_000, 2_000);
  const hours = () => past.candles('BTC-USDT', '1h', { from: 60 * MINUTE, to: 600 * MINUTE });
  expect((await hours()).time).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((hour) => hour * 60 * MINUTE));
  const before = exchange.requests.length;
  await hours();
  expect(exchange.requests.length).toBeGreaterThan(before);
  await candles(1_500, 3_000);
  expect(await readdir(path.join(store, 'binance'))).toEqual(['BTC-USDT-1m.arrow']);
});

test('candles are available even if the store cannot be used', async () => {
  await mkdir(path.join(store, 'binance'));
  await writeFile(path.join(store, 'binance', 'BTC-USDT-1m.arrow'), 'no candles');
  const { candles } = open();
  expect((await candles(1_000, 2_000)).time).toEqual(minutes(1_000, 2_000));
});

test('a simulated venue has its own history after each start', async () => {
  const { candles } = open({ redirect: 'http://127.0.0.1:1' });
  await candles(1_000, 2_000);
  const { exchange, candles: later } = open({ redirect: 'http://127.0.0.1:2' });
  expect((await later(1_000, 2_000)).time).toHaveLength(1_000);
  expect(exchange.requests).not.toHaveLength(0);
});

const HOUR = 60 * MINUTE;
const LATER = Date.UTC(2026, 0, 1);

/** Creates a futures exchange with a payment every eight hours since 1970, and records the requests for payments. */
function openFutures(budget: Partial<RateBudget> = {}) {
  const clock = { now: LATER };
  const requested: { from: number; to: number }[] = [];
  const spot = scriptedExchange(() => clock.now);
  const exchange: PublicFutures = {
    ...spot,
    funding: async () => [],
    async fundingHistory(_pair, from, to) {
      requested.push({ from, to });
      const paid: FundingPayment[] = [];
      for (let time = Math.ceil(from / (8 * HOUR)) * 8 * HOUR; time < to; time += 8 * HOUR) {
        paid.push({ time, rate: 0.0001, mark: toUnits(1_000) });
      }
      return paid;
    },
  };
  const past = openPast({
    ...{
      exchange,
      series: 'binance',
      store,
      redirect: null,
      timeoutMs: 300,
      maxBytes: 1e9,
      venue: { page: 1_000, weight: 5 },
    },
    budget: { acquire: async () => {}, onResponse() {}, onUsedWeight() {}, retryAt: () => null, ...budget },
    ...{ log: openLog('test', 'silent'), now: () => clock.now },
  });
  const funding = (from: number, to: number) => past.funding('BTC-USDT', { from, to });
  return { requested, clock, exchange, funding };
}

test('funding history is requested once for any range, and later only its new part', async () => {
  let turns = 0;
  const { requested, clock, funding } = openFutures({
    async acquire() {
      turns += 1;
    },
  });
  const from = LATER - 400 * 24 * HOUR;
  const paid = await funding(from, LATER);
  expect(paid?.time).toEqual(Array.from({ length: 1_200 }, (_, n) => from + n * 8 * HOUR));
  expect([paid?.rate[7], paid?.mark[7]]).toEqual([0.0001, 1_000]);
  const before = requested.length;
  expect(before).toBeLessThan(6);
  expect(turns).toBe(before);
  const many = await Promise.all([1, 2, 3].map((n) => funding(from + n * 8 * HOUR, LATER - n)));
  expect(many.map((each) => each?.time.length)).toEqual([1_199, 1_198, 1_197]);
  expect(requested).toHaveLength(before);
  clock.now += 8 * HOUR;
  expect((await funding(from, clock.now))?.time.at(-1)).toBe(LATER);
  expect(requested).toHaveLength(before + 1);
});

test('payments before futures existed or in the future are never requested', async () => {
  const { requested, funding } = openFutures();
  const paid = await funding(0, LATER * 10);
  expect(paid?.time.at(-1)).toBe(LATER - 8 * HOUR);
  expect(requested.length).toBeLessThan(30);
  expect(requested[0]?.from).toBeGreaterThan(LATER - 10 * 365 * 24 * HOUR);
  for (const { to } of requested) expect(to).toBeLessThanOrEqual(LATER);
});

test('during a ban no payments are requested, and the caller gets the remaining time', async () => {
  const { requested, funding } = openFutures({ retryAt: () => LATER + 42_000 });
  const received = { code: 'too_many_requests', details: { seconds: 42 } };
  await expect(funding(LATER - HOUR, LATER)).rejects.toMatchObject(received);
  expect(requested).toEqual([]);
  const { exchange, funding: refused } = openFutures();
  exchange.fundingHistory = async () => {
    throw new RateLimited('scripted', LATER + 42_000);
  };
  await expect(refused(LATER - HOUR, LATER)).rejects.toMatchObject(received);
});

test('a caller that waited too long for payments gets a time to retry', async () => {
  const { requested, funding } = openFutures({ acquire: () => new Promise(() => {}) });
  await expect(funding(LATER - HOUR, LATER)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(requested).toEqual([]);
});
