import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

/** What may be loaded differs: only the process of live bots can reach what signs. */
const ENTRIES = {
  paper: path.join(import.meta.dirname, '..', 'worker', 'process.ts'),
  live: path.join(import.meta.dirname, '..', 'live', 'process.ts'),
} as const;

/** Half a second less until a worker is loaded. */
const QUICK_DRIZZLE = import.meta.resolve('@heron/database/quickDrizzle.ts');

/** Starts a worker process that loads its modules and then waits for its configuration. It ends when this one does. */
export function forkWorker(mode: 'paper' | 'live' = 'paper'): ChildProcess {
  // Without the parent's own flags: a test runner's loader is no business of the worker.
  return fork(ENTRIES[mode], [], {
    execArgv: ['--import', QUICK_DRIZZLE],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
