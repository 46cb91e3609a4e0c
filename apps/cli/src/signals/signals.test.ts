import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { strategyOf } from '@heron/engine/strategies/catalogue.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignalsDocument } from './document.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..', '..');
const VECTORS = path.join(ROOT, '..', 'shared', 'engine', 'vectors');
const CANDLES = path.join(VECTORS, 'candles.csv');

/** Runs the command line as a user does. */
function signals(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(ROOT, 'apps', 'cli', 'bin', 'heron.js'), 'signals', ...args],
      { maxBuffer: 1 << 28 },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

async function document(...args: string[]): Promise<SignalsDocument> {
  const { code, out, err } = await signals('--json', ...args);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as SignalsDocument;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'heron-signals-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('heron signals', () => {
  const vectors = JSON.parse(readFileSync(path.join(VECTORS, 'expected.json'), 'utf8')) as {
    strategies: Record<string, Pick<SignalsDocument, 'enterLong' | 'exitLong' | 'enterShort' | 'exitShort'>>;
  };

  for (const id of ['macd', 'rsi', 'psar']) {
    test(`${id}: --raw prints all signals, and without it those of the warm-up are omitted`, async () => {
      const raw = await document('--candles', CANDLES, '--strategy', id, '--raw');
      expect(raw).toMatchObject(vectors.strategies[id] as object);
      expect(raw.time).toHaveLength(600);
      const { strategy, params } = strategyOf(id, {});
      expect(Object.keys(raw.values)).toEqual(strategy.series(params).map(({ name }) => name));
      for (const column of Object.values(raw.values)) expect(column).toHaveLength(600);

      const masked = await document('--candles', CANDLES, '--strategy', id);
      const least = strategy.warmup(params) - 1;
      const counts = (indices: readonly number[]) => indices.filter((index) => index >= least);
      expect(masked.exitLong).toEqual(counts(raw.exitLong));
      expect(masked.enterLong).toEqual(counts(raw.enterLong));
      expect(masked.exitLong.length).toBeLessThan(raw.exitLong.length);
      expect(masked.values).toEqual(raw.values);
    });
  }

  test('a longer period merges the candles of the file', async () => {
    const candles = path.join(ROOT, '..', 'shared', 'data', 'BTCUSDT-1m-2024H1.csv.gz');
    const { time } = await document('--candles', candles, '--period', '1d');
    expect(time.length).toBeGreaterThan(100);
    expect(time.every((ms) => ms % 86_400_000 === 0)).toBe(true);
    const { code, err } = await signals('--candles', candles, '--period', '7m');
    expect(code).toBe(1);
    expect(err).toContain('--period 7m must be one of 1m, 2m');
  });

  test('parameters are checked, lists are JSON', async () => {
    const given = await document(
      ...['--candles', CANDLES, '--strategy', 'vote', '--param', 'quorum=1'],
      ...['--param', 'members=[{"id":"rsi"},{"id":"macd"}]'],
    );
    expect(Math.max(...(given.values.buy_votes as number[]))).toBe(2);
    const wrong = await signals('--candles', CANDLES, '--strategy', 'rsi', '--param', 'length=1', '--param', 'x=1');
    expect(wrong).toMatchObject({ code: 1, out: '' });
    expect(wrong.err).toBe('heron: length must be a whole number from 2 to 100\nrsi has no parameter x\n');
    const broken = await signals('--candles', CANDLES, '--strategy', 'vote', '--param', 'members=[{');
    expect(broken.err).toContain('--param members is a list: write it as JSON');
  });

  test('bad rows are reported, and skipped with --repair', async () => {
    const file = path.join(folder, 'bad.csv');
    await writeFile(file, '0,1,1,1,1,1\n60000,1,1,2,1,1\n120000,1,1,1,1,1\n');
    const { code, err } = await signals('--candles', file);
    expect(code).toBe(1);
    expect(err).toContain('line 2: high 1 is below low 2');
    expect((await document('--candles', file, '--repair')).time).toEqual([0, 120_000]);
  });

  test('without --json a table of the newest signals is printed', async () => {
    const { out } = await signals('--candles', CANDLES, '--strategy', 'supertrend');
    const lines = out.trim().split('\n');
    expect(lines[0]?.split(/\s{2,}/)).toEqual(['candle', 'time (UTC)', 'signal', 'supertrend']);
    expect(lines.at(-1)).toMatch(/^600 candles, signals on \d+\.$/);
    expect(lines.length).toBeGreaterThan(10);
  });
});
