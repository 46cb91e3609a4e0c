import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

const ENTRY = path.join(import.meta.dirname, '..', 'worker', 'process.ts');

/** Starts a worker process that loads its modules and then waits for its configuration. It ends when this one does. */
export function forkWorker(): ChildProcess {
  // Without the parent's own flags: a test runner's loader is no business of the worker.
  return fork(ENTRY, [], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}
