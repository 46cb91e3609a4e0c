import { setTimeout as delay } from 'node:timers/promises';
import { workerConfig } from '@heron/bothost/config.ts';
import { PAPER } from '@heron/bothost/fleet/fleetKind.ts';
import { openLog } from '@heron/bothost/log.ts';
import { startWorker } from '@heron/bothost/worker/startWorker.ts';
import { WORKER_PATHS } from '@heron/bothost/worker/workerApi.ts';
import { forkWorker } from '@heron/bothost/workerProcesses/forkWorker.ts';
import { openWorkerLink } from '@heron/bothost/workerProcesses/workerLink.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { openBinance } from '@heron/exchanges/binance/public.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import { openGivenNet } from '@heron/exchanges/net/openNet.ts';
import { loadLine, percentiles } from './figures.ts';
import { openLoadTestbed } from './loadTestbed.ts';

// Runs many paper bots on one worker: `node --expose-gc e2e/load/paperBots.ts [bots, default 2000] [seconds of market,
// default 70]`.
const BOTS = Number(process.argv[2] ?? 2_000);
const SECONDS = Number(process.argv[3] ?? 70);
const PAIRS = ['BTC-USDT', 'ETH-USDT'];
const SECRET = 'a secret of this load only, 32 letters';
const START_TIMEOUT_MS = 300_000;
/** Bots per status request. A request for all bots would add load of its own. */
const BOTS_PER_REQUEST = 20;
/** Newly started bots still write to the database for this time. */
const SETTLED_MS = 5_000;

// The long warm-up fills every bot's chart, as after a day of running.
const testbed = await openLoadTestbed(BOTS, PAIRS, { period: '1m', poll_scan_time: 3_000, min_periods: 250 });
const { server, folder } = testbed;
const { binance } = testbed.market.addresses;
const ids = testbed.bots.map(({ id }) => id);

/** Maps each quote, by its prices and sizes, to its arrival time. */
const arrivals = new Map<string, number>();
/** Times from a quote's arrival to a bot's decision, in ms; one figure for each quote and bot. */
let decided: number[] = [];
/** Maps each quote to the time until its last bot decided, in ms. */
const last = new Map<string, number>();

const nameOf = (quote: { pair: string; bid: number; bidSize: number; ask: number; askSize: number }) =>
  `${quote.pair} ${quote.bid} ${quote.bidSize} ${quote.ask} ${quote.askSize}`;

/** Opens the worker's market adapter and records the arrival of every quote. */
async function watched(): Promise<PublicExchange> {
  const exchange = await openBinance({ net: openGivenNet('binance', binance, { now: Date.now }), now: Date.now });
  return {
    ...exchange,
    stream: (listener) =>
      exchange.stream((event) => {
        if (event.type === 'quote') arrivals.set(nameOf(event), performance.now());
        listener(event);
      }),
  };
}

/** The machines of paper bots, with each decision timed. */
const timed: typeof PAPER = {
  ...PAPER,
  machine(row, session) {
    const machine = PAPER.machine(row, session);
    return {
      ...machine,
      feed(event) {
        const output = machine.feed(event);
        if (event.type !== 'quote') return output;
        const name = nameOf(event);
        const since = arrivals.get(name);
        if (since === undefined) return output;
        const took = performance.now() - since;
        decided.push(took);
        last.set(name, took);
        return output;
      },
    };
  },
};

const logLevel = process.env.HERON_LOG_LEVEL ?? 'error';
const config = workerConfig.parse({
  ...{ databaseUrl: server.url, secret: SECRET, dataDir: folder, logLevel },
  ...{ addresses: binance, venue: 'binance-demo', host: 'load', port: 0 },
});

/**
 * Starts a worker and waits until `count` bots run and have received market data. @returns the worker and the time it took,
 * in ms
 */
