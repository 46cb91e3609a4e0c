import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { candleColumns } from '@heron/engine/market/candle.ts';
import { readSeries } from '@heron/exchanges/candleStore/storedSeries.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zipOf } from './zipFile.ts';

const MAIN = path.join(import.meta.dirname, '..', 'src', 'main.ts');
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

interface Answer {
  code: number;
  out: string;
  err: string;
}

/** Runs the command line as a user does. */
function heron(...args: string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(NODE, [MAIN, ...args], { maxBuffer: 1 << 28 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** The pinned Node, independent of the Node that runs the tests. */
const NODE = path.join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin', 'node');

let folder: string;
let sandbox: Sandbox;
/** End of the fetched range, so long ago that all candles are closed and available. */
let end: string;
let start: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'heron-candle-store-'));
  sandbox = await startSandbox({ port: 0, seed: 5, faults: true });
  // Just after midnight, the newest day is not closed for long enough.
  const to = Math.floor((Date.now() - 60 * MINUTE) / DAY) * DAY;
  end = new Date(to).toISOString();
  start = new Date(to - 24 * DAY).toISOString();
}, 120_000);
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const fileOf = (data: string, pair: string, exchange = 'binance') =>
  path.join(data, 'candles', exchange, `${pair}-1m.arrow`);

function fetchArgs(data: string, ...rest: string[]): string[] {
  return ['candles', 'fetch', ...rest, '--url', sandbox.binance.rest, '--from', start, '--to', end, '--data', data];
}

