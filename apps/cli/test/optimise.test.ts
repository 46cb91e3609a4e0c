import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OptimiseDocument } from '../src/optimise/document.ts';
import { openPool } from '../src/optimise/pool.ts';

const MAIN = path.join(import.meta.dirname, '..', 'src', 'main.ts');
const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

interface Answer {
  code: number;
  out: string;
  err: string;
}

/** Runs the command line as a user does. */
function heron(...args: string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { maxBuffer: 1 << 26 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** Returns hourly candles that oscillate with two periods around a rising price. */
function csvOf(length: number): string {
  const at = (hour: number) => 100 + hour / 200 + 8 * Math.sin(hour / 9) + 3 * Math.sin(hour / 2.3);
  const rows = Array.from({ length }, (_, i) => {
    const [open, close] = [at(i), at(i + 1)];
    const prices = [open, Math.max(open, close) + 0.1, Math.min(open, close) - 0.1, close];
    return [START + i * HOUR, ...prices.map((price) => price.toFixed(2)), 1].join(',');
  });
  return `timestamp_ms,open,high,low,close,volume\n${rows.join('\n')}\n`;
}

let folder: string;
let file: string;
let usual: string[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'heron-optimise-'));
  file = path.join(folder, 'candles.csv');
  await writeFile(file, csvOf(24 * 60));
  usual = [
    ...['--candles', file, '--pair', 'BTC-USDT', '--strategy', 'ema_cross', '--period', '1h'],
    ...['--option', 'order_type=taker', '--option', 'min_periods=18'],
  ];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function document(...args: string[]): Promise<OptimiseDocument> {
  const { code, out, err } = await heron('optimise', ...usual, '--json', ...args);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as OptimiseDocument;
}

describe('heron optimise', () => {
  const vary = ['--vary', 'fast=2:12:2', '--vary', 'slow=4:24:5', '--vary', 'option:buy_pct=10,50'];

  test('finds the same sets in the same order with one, two and three workers', async () => {
    for (const more of [[], ['--walk-forward', '20d/10d']]) {
      const runs = await Promise.all(
        ['1', '2', '3'].map((workers) => heron('optimise', ...usual, ...vary, ...more, '--json', '--workers', workers)),
      );
      runs.forEach(({ code, err }, i) => {
        expect({ code, err }).toEqual({ code: 0, err: `Trying 46 sets on ${i + 1} worker${i === 0 ? '' : 's'}\n` });
      });
      const [first, ...others] = runs.map(({ out }) => out);
      for (const other of others) expect(other).toBe(first);
      expect(JSON.parse(first ?? '')).toMatchObject({ combinations: 60, tried: 46, refused: 14, complete: true });
    }
  });

  test('its figures of a set are those of heron backtest', async () => {
    const { top } = await document(...vary, '--by', 'net_profit', '--top', '3');
    expect(top.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    for (const { params, options, figures, score } of top) {
      const given = Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
      const backtest = await heron('backtest', ...usual, ...given, '--option', `buy_pct=${options.buy_pct}`, '--json');
      const { metrics } = JSON.parse(backtest.out) as { metrics: Record<string, unknown> };
      expect(metrics).toMatchObject(figures);
      expect(score).toBe(figures.netProfit);
    }
    expect(top[0]?.score).toBeGreaterThan(top[2]?.score ?? Number.POSITIVE_INFINITY);
  });

  test('several periods share one file', async () => {
    const { top } = await document('--vary', 'option:period=1h,2h,4h', '--param', 'fast=3', '--param', 'slow=6');
    expect(top.map(({ options }) => options.period).toSorted()).toEqual(['1h', '2h', '4h']);
    for (const { options, figures } of top) {
      const args = ['--param', 'fast=3', '--param', 'slow=6', '--period', String(options.period), '--json'];
      const { out } = await heron('backtest', ...usual.filter((arg) => arg !== '--period' && arg !== '1h'), ...args);
      expect((JSON.parse(out) as { metrics: object }).metrics).toMatchObject(figures);
    }
  });

  test('a sample is a part of the grid, and its seed selects it again', async () => {
    const draw = (seed: string) => document(...vary, '--sample', '7', '--seed', seed, '--top', '7');
    const [once, again, other] = await Promise.all([draw('7'), draw('7'), draw('8')]);
    expect(once).toEqual(again);
    expect(once).toMatchObject({ tried: 7, sample: { count: 7, seed: 7 } });
    const sets = ({ top }: OptimiseDocument) => top.map(({ params, options }) => JSON.stringify([params, options]));
    expect(sets(other).toSorted()).not.toEqual(sets(once).toSorted());
    const all = await document(...vary, '--top', '100');
    expect(sets(all).filter((set) => sets(once).includes(set))).toEqual(sets(once));
  });

  test('a walk-forward selects on each training window and reports the test after it', async () => {
    const { walkForward, outOfSample } = await document(...vary, '--walk-forward', '20d/10d', '--by', 'net_profit');
    expect(walkForward?.windows).toHaveLength(4);
    for (const [i, { train, test, chosen }] of (walkForward?.windows ?? []).entries()) {
      expect(train).toEqual({ from: START + i * 240 * HOUR, to: START + (i * 240 + 480) * HOUR });
      expect(test).toEqual({ from: train.to, to: train.to + 240 * HOUR });
      expect(chosen?.testRank).toBeGreaterThanOrEqual(1);
      expect(chosen?.testRank).toBeLessThanOrEqual(46);
    }
    expect(outOfSample).toMatchObject({ tried: 184 });
    const text = await heron('optimise', ...usual, ...vary, '--walk-forward', '20d/10d');
    expect(text.out).toContain('2024-01-21 … 2024-01-31');
    expect(text.out).toContain('Selected sets');
  });

  test('the table lists the best sets and summarises the others', async () => {
    const { code, out } = await heron('optimise', ...usual, ...vary, '--top', '2');
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/, Binance spot \(backtest, prices of the candle files, simulated money\)$/);
    expect(lines[1]).toContain('60 combinations, 14 invalid');
    expect(lines[3]).toMatch(/^# {2}Set +Score/);
    expect(lines.filter((line) => /^[0-9]+ {2}fast/.test(line))).toHaveLength(2);
    expect(out).toMatch(/All sets +46 runs: best score .*% profitable/);
  });

  for (const [args, message] of [
    [[], 'set what to vary with --vary'],
    [['--vary', 'fst=1,2'], 'ema_cross has no parameter fst; it has fast, slow, band'],
    [['--vary', 'buy_pct=1,2'], 'write --vary option:buy_pct='],
    [['--vary', 'fast=1:x'], '"x" is not a number'],
    [['--vary', 'fast=5:1'], 'the end lies before the beginning'],
    [['--vary', 'fast=30', '--vary', 'fast=31'], '--vary names fast twice'],
    [['--vary', 'fast=30', '--vary', 'slow=20'], 'slow must be longer than fast'],
    [['--vary', 'fast=5', '--by', 'luck'], '--by luck must be one of net_profit, sharpe'],
    [['--vary', 'fast=5', '--walk-forward', '90d'], 'must have the form 90d/30d'],
    [['--vary', 'fast=5', '--walk-forward', '90d/30d'], 'the candles span 60.0 days'],
    [['--vary', 'fast=5', '--workers', '0'], '--workers 0 must be a whole number from 1'],
    [['--vary', 'fast=2:100', '--vary', 'slow=3:300', '--vary', 'band=0:2:0.01'], 'try some of them with --sample'],
    [['--vary', 'option:exchange=binance,mexc'], 'exchange cannot be varied'],
  ] as const) {
    test(`reports the fault: ${message}`, async () => {
      const { code, out, err } = await heron('optimise', ...usual, ...args);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(message);
      expect(err.startsWith('heron: ')).toBe(true);
    });
  }

  test('Ctrl-C stops at once and prints the results so far', async () => {
    const large = path.join(folder, 'large.csv');
    await writeFile(large, csvOf(24 * 2_000));
    const child = spawn(process.execPath, [
      ...[MAIN, 'optimise', '--candles', large, '--pair', 'BTC-USDT', '--strategy', 'ema_cross', '--period', '1h'],
      ...['--vary', 'fast=2:90', '--vary', 'slow=91:140', '--vary', 'option:buy_pct=1:100:1', '--sample', '200000'],
      ...['--json', '--workers', '2'],
    ]);
    let out = '';
    let err = '';
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      err += data.toString();
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await new Promise<void>((resolve) => {
      child.stderr.on('data', () => {
        if (err.includes('Trying 200000 sets on 2 workers\n')) resolve();
      });
    });
    // Behind npx the signal arrives twice: from the terminal, and forwarded by the parent process.
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(err).toMatch(/heron: stopped; \d+ of 200000 sets were tried\n$/);
    const { complete, tried, chosen } = JSON.parse(out) as OptimiseDocument;
    expect({ complete, chosen }).toEqual({ complete: false, chosen: 200_000 });
    expect(tried).toBeLessThan(chosen);
  });
});

describe('the workers of a search', () => {
  const fixture = new URL('./fixtures/dyingWorker.ts', import.meta.url);
  const jobOf = (strategy: string) => ({
    space: { base: { options: { strategy }, params: {} }, axes: [] },
    courses: new Map(),
    stretches: [],
  });

  test('one that ends causes an error', async () => {
    const pool = openPool(jobOf('ends'), 2, fixture);
    await expect(pool.run([0, 1, 2], () => {})).rejects.toThrow(
      /worker \d of 2 ended with code 3 before it had finished/,
    );
    await pool.close();
  });

  test('one that throws causes an error with its message', async () => {
    const pool = openPool(jobOf('throws'), 1, fixture);
    await expect(pool.run([0], () => {})).rejects.toThrow('worker 1 of 1 stopped: out of luck');
    await pool.close();
  });

  test('a set that the engine cannot run is reported', async () => {
    const pool = openPool(jobOf('nothing'), 1);
    await expect(pool.run([5], () => {})).rejects.toMatchObject({ name: 'SetFailed', index: 5 });
    await pool.close();
  });
});
