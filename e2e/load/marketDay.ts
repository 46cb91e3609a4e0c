import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises';
import { workerConfig } from '@heron/bothost/config.ts';
import { startWorker } from '@heron/bothost/worker/startWorker.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import { MARKET, scriptedExchange } from '@heron/exchanges/testing/scriptedExchange.ts';
import { createRandom } from '../chaos/random.ts';
import { loadLine } from './figures.ts';
import { openLoadTestbed } from './loadTestbed.ts';

// Replays a day of market time in minutes for one worker with trading paper bots, and measures which memory grows. Run it by
// `node --expose-gc e2e/load/marketDay.ts [hours, default 24] [bots, default 20]`.
const HOURS = Number(process.argv[2] ?? 24);
const BOTS = Number(process.argv[3] ?? 20);
const MINUTE = 60_000;
const SAMPLE_MS = 15 * MINUTE;
/** Maximum ratio of the last quarter's memory to the second quarter's. */
const MAX_GROWTH = 1.05;
/** Minimum real time per minute of the market, in ms, so that the bots' writes finish within their minute. */
const MINUTE_TAKES_MS = 20;

const testbed = await openLoadTestbed(BOTS, [MARKET.pair], { period: '1m', poll_scan_time: 1_000, strategy: 'macd' });
const random = createRandom(7);
let now = Math.floor(Date.now() / MINUTE) * MINUTE;
const began = now;

/** Maps each minute to its close. The closes before the start are generated first. */
const closes = new Map<number, number>();
let newest = 1_000;
function candleOf(time: number): ClosedCandle {
  for (let at = closes.size === 0 ? began - 1_000 * MINUTE : time; !closes.has(time); at += MINUTE) {
    newest = Math.max(100, newest * (1 + (random.next() - 0.5) * 0.004));
    closes.set(at, newest);
  }
  const close = closes.get(time) as number;
  const open = closes.get(time - MINUTE) ?? close;
  return { time, open, high: Math.max(open, close) + 0.5, low: Math.min(open, close) - 0.5, close, volume: 10 };
}

const scripted = scriptedExchange(() => now);
const exchange: PublicExchange = {
  ...scripted,
  async candles(_pair, _period, from, to) {
    const found: ClosedCandle[] = [];
    for (let time = Math.ceil(from / MINUTE) * MINUTE; time < to && time + MINUTE <= now; time += MINUTE) {
      if (time >= began - 1_000 * MINUTE) found.push(candleOf(time));
    }
    return found;
  },
};

/** Emits one second of the market: a quote and a trade near the last price. */
function second(): void {
  const price = newest * (1 + (random.next() - 0.5) * 0.001);
  const [bid, ask] = [toUnits(Math.floor(price * 100) / 100), toUnits(Math.floor(price * 100 + 2) / 100)];
  scripted.emit({ type: 'quote', pair: MARKET.pair, bid, bidSize: 1_000_000, ask, askSize: 1_000_000 });
  scripted.emit({ type: 'trade', pair: MARKET.pair, price: bid, quantity: 1_000 });
}

await testbed.want(BOTS);
const config = workerConfig.parse({
  ...{ databaseUrl: testbed.server.url, secret: 'a secret of this load only, 32 letters', dataDir: testbed.folder },
  ...{ addresses: testbed.market.addresses.binance, venue: 'binance-demo', host: 'day', port: 0 },
  ...{ logLevel: 'error' },
});
const worker = await startWorker(config, { exchange, now: () => now });
const working = async () => {
  const { rows } = await testbed.database.pool.query<{ count: number }>(
    "select count(*)::int as count from bots.snapshots where status = 'working'",
  );
  return rows[0]?.count ?? 0;
};
while ((await working()) < BOTS) {
  now += 1_000;
  second();
  await delay(50);
}

interface Sample {
  readonly hour: number;
  readonly heap: number;
  readonly rss: number;
}
const samples: Sample[] = [];
const since = now;
while (now - since < HOURS * 60 * MINUTE) {
  const minute = performance.now();
  const end = (Math.floor(now / MINUTE) + 1) * MINUTE;
  while (now < end) {
    now += 1_000;
    second();
    await immediate();
  }
  scripted.emit({ type: 'candle', pair: MARKET.pair, period: '1m', closed: true, candle: candleOf(end - MINUTE) });
  await delay(Math.max(1, MINUTE_TAKES_MS - (performance.now() - minute)));
  if (end % SAMPLE_MS !== 0) continue;
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  samples.push({ hour: (now - since) / 60 / MINUTE, heap: (heapUsed + external) / 1e6, rss: rss / 1e6 });
}

const quarter = (number: number, of: (sample: Sample) => number) => {
  const part = samples.filter(({ hour }) => Math.ceil((4 * hour) / HOURS) === number).map(of);
  return part.reduce((sum, value) => sum + value, 0) / part.length;
};
const { rows } = await testbed.database.pool.query<{ fills: number }>('select count(*)::int as fills from bots.fills');
const print = (line: string) => process.stdout.write(`${line}\n`);
print(loadLine());
print(`${HOURS} hours of ${BOTS} bots, ${rows[0]?.fills} fills, in ${(performance.now() / 1_000).toFixed(0)} s`);
let grown = 1;
for (const what of ['heap', 'rss'] as const) {
  const figures = [1, 2, 3, 4].map((number) => quarter(number, (sample) => sample[what]));
  grown = Math.max(grown, (figures[3] ?? 0) / (figures[1] ?? 1));
  print(`${what} by quarters: ${figures.map((figure) => figure.toFixed(1)).join(', ')} MB`);
}
print(
  grown <= MAX_GROWTH ? 'flat' : `grown by ${(100 * (grown - 1)).toFixed(1)} % from the second to the last quarter`,
);
await worker.close();
await testbed.close();
process.exit(grown <= MAX_GROWTH ? 0 : 1);
