import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..', '..', '..');
const CANDLES = path.join(ROOT, '..', 'shared', 'data', 'ETHUSDT-1m-2021.csv.gz');

/** Runs the command line as a user does. */
function heron(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(ROOT, 'apps', 'cli', 'bin', 'heron.js'), ...args],
      { maxBuffer: 1 << 28 },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

let folder: string;
let arrow: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'heron-candles-'));
  arrow = path.join(folder, 'candles.arrow');
  const { code, err } = await heron('candles', 'import', CANDLES, '--out', arrow);
  if (code !== 0) throw new Error(err);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('heron candles import', () => {
  test('signals and backtests of the Arrow file equal those of the csv', async () => {
    for (const command of [
      ['signals', '--strategy', 'macd', '--period', '1h'],
      ['backtest', '--pair', 'BTC-USDT', '--strategy', 'ema_cross', '--period', '1h'],
    ]) {
      const csv = await heron(...command, '--json', '--candles', CANDLES);
      const same = await heron(...command, '--json', '--candles', arrow);
      expect(csv).toMatchObject({ code: 0, err: '' });
      expect(same).toEqual(csv);
    }
  });

  test('reports what it wrote, rejects bad rows, and skips them with --repair', async () => {
    const source = path.join(folder, 'bad.csv');
    const out = path.join(folder, 'good.arrow');
    const rows = ['1,1,1,1,1', '1,1,2,1,1', '1,1,1,1,1'].map((row, i) => `${Date.UTC(2024, 0, 1, 0, i)},${row}\n`);
    await writeFile(source, rows.join(''));
    const refused = await heron('candles', 'import', source, '--out', out);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('line 2: high 1 is below low 2');
    expect(await readdir(folder)).not.toContain('good.arrow');
    const { out: output } = await heron('candles', 'import', source, '--out', out, '--repair');
    expect(output).toBe(`2 candles, 2024-01-01 00:00 to 2024-01-01 00:02 UTC, 1 bad row skipped, written to ${out}\n`);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('rejects times in seconds, for a file or for the store, and writes nothing', async () => {
    const rows = [0, 1, 2].map((i) => `${1_704_067_200 + 60 * i},1,1,1,1,1`);
    const source = path.join(folder, 'seconds.csv');
    await writeFile(source, ['timestamp_ms,open,high,low,close,volume', ...rows, ''].join('\n'));
    const out = path.join(folder, 'seconds.arrow');
    for (const target of [
      ['--out', out],
      ['--pair', 'BTC-USDT', '--data', path.join(folder, 'data')],
    ]) {
      const { code, err } = await heron('candles', 'import', source, ...target);
      expect([code, err]).toEqual([1, expect.stringMatching(/look like seconds.*milliseconds or microseconds/)]);
    }
    expect(await readdir(folder)).not.toContain('seconds.arrow');
    const odd = path.join(folder, 'odd.csv');
    await writeFile(
      odd,
      ['timestamp_ms,open,high,low,close,volume', '1704067201000,1,1,1,1,1', '1704067261000,1,1,1,1,1', ''].join('\n'),
    );
    expect((await heron('candles', 'import', odd, '--out', out)).err).toMatch(/which does not fit 1m/);
  });

  test('an unwritable file is reported in one line', async () => {
    const out = path.join(folder, 'no', 'such', 'folder.arrow');
    expect(await heron('candles', 'import', CANDLES, '--out', out)).toEqual({
      code: 1,
      out: '',
      err: `heron: cannot write ${out}: ENOENT\n`,
    });
  });

  test('a damaged Arrow file is rejected in one line', async () => {
    const whole = await readFile(arrow);
    const cut = path.join(folder, 'cut.arrow');
    await writeFile(cut, whole.subarray(0, whole.length - 100));
    expect(await heron('signals', '--candles', cut)).toEqual({
      code: 1,
      out: '',
      err: `heron: ${cut} is damaged: it is no whole Arrow file\n`,
    });
  });
});