async function start(count: number) {
  const began = performance.now();
  const since = Date.now();
  const worker = await startWorker(config, { exchange: await watched(), paper: timed });
  await untilAllRun(worker.info.port, count, since);
  return { worker, took: performance.now() - began };
}

/** Waits until `count` bots of the worker at that port run and have received a quote since the given time. */
async function untilAllRun(port: number, count: number, since: number): Promise<void> {
  const began = performance.now();
  const waiting = new Set(ids.slice(0, count));
  while (waiting.size > 0) {
    const some = [...waiting].slice(0, BOTS_PER_REQUEST);
    const answer = await fetch(`http://127.0.0.1:${port}${WORKER_PATHS.details}`, {
      method: 'POST',
      headers: { authorization: `Heron ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ids: some }),
      // A worker that was just killed does not respond.
    }).catch(() => null);
    const details = answer?.ok ? ((await answer.json()) as BotDetail[]) : [];
    const before = waiting.size;
    for (const { id, status, pairViews } of details) {
      if (status === 'working' && pairViews.some(({ quotedAt }) => (quotedAt ?? 0) >= since)) waiting.delete(id);
    }
    if (performance.now() - began > START_TIMEOUT_MS) throw new Error(`${waiting.size} bots never ran`);
    if (waiting.size === before) await delay(50);
  }
}

/**
 * Runs the bots in a worker process, kills it, and waits until its replacement runs all bots.
 *
 * @returns times from the kill, in ms: until the new process responds, and until all bots run
 */
async function killed(): Promise<{ respondedAfter: number; took: number }> {
  const listener = { onPush() {}, onUp() {} };
  const link = await openWorkerLink(forkWorker('paper'), config, openLog('load', logLevel), listener);
  try {
    await untilAllRun(link.port, BOTS, Date.now());
    await delay(SETTLED_MS);
    const since = Date.now();
    process.kill(link.pid() as number, 'SIGKILL');
    const headers = { authorization: `Heron ${SECRET}` };
    const health = `http://127.0.0.1:${link.port}${WORKER_PATHS.health}`;
    while ((await fetch(health, { headers }).catch(() => null))?.ok !== true) await delay(20);
    const respondedAfter = Date.now() - since;
    await untilAllRun(link.port, BOTS, since);
    return { respondedAfter, took: Date.now() - since };
  } finally {
    await link.close();
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const seconds = (ms: number) => (ms / 1_000).toFixed(1);

const heap = () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

// Two bots load the candles and the code, so that any further memory belongs to the added bots.
await testbed.want(PAIRS.length);
const few = await start(PAIRS.length);
await delay(3_000);
const before = heap();
await few.worker.close();

await testbed.want(BOTS);
const all = await start(BOTS);
print(loadLine());
print(`${BOTS} bots, first start: all running after ${seconds(all.took)} s`);
await delay(5_000);
arrivals.clear();
last.clear();
decided = [];
const used = process.cpuUsage();
await delay(SECONDS * 1_000);
const { user, system } = process.cpuUsage(used);
const [figures, worst] = [decided, [...last.values()]];
decided = [];
arrivals.clear();
last.clear();
print(`quote to decision: ${percentiles(figures)} ms of ${figures.length}, ${worst.length} quotes`);
print(`quote to the last bot's decision: ${percentiles(worst)} ms`);
print(`processor: ${((user + system) / 1e6 / SECONDS).toFixed(2)} of one core`);
figures.length = 0;
print(`memory a bot: ${Math.round((heap() - before) / (BOTS - PAIRS.length) / 1_000)} kB`);
const closing = performance.now();
await all.worker.close();
const closed = performance.now() - closing;
const again = await start(BOTS);
print(`restart: all running after ${seconds(again.took)} s (orderly shutdown ${seconds(closed)} s)`);
print(loadLine());
await again.worker.close();
const after = await killed();
print(
  `kill -9: all running again after ${seconds(after.took)} s (its process responds after ${seconds(after.respondedAfter)} s)`,
);
print(loadLine());
await testbed.close();
process.exit();
