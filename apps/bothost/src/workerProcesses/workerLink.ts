import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { FromChild, ToChild } from '@heron/contract/process/child.ts';
import { type Backoff, createBackoff } from '@heron/runtime/backoff.ts';
import type { WorkerConfig, WorkerInfo } from '../config.ts';
import type { Logger } from '../log.ts';
import { forkWorker } from './forkWorker.ts';
import { openWorkerConnection, type WorkerConnection, type WorkerListener } from './workerConnection.ts';

const RESTART = { minMs: 100, maxMs: 5_000 };
/** A worker that ran longer counts as healthy, and its exit resets the back-off. */
const HEALTHY_MS = 30_000;
const CLOSE_MS = 1_500;

/** The connection to a worker of this host, which is started, and started again whenever it exits. */
export interface WorkerLink extends WorkerConnection {
  readonly port: number;
  /** Returns the current process id; null between two starts. */
  pid(): number | null;
  close(): Promise<void>;
}

/** A worker could not be started. `code` is that of its error, for example `EADDRINUSE`. */
class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/**
 * @param forked the process of its first start
 * @throws WorkerFailed when its first start fails
 */
export async function openWorkerLink(
  forked: ChildProcess,
  config: WorkerConfig,
  log: Logger,
  listener: WorkerListener,
): Promise<WorkerLink> {
  let closed = false;
  let child = await startChild(forked, config);
  // Later starts use the port of the first one, also when it was any free port.
  const port = child.info.port;
  const connection = openWorkerConnection(`http://${config.workerHost}:${port}`, config.secret, listener);
  const life = keepAlive();

  async function keepAlive(): Promise<void> {
    const backoff = createBackoff(RESTART);
    while (!closed) {
      const began = performance.now();
      await child.exited;
      if (closed) return;
      log.warn('the worker has died and is started again');
      if (performance.now() - began > HEALTHY_MS) backoff.reset();
      await restart(backoff);
    }
    if (closed) child.process.kill('SIGKILL');
  }

  /** Starts the worker again, until that succeeds or the connection is closed. */
  async function restart(backoff: Backoff): Promise<void> {
    while (!closed) {
      await backoff.wait();
      if (closed) return;
      try {
        child = await startChild(forkWorker(config.mode), { ...config, port });
        return;
      } catch (error) {
        log.error({ err: error }, 'the worker cannot be started; it is tried again');
      }
    }
  }

  return {
    port,
    pid: () =>
      child.process.exitCode === null && child.process.signalCode === null ? (child.process.pid ?? null) : null,
    ...connection,
    async close() {
      closed = true;
      connection.disconnect();
      if (child.process.connected) child.process.send({ type: 'stop' } satisfies ToChild);
      await Promise.race([child.exited, delay(CLOSE_MS, undefined, { ref: false })]);
      child.process.kill('SIGKILL');
      await child.exited;
      await Promise.race([life, delay(0)]);
    },
  };
}

interface Child {
  readonly process: ChildProcess;
  readonly info: WorkerInfo;
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>;
}

async function startChild(process: ChildProcess, config: WorkerConfig): Promise<Child> {
  const exited = new Promise<void>((resolve) => process.once('exit', () => resolve()));
  const outcome = Promise.withResolvers<WorkerInfo>();
  process.on('error', (error) => outcome.reject(new WorkerFailed(error.message, 'failed')));
  process.on('message', (message: FromChild) => {
    if (message.type === 'ready') outcome.resolve(message.info as WorkerInfo);
    else outcome.reject(new WorkerFailed(message.message, message.code));
  });
  exited.then(() => outcome.reject(new WorkerFailed('the worker ended before it was ready', 'failed')));
  process.send({ type: 'configure', config } satisfies ToChild);
  return { process, info: await outcome.promise, exited };
}
