import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

/** The entry modules differ, because only the process of live bots may load code that signs requests. */
const ENTRIES = {
  paper: path.join(import.meta.dirname, '..', 'worker', 'process.ts'),
  live: path.join(import.meta.dirname, '..', 'live', 'process.ts'),
} as const;

/** Makes the start of a worker half a second shorter. */
const QUICK_DRIZZLE = import.meta.resolve('@heron/database/quickDrizzle.ts');

/** Starts a worker process that loads its modules and then waits for its configuration. It ends when this one does. */
export function forkWorker(mode: 'paper' | 'live' = 'paper'): ChildProcess {
  // The flags of the parent are not passed on, because a worker must not use the loader of a test runner.
  return fork(ENTRIES[mode], [], {
    execArgv: ['--import', QUICK_DRIZZLE],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
