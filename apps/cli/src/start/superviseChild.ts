import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { FromChild, ToChild } from '@heron/contract/process/child.ts';

/** One process of Heron, from the supervisor's side. */
export type ChildPlan<Info> = {
  /** Name in messages, such as "the bot host". */
  readonly name: string;
  /** Module that calls `runChild`. */
  readonly entry: string;
  /**
   * Returns the configuration, at every start; may wait for what the child needs. The process loads its modules
   * meanwhile.
   *
   * @param previous what the child reported when it ran last
   */
  configuration(previous: Info | null): Promise<unknown>;
  /** Called with what the child reports each time that it runs again. */
  restarted?(info: Info): void;
};

export type SupervisedChild<Info> = {
  /** Resolves with the report of the first start; rejects with `ChildFailed` when that start fails. */
  readonly ready: Promise<Info>;
  /** From now on its end is expected: it is neither restarted nor reported. */
  expectEnd(): void;
  /** Sends SIGTERM, kills the process after `graceMs`, and resolves when it has exited. */
  stop(graceMs: number): Promise<void>;
};

/** A child process cannot do its work. */
export class ChildFailed extends Error {
  override readonly name = 'ChildFailed';
  readonly child: string;
  /** Code of the error of the child, for example `EADDRINUSE`. */
  readonly code: string;
  constructor(child: string, message: string, code: string) {
    super(`${capitalised(child)} cannot start: ${message}`);
    this.child = child;
    this.code = code;
  }
}

/** Code of the operating system with which a child reports that its port is taken. */
export const PORT_TAKEN_CODE = 'EADDRINUSE';

/** Loads a process that uses the database half a second faster. */
const QUICK_DRIZZLE = import.meta.resolve('@heron/database/quickDrizzle.ts');

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 10_000;
/** In ms. After this time a child counts as healthy, and the back-off begins from the start. */
const HEALTHY_MS = 30_000;
/** After a supervisor was killed, its children take a moment to notice and to free their ports and folders. */
const LEFTOVER_WAIT_MS = 5_000;
const MAY_BE_LEFTOVER = new Set([PORT_TAKEN_CODE, 'FOLDER_IN_USE']);

/**
 * Runs a process and restarts it with a growing back-off whenever it exits by itself. Only its first start may fail.
 *
 * @param log receives one line for the user
 */
export function superviseChild<Info>(plan: ChildPlan<Info>, log: (line: string) => void): SupervisedChild<Info> {
  const ended = new AbortController();
  const first = Promise.withResolvers<Info>();
  first.promise.catch(() => {}); // Nothing awaits a start that is interrupted.
  let info: Info | null = null;
  let process: ChildProcess | null = null;
  /** When a leftover process first prevented the start, ms since 1970. */
  let clashedAt: number | null = null;
  const loop = keepRunning();

  async function keepRunning(): Promise<void> {
    let deaths = 0;
    while (!ended.signal.aborted) {
      const forkedAt = Date.now();
      const end = await live();
      if (ended.signal.aborted) return;
      if (info === null) {
        if (!mayPass(end.code)) return first.reject(new ChildFailed(plan.name, end.reason, end.code));
      } else {
        log(`${capitalised(plan.name)} ended unexpectedly (${end.reason}); restarting it.`);
        deaths = Date.now() - forkedAt > HEALTHY_MS ? 0 : deaths + 1;
      }
      const pauseMs = Math.min(FIRST_BACKOFF_MS * 2 ** deaths, LONGEST_BACKOFF_MS);
      await delay(pauseMs, undefined, { signal: ended.signal }).catch(() => {});
    }
  }

  /** Whether the cause of a failed first start may pass: a leftover process still holds the port or the folder. */
  function mayPass(code: string): boolean {
    if (MAY_BE_LEFTOVER.has(code)) clashedAt ??= Date.now();
    return clashedAt !== null && Date.now() - clashedAt < LEFTOVER_WAIT_MS;
  }

  /** Runs the process once, from fork to exit. */
  async function live(): Promise<{ reason: string; code: string }> {
    const child = fork(plan.entry, [], {
      execArgv: ['--import', QUICK_DRIZZLE],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    process = child;
    let failure: { reason: string; code: string } | null = null;
    const exit = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `killed by ${signal}`));
      child.once('error', (error) => resolve(error.message));
    });
    child.on('message', (message: FromChild) => {
      if (message.type === 'failed') {
        failure = { reason: message.message, code: message.code };
        return;
      }
      // The plan of the supervisor names the child and the type of its report, so the report has that type.
      const reported = message.info as Info;
      if (info !== null) {
        log(`${capitalised(plan.name)} is running again.`);
        plan.restarted?.(reported);
      }
      info = reported;
      first.resolve(reported);
    });
    plan.configuration(info).then(
      (config) => send(child, { type: 'configure', config }),
      (error: unknown) => {
        failure = { reason: error instanceof Error ? error.message : String(error), code: 'failed' };
        child.kill('SIGKILL');
      },
    );
    const how = await exit;
    return failure ?? { reason: how, code: 'exit' };
  }

  return {
    ready: first.promise,
    expectEnd() {
      ended.abort();
    },
    async stop(graceMs) {
      ended.abort();
      const child = process;
      if (child !== null && isRunning(child)) {
        send(child, { type: 'stop' });
        const tooLate = setTimeout(() => child.kill('SIGKILL'), graceMs);
        if (isRunning(child)) await once(child, 'exit');
        clearTimeout(tooLate);
      }
      await loop;
    },
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function send(child: ChildProcess, message: ToChild): void {
  // The exit of the child reports that it has ended.
  if (child.connected) child.send(message, () => {});
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
