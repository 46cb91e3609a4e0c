import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 120_000 });

const ROOT = path.join(import.meta.dirname, '..');
/** A checkout of its own, whose engine may be spoilt. */
const copy = mkdtempSync(path.join(os.tmpdir(), 'heron-built-'));
for (const part of ['scripts', 'packages/engine', 'package-lock.json']) {
  const isSource = (file: string) => !/^(dist.*|node_modules)$/.test(path.basename(file));
  cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true, filter: isSource });
}
symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
const ENGINE = path.join(copy, 'packages', 'engine');
const BUILT = path.join(ENGINE, 'dist', 'engine.cjs');
const UNITS = path.join(ENGINE, 'src', 'money', 'units.ts');

afterAll(() => rmSync(copy, { recursive: true }));

/** Runs a module inside the engine's folder, where it can import the engine by its name. @returns what it printed */
async function run(module: string, flags: readonly string[] = []): Promise<{ stdout: string; stderr: string }> {
  const args = [...flags, '--input-type=module', '--eval', module];
  return await promisify(execFile)(process.execPath, args, { cwd: ENGINE, maxBuffer: 1 << 26 });
}

/** Builds the engine in one file if necessary. @returns the flags that use it, and the output of the build */
async function makeSure(): Promise<{ flags: string[]; said: string }> {
  const { stdout, stderr } = await run(
    `import { engineInOneFile } from ${JSON.stringify(path.join(copy, 'scripts', 'build.mjs'))};
     console.log(JSON.stringify(await engineInOneFile()));`,
  );
  return { flags: JSON.parse(stdout.trim().split('\n').at(-1) ?? ''), said: stderr };
}

/** Prints every fill and the curve of a run over a walk of 5,000 candles. */
const BACKTEST = `
import { marketOf } from '@heron/engine/market/market.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { runBacktest } from '@heron/engine/backtest/backtest.ts';
import { fillsOf } from '@heron/engine/backtest/runRecord.ts';
const close = [];
for (let i = 0, seed = 7, price = 30_000; i < 5_000; i++) {
  seed = (seed * 16_807) % 2_147_483_647;
  price = Math.round(100 * price * (1 + (seed / 2_147_483_647 - 0.5) / 500)) / 100;
  close.push(price);
}
const open = [30_000, ...close.slice(0, -1)];
const candles = {
  length: close.length,
  time: Float64Array.from(close, (_, i) => 1_704_067_200_000 + 60_000 * i),
  open: Float64Array.from(open),
  high: Float64Array.from(close, (price, i) => Math.max(price, open[i])),
  low: Float64Array.from(close, (price, i) => Math.min(price, open[i])),
  close: Float64Array.from(close),
  volume: new Float64Array(close.length).fill(1),
};
const filters = { tickSize: 0.01, stepSize: 0.00001, minQuantity: 0.00001, maxQuantity: 9000, minNotional: 5 };
const market = marketOf({ pair: 'BTC-USDT', ...filters });
const watched = { watch_pairs: 'BTC-USDT', product_currency: 'USDT' };
const { options } = validateOptions({ ...watched, strategy: 'ema_cross', period: '1m', order_type: 'taker' });
const pairs = [{ market, candles, candleMs: 60_000 }];
const { record, equity } = runBacktest({ pairs, options, params: { fast: 12, slow: 26 } });
console.log(JSON.stringify([[...fillsOf(record)], [...equity]]));
`;

test('the engine in one file trades exactly as its sources do', async () => {
  const { flags, said } = await makeSure();
  expect(flags).not.toEqual([]);
  expect(said).toContain('Building the engine');
  const [whole, sources] = [await run(BACKTEST, flags), await run(BACKTEST)];
  expect(JSON.parse(sources.stdout)[0].length).toBeGreaterThan(50);
  expect(whole.stdout).toBe(sources.stdout);
});

test('its errors name the line of the source', async () => {
  const { flags } = await makeSure();
  const { stdout } = await run(
    `import { exact } from '@heron/engine/money/units.ts';
     try { exact(0.5); } catch (error) { console.log(import.meta.resolve('@heron/engine/money/units.ts'), error.stack); }`,
    flags,
  );
  const line =
    1 +
    readFileSync(UNITS, 'utf8')
      .split('\n')
      .findIndex((text) => text.includes('throw new AmountOutOfRange(value)'));
  expect(stdout).toContain('/dist/money/units.cjs');
  expect(stdout).toContain(`${UNITS}:${line}:`);
});

test('it is made again when a source has changed, and only then', async () => {
  const powerOfTen = `import { powerOfTen } from '@heron/engine/money/units.ts'; console.log(powerOfTen(3));`;
  await makeSure();
  const { mtimeMs } = statSync(BUILT);
  expect(await makeSure()).toMatchObject({ said: '' });
  expect(statSync(BUILT).mtimeMs).toBe(mtimeMs);
  const source = readFileSync(UNITS, 'utf8');
  writeFileSync(UNITS, source.replace('10 ** exponent)', '11 ** exponent)'));
  const { flags } = await makeSure();
  expect((await run(powerOfTen, flags)).stdout).toBe('1331\n');
  writeFileSync(UNITS, source);
});

test('where it cannot be made, the sources are used and it says so', async () => {
  const settings = path.join(ENGINE, 'vite.config.ts');
  const kept = readFileSync(settings, 'utf8');
  writeFileSync(settings, 'export default { build: { ssr: true, rolldownOptions: { input: "nowhere.ts" } } };\n');
  const { flags, said } = await makeSure();
  expect(flags).toEqual([]);
  expect(said).toContain('runs from its sources');
  writeFileSync(settings, kept);
});
