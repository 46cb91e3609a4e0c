import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CSS_BUDGET, FILE_BUDGET, firstLoad, JS_BUDGET, total } from '../size.ts';

const CLIENT = join(import.meta.dirname, '..');
const VITE = join(CLIENT, '../../node_modules/vite/bin/vite.js');

let dist: string;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'heron-client-'));
  // A process of its own: a test's NODE_ENV would put React's development build into the bundle.
  await promisify(execFile)(process.execPath, [VITE, 'build', '--outDir', dist, '--emptyOutDir'], {
    cwd: CLIENT,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}, 120_000);

afterAll(() => rm(dist, { recursive: true, force: true }));

test('the first load stays within its budget', async () => {
  const { js, css } = await firstLoad(dist);
  expect(js.size).toBeGreaterThan(3);
  expect(js.size).toBeLessThanOrEqual(FILE_BUDGET);
  expect(total(js)).toBeLessThan(JS_BUDGET);
  expect(total(css)).toBeLessThan(CSS_BUDGET);
});

test('the first load contains neither the chart, nor a validator, nor strategies', async () => {
  const { js } = await firstLoad(dist);
  for (const file of js.keys()) {
    const code = await readFile(join(dist, file), 'utf8');
    expect(code).not.toContain('lightweight-charts');
    expect(code).not.toContain('ZodError');
    expect(code).not.toContain('warmup');
  }
});
