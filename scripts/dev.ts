import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, watch } from 'node:fs';
import path from 'node:path';

// `npm run dev`: Vite serves the client and reloads it in place; Heron is restarted when its sources change.

const ROOT = path.join(import.meta.dirname, '..');
const HERON = path.join(ROOT, 'apps', 'cli', 'src', 'main.ts');
const VITE = path.join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
/** Saving a file or switching branches raises several events, so a restart waits this long for more. */
const SETTLE_MS = 150;

let stopping = false;
let heron = startHeron();
const vite = spawn(process.execPath, [VITE], { cwd: path.join(ROOT, 'apps', 'client'), stdio: 'inherit' });
vite.once('exit', () => void stop());

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
process.once('disconnect', () => void stop());
process.channel?.unref();

let settled: NodeJS.Timeout | undefined;
for (const folder of globSync(['packages/*/src', 'apps/{bothost,cli,platform,sandbox}/src'], { cwd: ROOT })) {
  watch(path.join(ROOT, folder), { recursive: true }, (_event, file) => {
    if (file === null || /\.test\.tsx?$/.test(file)) return;
    clearTimeout(settled);
    settled = setTimeout(() => void restart(path.join(folder, file)), SETTLE_MS);
  });
}

function startHeron(): ChildProcess {
  const child = spawn(process.execPath, [HERON, 'start', ...process.argv.slice(2)], {
    cwd: ROOT,
    // Heron stops when this channel closes, as it does when this process dies.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  child.once('exit', (code) => {
    if (!stopping && code !== 0) console.log('Heron ended; it restarts when a file changes.');
  });
  return child;
}

async function restart(because: string): Promise<void> {
  console.log(`${because} changed; restarting Heron.`);
  const old = heron;
  await end(old);
  // Another change may have restarted it meanwhile.
  if (!stopping && heron === old) heron = startHeron();
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  clearTimeout(settled);
  await Promise.all([end(heron), end(vite)]);
  // Recursive watchers on Linux keep the process alive.
  process.exit();
}
