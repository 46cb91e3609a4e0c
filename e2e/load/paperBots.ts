import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { createBot } from '@heron/bothost/bots/botStore.ts';
import { workerConfig } from '@heron/bothost/config.ts';
import { startWorker } from '@heron/bothost/worker/startWorker.ts';
import { WORKER_PATHS } from '@heron/bothost/worker/workerApi.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { openDatabase } from '@heron/database/connect.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { openBinance } from '@heron/exchanges/ccxt/binance.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import { startKillableDatabase } from '../chaos/killableDatabase.ts';
import { startKillableMarket } from '../chaos/killableMarket.ts';
import { loadLine, percentiles } from './figures.ts';

// Many paper bots on one worker: node --expose-gc e2e/load/paperBots.ts [bots, default 2000] [seconds of market, default 20]
const BOTS = Number(process.argv[2] ?? 2_000);
const SECONDS = Number(process.argv[3] ?? 20);
const BOTS_PER_OWNER = 50;
const PAIRS = ['BTC-USDT', 'ETH-USDT'];
const SECRET = 'a secret of this load only, 32 letters';
const LONGEST_START_MS = 300_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-load-'));
const market = await startKillableMarket(path.join(folder, 'market'));
const server = await startKillableDatabase(path.join(folder, 'database'));
const database = openDatabase(server.url);
const { binance } = market.addresses;

const ids: string[] = [];
for (let n = 0; n < BOTS; n++) {
  const given = { watch_pairs: PAIRS[n % PAIRS.length], period: '1m', poll_scan_time: 3_000 };
  const checked = validateOptions(given);
  if (!checked.ok) throw new Error(checked.faults[0]?.message.en);
  const owner = String(Math.floor(n / BOTS_PER_OWNER) + 1);
  const { row } = await createBot(
    database,
    owner,
    { name: `bot ${n}`, options: checked.options, params: {} },
    Date.now(),
  );
  ids.push(row.id);
}

/** How long the worker takes from a quote's arrival until its last bot has decided, ms. */
const decided: number[] = [];

/** The worker's view of the market, with a watch on every quote. */
async function watched(): Promise<PublicExchange> {
  const exchange = await openBinance({ redirect: { rest: binance.rest, ws: binance.ws }, now: Date.now });
  return {
    ...exchange,
    stream: (listener) =>
      exchange.stream((event) => {
        const began = performance.now();
        // Every bot of the pair handles it before this returns, but for those that wait for the database.
        listener(event);
        if (event.type === 'quote') decided.push(performance.now() - began);
      }),
  };
}

/** Starts a worker and waits until `count` bots work and have heard of their market. @returns with the time it took, ms */
async function start(count: number) {
  const began = performance.now();
  const since = Date.now();
  const config = workerConfig.parse({
    ...{ databaseUrl: server.url, secret: SECRET, dataDir: folder, marketLabel: 'demo', logLevel: 'error' },
    ...{ market: { binance }, exchange: 'binance', host: 'load', port: 0 },
  });
  const worker = await startWorker(config, { exchange: await watched() });
  const waiting = new Set(ids.slice(0, count));
  while (waiting.size > 0) {
    const some = [...waiting].slice(0, 500);
    const answer = await fetch(`http://127.0.0.1:${worker.info.port}${WORKER_PATHS.details}`, {
      method: 'POST',
      headers: { authorization: `Heron ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ids: some }),
    });
    const details = answer.ok ? ((await answer.json()) as BotDetail[]) : [];
    for (const { id, status, pairViews } of details) {
      if (status === 'working' && pairViews.some(({ quotedAt }) => (quotedAt ?? 0) >= since)) waiting.delete(id);
    }
    if (performance.now() - began > LONGEST_START_MS) throw new Error(`${waiting.size} bots never worked`);
    if (waiting.size > 0) await delay(100);
  }
  return { worker, took: performance.now() - began };
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const seconds = (ms: number) => (ms / 1_000).toFixed(1);

const heap = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
const want = (count: number) =>
  database.pool.query("update bots.bots set wanted = 'running' where id = any($1)", [ids.slice(0, count)]);

// Two bots bring the candles and the programs; what comes on top is the bots' own.
await want(PAIRS.length);
const few = await start(PAIRS.length);
await delay(3_000);
const before = heap();
await few.worker.close();

await want(BOTS);
const all = await start(BOTS);
say(loadLine());
say(`${BOTS} bots, first start: all at work after ${seconds(all.took)} s`);
await delay(5_000);
decided.length = 0;
const lag = monitorEventLoopDelay({ resolution: 1 });
lag.enable();
const used = process.cpuUsage();
await delay(SECONDS * 1_000);
lag.disable();
const { user, system } = process.cpuUsage(used);
const bytes = (heap() - before) / (BOTS - PAIRS.length);
say(`quote to the last decision: ${percentiles(decided)} ms of ${decided.length} quotes`);
say(
  `event loop late by: p50 ${(lag.percentile(50) / 1e6).toFixed(1)}, p99 ${(lag.percentile(99) / 1e6).toFixed(1)} ms`,
);
say(`processor: ${((user + system) / 1e6 / SECONDS).toFixed(2)} of one core`);
say(`memory a bot: ${Math.round(bytes / 1_000)} kB`);
const closing = performance.now();
await all.worker.close();
const closed = performance.now() - closing;
const again = await start(BOTS);
say(`restart: all at work after ${seconds(again.took)} s (orderly end ${seconds(closed)} s)`);
await again.worker.close();

await database.close();
await market.stop();
await server.stop();
rmSync(folder, { recursive: true, force: true });
process.exit();
