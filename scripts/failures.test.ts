import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..');

test('what fails in a run is noted by file, name and message; what passes is not', () => {
  // Inside the checkout, where `vitest` can be imported from.
  const cache = path.join(ROOT, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'failures-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const noted = path.join(folder, 'failures.txt');
  writeFileSync(
    path.join(folder, 'broken.test.mjs'),
    `import { beforeAll, describe, expect, test } from 'vitest';
     test('one and one', () => expect(1 + 1).toBe(3));
     test('passes', () => expect(1).toBe(1));
     describe('a group', () => {
       beforeAll(() => { throw new Error('the hook is broken'); });
       test('is not reached', () => {});
     });
     test('leaves a promise alone', async () => {
       Promise.reject(new Error('nobody waits'));
       await new Promise(setImmediate);
     });`,
  );
  writeFileSync(path.join(folder, 'unreadable.test.mjs'), `throw new Error('not to be loaded');`);
  const run = spawnSync(
    process.execPath,
    [
      path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--root',
      folder,
      '--reporter',
      path.join(ROOT, 'scripts', 'failures.ts'),
    ],
    { env: { ...process.env, HERON_FAILURES: noted }, encoding: 'utf8' },
  );

  expect(run.status, run.stdout + run.stderr).toBe(1);
  const lines = readFileSync(noted, 'utf8').split('\n');
  const titles = lines.filter((line) => line.startsWith('✗')).map((line) => line.replace(/^✗ .*\//, '✗ '));
  expect(titles.toSorted()).toEqual([
    '✗ an error outside the tests',
    '✗ broken.test.mjs > a group',
    '✗ broken.test.mjs > one and one',
    '✗ unreadable.test.mjs',
  ]);
  for (const message of ['the hook is broken', 'expected 2 to be 3', 'nobody waits', 'not to be loaded'])
    expect(
      lines.some((line) => line.includes(message)),
      message,
    ).toBe(true);
});
