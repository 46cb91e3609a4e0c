import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { backtestMoney } from '@heron/contract/bots/backtestMoney.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { type BacktestInput, runBacktest } from '@heron/engine/backtest/backtest.ts';
import type { FundingColumns } from '@heron/engine/backtest/backtestPair.ts';
import { type CandleColumns, sliceCandles } from '@heron/engine/market/candle.ts';
import { marketOf } from '@heron/engine/market/market.ts';
import { checkSetup } from '@heron/engine/options/setup.ts';
import { backtestDocument } from '@heron/engine/report/document.ts';
import { parseCandleCsv } from '@heron/exchanges/candles/csv.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const ROLLDOWN = path.join(ROOT, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
const WORKER = path.join(ROOT, 'apps', 'client', 'src', 'lib', 'backtestWorker.ts');

/** Number of candles: enough for every strategy to trade, and few enough for a test. */
const CANDLES = 20_000;
const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

const PAIRS = {
  'BTC-USDT': { file: 'BTCUSDT-1m-2024H1.csv.gz', tickSize: 0.01, stepSize: 0.00001 },
  'ETH-USDT': { file: 'ETHUSDT-1m-2021.csv.gz', tickSize: 0.01, stepSize: 0.0001 },
  'SOL-USDT': { file: 'SOLUSDT-1m-2021.csv.gz', tickSize: 0.01, stepSize: 0.001 },
} as const;

type Pair = keyof typeof PAIRS;

const candles = new Map<Pair, CandleColumns>();
let folder: string;
let server: Server;
let browser: Browser;
let page: Page;

/** Reads real candles of a pair from the data beside the repository. */
async function readCandles(pair: Pair): Promise<CandleColumns> {
  const file = path.join(ROOT, '..', 'shared', 'data', PAIRS[pair].file);
  if (!existsSync(file)) throw new Error(`this test needs ../shared/data/${PAIRS[pair].file} beside the repository`);
  return sliceCandles(parseCandleCsv(gunzipSync(await readFile(file))).candles, 0, CANDLES);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'heron-worker-'));
  const bundle = path.join(folder, 'worker.js');
  // This is the bundler of the client's build.
  const bundled = promisify(execFile)(process.execPath, [
    ROLLDOWN,
    WORKER,
    ...['--file', bundle, '--format', 'iife', '--platform', 'browser', '--minify'],
  ]);
  for (const pair of Object.keys(PAIRS) as Pair[]) candles.set(pair, await readCandles(pair));
  await bundled;
  const code = await readFile(bundle);
  server = createServer(({ url = '/' }, response) => {
    const columns = candles.get(url.slice(1) as Pair);
    if (columns !== undefined) {
      response.setHeader('content-type', 'application/octet-stream');
      response.end(Buffer.concat(COLUMNS.map((name) => new Uint8Array(columns[name].slice().buffer))));
    } else if (url === '/worker.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(code);
    } else {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Backtest</title>');
    }
  }).listen(0, '127.0.0.1');
  [browser] = await Promise.all([launchBrowser(), once(server, 'listening')]);
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const FUTURE = { exchange: 'binanceusdm-demo', market: 'both', leverage: 10 };
const EVERY_MINUTE = { period: '1m', order_type: 'taker' };

const RUNS: readonly { pairs: readonly Pair[]; strategy: string; options: Readonly<Record<string, unknown>> }[] = [
  { pairs: ['BTC-USDT'], strategy: 'ema_cross', options: EVERY_MINUTE },
  { pairs: ['ETH-USDT'], strategy: 'fisher', options: { period: '15m' } },
  { pairs: ['SOL-USDT'], strategy: 'fisher', options: { ...EVERY_MINUTE, ...FUTURE } },
  { pairs: ['BTC-USDT', 'ETH-USDT', 'SOL-USDT'], strategy: 'macd', options: { period: '5m' } },
  {
    pairs: ['ETH-USDT', 'SOL-USDT'],
    strategy: 'bollinger',
    options: { period: '15m', ...FUTURE, margin_mode: 'cross' },
  },
  { pairs: ['ETH-USDT', 'SOL-USDT'], strategy: 'grid', options: { period: '5m' } },
  { pairs: ['ETH-USDT', 'SOL-USDT'], strategy: 'supertrend', options: { period: '3m', ...FUTURE } },
];

