import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createBot } from '@heron/bothost/store/botStore.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freeMarketPort } from '../app/heron.ts';
import { until } from './botHost.ts';

const BOTS = 8;
/** Start timeout in ms. A fully loaded machine can need more than a minute. */
const START_MS = 110_000;

let folder: string;
let temporary: TemporaryDatabase;
let database: Database;
const open: ChildProcess[] = [];

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-second-'));
  temporary = await temporaryDatabase({ migrated: false });
  database = openDatabase(temporary.url);
});

afterEach(async () => {
  for (const child of open.splice(0)) await kill(child);
  await database.close();
  await temporary.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `heron start` on separate ports, in a separate process group. */
function start(name: string, sandboxPort: number, ...flags: string[]) {
  const ports = ['--port', '--control-port'].flatMap((flag) => [flag, '0']);
  const child = spawn(
    process.execPath,
    [
      ...[path.join(import.meta.dirname, '..', '..', 'apps', 'cli', 'src', 'main.ts'), 'start'],
      ...['--data', path.join(folder, name), '--sandbox-port', String(sandboxPort), ...ports, ...flags],
    ],
    {
      env: { ...process.env, HERON_DATABASE_URL: temporary.url },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  open.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return {
    child,
    printed: (pattern: RegExp) => until(() => pattern.test(output), `${name} to print ${pattern}`, START_MS),
    async refused() {
      await once(child, 'close');
      return output;
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-(child.pid as number), 'SIGKILL');
  await once(child, 'exit');
}

/** Returns the number of running bots of each live host. */
async function spread(): Promise<number[]> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from bots.snapshots s join bots.workers w on w.id = s.worker
     where s.status = 'working' and w.seen_at > (extract(epoch from clock_timestamp()) - 6) * 1000 group by w.host`,
  );
  return rows.map(({ count }) => count);
}

test('a second bot host shares the bots, and runs all when the first machine dies', async () => {
  const port = await freeMarketPort();
  const market = `http://127.0.0.1:${port}`;
  const second = () => start('second', 0, '--role', 'bothost', '--market', market);
  const first = start('first', port);
  await first.printed(/Ctrl-C stops it/);
  expect(await second().refused()).toMatch(/secret is missing\. Copy it/);
  copyFileSync(path.join(folder, 'first', 'secret'), path.join(folder, 'second', 'secret'));
  await second().printed(/has joined/);

  for (let n = 0; n < BOTS; n++) {
    const checked = validateOptions({ watch_pairs: 'BTC-USDT', period: '1m' });
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    await createBot(database, '1', { name: `bot ${n}`, options: checked.options, params: {} }, Date.now());
  }
  await database.pool.query("update bots.bots set wanted = 'running'");
  const total = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
  await until(
    async () => {
      const counts = await spread();
      return counts.length === 2 && total(counts) === BOTS;
    },
    'both hosts to have bots',
    60_000,
  );
  const since = performance.now();
  await kill(first.child);
  await until(
    async () => {
      const counts = await spread();
      return counts.length === 1 && total(counts) === BOTS;
    },
    'the second host to have them all',
    30_000,
  );
  expect(performance.now() - since).toBeLessThan(25_000);
});

test('a second bot host reports its missing settings', async () => {
  expect(await start('lonely', 0, '--role', 'bothost').refused()).toMatch(/needs --market/);
  const market = ['--market', 'http://127.0.0.1:1'];
  expect(await start('lonely', 0, '--role', 'bothost', ...market).refused()).toMatch(/secret is missing/);
});
