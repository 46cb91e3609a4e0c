/**
 * Measures an idle installation: the time until the app responds, and the proportional memory of its processes. Run it by
 * `node e2e/load/idle.ts [venues]`, such as `demo` or `demo,real,testnet`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = path.join(import.meta.dirname, '..', '..');
const [venues = 'demo,real,testnet'] = process.argv.slice(2);
const SETTLE_MS = 10_000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-idle-'));

/** Starts Heron and resolves with the time until it prints the address of the app. */
async function start(): Promise<{ child: ReturnType<typeof spawn>; ms: number }> {
  const began = performance.now();
  const ports = ['--port', '0', '--control-port', '0', '--sandbox-port', '0', '--worker-ports', 'free'];
  const args = ['apps/cli/src/main.ts', 'start', '--data', folder, '--venues', venues, ...ports];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('Ctrl-C')) break;
  }
  return { child, ms: Math.round(performance.now() - began) };
}

/** Returns the proportional set size of a process and its descendants, in MiB. */
function memoryOf(pid: number): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((name) => [Number(name), parentOf(name)]));
  const tree = new Set([pid]);
  for (let grown = 0; grown !== tree.size; ) {
    grown = tree.size;
    for (const [child, parent] of parents) if (tree.has(parent)) tree.add(child);
  }
  return [...tree].reduce((sum, each) => sum + pssOf(each), 0) / 1_024;
}

function parentOf(pid: string): number {
  try {
    return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}

/** Returns the proportional set size in KiB; 0 for a process that has just exited. */
function pssOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const first = await start();
first.child.kill('SIGINT');
await once(first.child, 'exit');
const { child, ms } = await start();
await delay(SETTLE_MS);
const memory = memoryOf(Number(child.pid));
child.kill('SIGINT');
await once(child, 'exit');
rmSync(folder, { recursive: true, force: true });
console.log(`venues ${venues}: first start ${first.ms} ms, next start ${ms} ms, ${memory.toFixed(0)} MiB when idle`);