test.for(RUNS.map((run) => ({ ...run, names: run.pairs.join(', ') })))(
  'a Web Worker backtests $strategy on $names as Node does, byte for byte',
  async ({ pairs, strategy, options }) => {
    const setup = checkSetup({
      options: { ...options, strategy, watch_pairs: pairs.join(','), product_currency: 'USDT' },
      params: {},
    });
    if (!setup.ok) throw new Error(JSON.stringify(setup.faults));
    const input: BacktestInput = {
      pairs: pairs.map((pair) => {
        const columns = candles.get(pair) as CandleColumns;
        const market = marketOf({ pair, ...PAIRS[pair], minQuantity: 1e-5, maxQuantity: 1e6, minNotional: 5 });
        return { market, candles: columns, candleMs: 60_000, funding: eightHourly(columns) };
      }),
      options: setup.options,
      params: setup.params,
    };
    const result = runBacktest(input);
    const document = backtestDocument(result, input, {
      venue: venueTitle(input.options.exchange).en,
      money: backtestMoney(input.options.exchange, 'venue').en,
    });
    expect(document.fills.length).toBeGreaterThan(20);
    expect(document.funding.length > 0).toBe('leverage' in options);

    const seen = await page.evaluate(
      runInWorker,
      JSON.stringify({
        options: setup.options,
        params: setup.params,
        pairs: input.pairs.map(({ market, candleMs, funding }) => ({
          market,
          candleMs,
          funding: Object.fromEntries(Object.entries(funding ?? {}).map(([name, column]) => [name, [...column]])),
        })),
      }),
    );
    expect(seen.document).toBe(JSON.stringify(document));
    expect(seen.equity).toBe(createHash('sha256').update(result.equity).digest('hex'));
    expect(seen.steps).toBe(result.time.length);
  },
);

/** Returns funding every eight hours, of varying sign. */
function eightHourly({ time }: CandleColumns): FundingColumns {
  const times = time.filter((at) => at % 28_800_000 === 0);
  return { time: times, rate: times.map((_, i) => (i % 3 === 0 ? -0.0002 : 0.0001)), mark: times.map(() => 0) };
}

/** Runs in the page: sends a run to the worker and waits for its result. */
async function runInWorker(run: string) {
  const { pairs, options, params } = JSON.parse(run) as PageRun;
  const loaded = await Promise.all(
    pairs.map(async ({ market, candleMs, funding }) => {
      const bytes = await (await fetch(`/${market.pair}`)).arrayBuffer();
      const length = bytes.byteLength / 48;
      const column = (k: number) => new Float64Array(bytes, 8 * k * length, length);
      const [time, open, high, low, close, volume] = [0, 1, 2, 3, 4, 5].map(column);
      const payments = Object.fromEntries(
        Object.entries(funding).map(([name, values]) => [name, Float64Array.from(values)]),
      );
      return { market, candleMs, funding: payments, candles: { length, time, open, high, low, close, volume } };
    }),
  );
  const worker = new Worker('/worker.js');
  const answer = await new Promise<{ document: object; time: Float64Array; equity: Float64Array<ArrayBuffer> }>(
    (resolve, reject) => {
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.onmessage = ({ data }) => {
        if (data.type === 'done') resolve(data);
        else if (data.type === 'failed') reject(new Error(data.message));
      };
      worker.postMessage({ pairs: loaded, options, params });
    },
  );
  worker.terminate();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', answer.equity));
  return {
    document: JSON.stringify(answer.document),
    equity: [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    steps: answer.time.length,
  };
}

/** A run as the page receives it; the page fetches the candles itself. */
interface PageRun {
  options: object;
  params: object;
  pairs: { market: { pair: string }; candleMs: number; funding: Record<string, number[]> }[];
}
