import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { NODE, ROOT } from './paths.mjs';

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const PARENT_CHECK_MS = 500;

/**
 * Runs a program in the foreground and waits for its end. Signals are forwarded, and the program never outlives this
 * process: it receives SIGTERM when npm above this process is killed. When this process is killed, its message channel
 * closes, and `heron start` stops on that as well.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, channel?: boolean }} [options] `channel`: open a message channel
 * @returns {Promise<number>} its exit code, or 128 + number of the signal that ended it
 */
export function run(program, args, options = {}) {
  const child = spawn(program, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: options.channel ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
  });
  const forward = /** @param {NodeJS.Signals} signal */ (signal) => void child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  const parent = process.ppid;
  // Outside npm the parent may be a shell that ends on purpose, as in `setsid heron start &`.
  const watch = process.env.npm_lifecycle_event
    ? setInterval(() => {
        if (process.ppid !== parent) child.kill('SIGTERM');
      }, PARENT_CHECK_MS)
    : undefined;
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      for (const name of FORWARDED) process.removeListener(name, forward);
      clearInterval(watch);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/**
 * Runs a script or package program under the pinned Node; see `run`.
 *
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runNode(args, options) {
  return run(NODE, args, options);
}