async function fault(what: object): Promise<void> {
  const answer = await fetch(`${sandbox.binance.rest}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(what),
  });
  expect(answer.status).toBe(201);
}

async function faultsStruck(): Promise<number> {
  const listed = (await (await fetch(`${sandbox.binance.rest}/faults`)).json()) as { faults?: { struck: number }[] };
  return JSON.stringify(listed).match(/"struck":([1-9]\d*)/g)?.length ?? 0;
}

async function noFaults(): Promise<void> {
  await fetch(`${sandbox.binance.rest}/faults`, { method: 'DELETE' });
}

/** Resolves when a file of that name is created or replaced in a folder. */
async function appeared(directory: string, name: string, child: ChildProcess): Promise<void> {
  const found = Promise.withResolvers<void>();
  const watcher = watch(directory, (_, changed) => {
    if (changed === name) found.resolve();
  });
  child.once('exit', (code) => found.reject(new Error(`it ended with ${code} before ${name} was there`)));
  await found.promise.finally(() => watcher.close());
}

describe('heron candles fetch', () => {
  test('fetches 100,000 correct candles of three pairs, and requests none of them again', async () => {
    const data = path.join(folder, 'whole');
    const pairs = ['BTC-USDT', 'ETH-USDT', 'SOL-USDT'];
    const began = performance.now();
    const { code, out, err } = await heron(...fetchArgs(data, ...pairs), '--json');
    const took = performance.now() - began;
    expect({ code, err: err.replaceAll(/.* candles\n/g, '') }).toEqual({ code: 0, err: '' });
    const { series } = JSON.parse(out) as { series: Record<string, unknown>[] };
    expect(series.map(({ pair }) => pair)).toEqual(pairs);
    for (const one of series) {
      expect(one).toMatchObject({ complete: true, candles: 24 * 1_440, added: 24 * 1_440, gaps: [], begins: null });
    }
    expect(took).toBeLessThan(30_000);
    const again = await heron(...fetchArgs(data, ...pairs), '--json');
    for (const one of JSON.parse(again.out).series) expect(one).toMatchObject({ added: 0, answers: 0, complete: true });
    expect(await heron('candles', 'verify', '--data', data)).toMatchObject({ code: 0, err: '' });
    const listed = JSON.parse((await heron('candles', 'list', '--data', data, '--json')).out).series;
    expect(listed).toHaveLength(3);
    expect(listed[0]).toMatchObject({
      pair: 'BTC-USDT',
      from: Date.parse(start),
      to: Date.parse(end),
      gaps: 0,
      fault: null,
    });
    // The stored candles equal those of the exchange.
    const at = Date.parse(start) + 10_000 * MINUTE;
    const address = `${sandbox.binance.rest}/api/v3/klines?symbol=ETHUSDT&interval=1m&startTime=${at}&limit=3`;
    const rows = (await (await fetch(address)).json()) as (string | number)[][];
    const stored = await readSeries(fileOf(data, 'ETH-USDT'));
    const { time, open, high, low, close, volume } = stored?.candles ?? candleColumns(0);
    const row = time.indexOf(at);
    for (const [i, numbers] of rows.entries()) {
      const kept = [time, open, high, low, close, volume].map((column) => column[row + i]);
      expect(kept).toEqual(numbers.slice(0, 6).map(Number));
    }
  }, 120_000);

  test('a fetch that is killed or stopped by Ctrl-C continues to an identical file', async () => {
    const whole = path.join(folder, 'whole');
    const data = path.join(folder, 'killed');
    const file = fileOf(data, 'BTC-USDT');
    // 35 responses of 0.35 s take long enough for two intermediate writes.
    await fault({ kind: 'delay', match: 'GET /api/v3/klines', delayMs: 350 });
    const args = fetchArgs(data, 'BTC-USDT');
    await mkdir(path.dirname(file), { recursive: true });
    for (const signal of ['SIGKILL', 'SIGINT', 'SIGKILL'] as const) {
      const size = await readFile(file).then(
        (bytes) => bytes.length,
        () => 0,
      );
      const child = spawn(NODE, [MAIN, ...args], { stdio: 'ignore' });
      const ended = once(child, 'exit');
      // The first process is killed before its first write, the others after a write.
      await appeared(
        path.dirname(file),
        signal === 'SIGKILL' && size === 0 ? 'BTC-USDT-1m.arrow.lock' : 'BTC-USDT-1m.arrow',
        child,
      );
      child.kill(signal);
      const [code, by] = await ended;
      expect(code ?? by).toBe(signal === 'SIGINT' ? 130 : 'SIGKILL');
    }
    await noFaults();
    const left = await readdir(path.dirname(file));
    expect(left).toContain('BTC-USDT-1m.arrow.lock');
    const { code, out } = await heron(...args, '--json');
    expect(code).toBe(0);
    const [series] = JSON.parse(out).series;
    expect(series).toMatchObject({ complete: true, candles: 24 * 1_440, gaps: [] });
    expect(series.added).toBeGreaterThan(0);
    expect(series.added).toBeLessThan(24 * 1_440);
    expect(await readFile(file)).toEqual(await readFile(fileOf(whole, 'BTC-USDT')));
    expect(await readdir(path.dirname(file))).toEqual(['BTC-USDT-1m.arrow']);
  }, 120_000);

  test('survives lost responses, cut connections, server errors and rate limits', async () => {
    const data = path.join(folder, 'faults');
    const match = 'GET /api/v3/klines';
    await fault({ kind: 'drop', match, count: 1, skip: 2, at: 'after' });
    await fault({ kind: 'drop', match, count: 1, skip: 8 });
    await fault({ kind: 'answer', match, count: 1, skip: 12, status: 503, code: -1008, msg: 'Server is busy.' });
    await fault({
      kind: 'answer',
      match,
      count: 1,
      skip: 20,
      status: 429,
      code: -1003,
      msg: 'Too many requests.',
      retryAfter: 2,
    });
    const began = performance.now();
    const { code, err } = await heron(...fetchArgs(data, 'BTC-USDT'));
    expect(await faultsStruck()).toBe(4);
    await noFaults();
    expect(code).toBe(0);
    expect(err).toMatch(/too many requests; wait until .* retry in [23] s/);
    expect(performance.now() - began).toBeGreaterThan(2_000);
    expect(await readFile(fileOf(data, 'BTC-USDT'))).toEqual(
      await readFile(fileOf(path.join(folder, 'whole'), 'BTC-USDT')),
    );
  }, 120_000);

  test('explains in one line why it cannot run', async () => {
    const data = path.join(folder, 'wrong');
    const refused = async (...args: string[]) => {
      const { code, out, err } = await heron(
        'candles',
        'fetch',
        ...args,
        '--data',
        data,
        '--url',
        sandbox.binance.rest,
      );
      expect(code).toBe(1);
      return out + err;
    };
    expect(await refused('BTC-USDT')).toContain('set the first candle with --from');
    expect(await refused('BTC-USDT', 'NOPE-USDT', '--from', start)).toBe('heron: binance does not trade NOPE-USDT\n');
    expect(await refused('BTCUSDT', '--from', start)).toBe('heron: BTCUSDT is not a pair such as BTC-USDT\n');
    expect(await refused('BTC-USDT', '--from', start, '--period', '2m')).toContain(
      'has no candles of 2m; it has 1m, 3m',
    );
    expect(await refused('BTC-USDT', '--from', start, '--to', start)).toBe('heron: --from must be before --to\n');
    expect(await refused('BTC-USDT', '--from', start, '--exchange', 'kraken')).toContain('must be one of binance');
  });

  test('fetches from MEXC and from Binance USD-M too', async () => {
    const data = path.join(folder, 'others');
    const lastDays = new Date(Date.parse(end) - 3 * DAY).toISOString();
    for (const [exchange, { rest }] of [
      ['mexc', sandbox.mexc],
      ['binanceusdm', sandbox.binanceusdm],
    ] as const) {
      const args = ['--exchange', exchange, '--url', rest, '--from', lastDays, '--to', end, '--data', data, '--json'];
      const { code, out } = await heron('candles', 'fetch', 'ETH-USDT', ...args);
      expect(code).toBe(0);
      expect(JSON.parse(out).series[0]).toMatchObject({ candles: 3 * 1_440, gaps: [], complete: true });
    }
  }, 120_000);
});

describe('stored candles', () => {
  test('are used by a backtest that names a pair', async () => {
    const data = path.join(folder, 'whole');
    const run = ['backtest', '--strategy', 'ema_cross', '--period', '1h', '--json'];
    const named = await heron(...run, '--candles', 'BTC-USDT', '--data', data);
    const file = await heron(...run, '--candles', `BTC-USDT=${fileOf(data, 'BTC-USDT')}`);
    expect(named).toMatchObject({ code: 0, err: '' });
    // Candles of the store are real prices of the exchange. The origin of a given file is unknown.
    expect(named.out).toContain('"money":"backtest, real prices, simulated money"');
    const ofFile = file.out.replace('prices of the candle files', 'real prices');
    expect(named).toEqual({ ...file, out: ofFile });
    const missing = await heron(...run, '--candles', 'BTC-USDT', '--data', data, '--exchange', 'mexc');
    expect(missing).toMatchObject({ code: 1, out: '' });
    expect(missing.err).toContain('npx heron candles fetch BTC-USDT --exchange mexc');
  });

  test('that are damaged are reported with the next step by verify, list and fetch', async () => {
    const data = path.join(folder, 'damaged');
    await mkdir(path.join(data, 'candles', 'binance'), { recursive: true });
    const file = fileOf(data, 'BTC-USDT');
    const good = await readFile(fileOf(path.join(folder, 'whole'), 'BTC-USDT'));
    await writeFile(file, good.subarray(0, 100_000));
    const verified = await heron('candles', 'verify', '--data', data, '--repair');
    expect(verified.code).toBe(1);
    expect(verified.out).toContain(`${file}: 1 fault`);
    expect(verified.out).toContain(
      'move it away, then run npx heron candles fetch BTC-USDT --exchange binance --period 1m',
    );
    expect((await heron('candles', 'list', '--data', data)).out).toContain('is damaged');
    const fetched = await heron(...fetchArgs(data, 'BTC-USDT'));
    expect(fetched.code).toBe(1);
    expect(fetched.out).toContain('move it away');
  });
});

describe('heron candles import', () => {
  /** Returns rows in the format of Binance's dumps. @param scale 1,000 for microseconds */
  const dump = (from: number, count: number, scale: number) =>
    Array.from({ length: count }, (_, i) => {
      const open = (from + i) * MINUTE * scale;
      return `${open},10.5,12.25,9,11,${i}.5,${open + MINUTE * scale - 1},55.5,3,1.5,16.5,0`;
    });
  const HEAD =
    'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
  const FIRST = Date.UTC(2025, 0, 1) / MINUTE - 100;

  test('reads dumps in ms and µs, with and without header, packed, in any order', async () => {
    const dumps = path.join(folder, 'dumps');
    const data = path.join(folder, 'imported');
    await mkdir(dumps);
    const late = dump(FIRST + 100, 100, 1_000);
    // The second half comes before the first, and five rows are repeated.
    const disordered = [...late.slice(50), ...late.slice(0, 55)];
    await writeFile(path.join(dumps, 'BTCUSDT-1m-2024-12.csv'), dump(FIRST, 100, 1).join('\n'));
    await writeFile(path.join(dumps, 'BTCUSDT-1m-2025-01.zip'), zipOf([HEAD, ...disordered].join('\r\n')));
    await writeFile(path.join(dumps, 'ETHUSDT-1m-2025-01.csv'), dump(FIRST, 7, 1).join('\n'));
    const args = ['candles', 'import', dumps, '--pair', 'BTC-USDT', '--data', data];
    const { code, out } = await heron(...args);
    expect({ code, out }).toEqual({
      code: 0,
      out: `200 candles, 2024-12-31 22:20 to 2025-01-01 01:39 UTC, from 2 files, 55 rows sorted, 5 duplicate rows, 200 new, written to ${fileOf(data, 'BTC-USDT')}, which now contains 200\n`,
    });
    const twice = JSON.parse((await heron(...args, '--json')).out);
    expect(twice).toMatchObject({ files: 2, bad: 0, doubled: 5, contradicting: 0, stored: 200, added: 0, changed: 0 });
    expect(await heron('candles', 'verify', '--data', data)).toMatchObject({ code: 0 });
  });

  test('rejects a damaged zip, and a folder without candles, in one line', async () => {
    const zip = path.join(folder, 'half.zip');
    await writeFile(zip, zipOf(dump(FIRST, 1_000, 1).join('\n')).subarray(0, 3_000));
    const out = path.join(folder, 'zip.arrow');
    expect((await heron('candles', 'import', zip, '--out', out)).err).toBe(
      `heron: ${zip} is an incomplete or damaged zip file: download it again\n`,
    );
    const empty = path.join(folder, 'nothing');
    await mkdir(empty);
    expect((await heron('candles', 'import', empty, '--out', out)).err).toBe(`heron: ${empty} contains no candles\n`);
    expect((await heron('candles', 'import', zip)).err).toContain('set the destination');
  });
});
