import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

/** What may be loaded differs: only the process of live bots can reach what signs. */
const ENTRIES = {
  paper: path.join(import.meta.dirname, '..', 'worker', 'process.ts'),
  live: path.join(import.meta.dirname, '..', 'live', 'process.ts'),
} as const;

/** Starts a worker process that loads its modules and then waits for its configuration. It ends when this one does. */
export function forkWorker(mode: 'paper' | 'live' = 'paper'): ChildProcess {
  const { HERON_VAULT_KEY: vaultKey, ...env } = process.env;
  // What opens the vault is no business of paper bots either.
  const own = mode === 'live' && vaultKey !== undefined ? { ...env, HERON_VAULT_KEY: vaultKey } : env;
  // Without the parent's own flags: a test runner's loader is no business of the worker.
  return fork(ENTRIES[mode], [], { execArgv: [], env: own, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}
