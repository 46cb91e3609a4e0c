import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000 });

const ROOT = path.join(import.meta.dirname, '..');
const GONE_MS = 10_000;

/** A process and all that descend from it, from the top down. */
function family(top: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const parents = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const found = [top];
  for (const parent of found) found.push(...parents.filter(([, ppid]) => ppid === parent).map(([pid = 0]) => pid));
  return found;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs the demo market through npm, in a process group of its own as a terminal would. */
async function runThroughNpm(): Promise<{ npm: ChildProcess; pids: number[] }> {
  const npm = spawn('npm', ['run', '--silent', 'heron', '--', 'sandbox', '--port', '0', '--json'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(npm.stdout), 'line')) as [string];
  expect(JSON.parse(line)).toHaveProperty('binance.rest');
  return { npm, pids: family(npm.pid ?? 0) };
}

test.each([
  { how: 'Ctrl-C in a terminal, which reaches all', target: (pids: number[]) => -(pids[0] ?? 0), signal: 'SIGINT' },
  { how: 'SIGINT to npm alone', target: (pids: number[]) => pids[0] ?? 0, signal: 'SIGINT' },
  { how: 'SIGTERM to npm alone', target: (pids: number[]) => pids[0] ?? 0, signal: 'SIGTERM' },
  { how: 'kill -9 of npm', target: (pids: number[]) => pids[0] ?? 0, signal: 'SIGKILL' },
  { how: 'kill -9 of the script that npm runs', target: (pids: number[]) => pids[1] ?? 0, signal: 'SIGKILL' },
] as const)('$how ends the program under it', async ({ target, signal }) => {
  const { npm, pids } = await runThroughNpm();
  expect(pids).toHaveLength(3);
  const exited = once(npm, 'exit');
  process.kill(target(pids), signal);
  await exited;
  const deadline = Date.now() + GONE_MS;
  while (pids.some(isAlive) && Date.now() < deadline) await delay(20);
  expect(pids.filter(isAlive)).toEqual([]);
});

test('the exit code of the program is that of npm', async () => {
  const npm = spawn('npm', ['run', '--silent', 'heron', '--', 'sandbox', '--bogus'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  npm.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(npm, 'close');
  expect(code).toBe(1);
  expect(said).toContain("unknown option '--bogus'");
});
