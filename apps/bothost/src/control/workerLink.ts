import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { CallError, errorBody } from '@heron/contract/http/errors.ts';
import type { FromChild, ToChild } from '@heron/contract/process/child.ts';
import { WebSocket } from 'ws';
import type { WorkerConfig, WorkerInfo } from '../config.ts';
import { secretHeader } from '../http/secret.ts';
import type { Logger } from '../log.ts';
import type { Push } from '../worker/broadcast.ts';
import { WORKER_PATHS } from '../worker/workerApi.ts';
import { forkWorker } from './forkWorker.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A worker that has run so long is taken for healthy: its next death is a first one. */
const HEALTHY_MS = 30_000;
const CALL_TIMEOUT_MS = 8_000;
const CLOSE_MS = 1_500;

/** Who listens at the moment. */
export interface AudienceNames {
  readonly owners: readonly string[];
  readonly bots: readonly string[];
}

/** Control's line to the worker of one exchange, which it starts, and starts again whenever it dies. */
export interface WorkerLink {
  readonly port: number;
  /** Process id at the moment; null between two lives. */
  pid(): number | null;
  /** @throws CallError with the worker's own code, or `unavailable` when it cannot be reached */
  call<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer>;
  tellAudience(audience: AudienceNames): void;
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
 * @param forked the process of its first life
 * @param onPush what the worker has for clients
 * @param onUp told whenever pushes begin to come (again): what was missed in between must be fetched
 * @throws WorkerFailed when its first start fails
 */
export async function openWorkerLink(
  forked: ChildProcess,
  config: WorkerConfig,
  log: Logger,
  onPush: (push: Push) => void,
  onUp: () => void,
): Promise<WorkerLink> {
  let closed = false;
  let socket: WebSocket | null = null;
  let audience: AudienceNames = { owners: [], bots: [] };
  let child = await startChild(forked, config);
  // Also when any port was asked for, later lives keep the one of the first.
  const port = child.info.port;
  const headers = secretHeader(config.secret);
  const life = keepAlive();
  connect();

  async function keepAlive(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!closed) {
      const began = performance.now();
      await child.gone;
      if (closed) return;
      log.warn('the worker has died and is started again');
      for (let started = false; !started && !closed; ) {
        pause = performance.now() - began > HEALTHY_MS ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
        await delay(pause);
        if (closed) return;
        try {
          child = await startChild(forkWorker(config.mode), { ...config, port });
          started = true;
        } catch (error) {
          log.error({ err: error }, 'the worker cannot be started; it is tried again');
        }
      }
    }
    if (closed) child.process.kill('SIGKILL');
  }

  function connect(): void {
    if (closed) return;
    const dialled = new WebSocket(`ws://127.0.0.1:${port}${WORKER_PATHS.stream}`, { headers });
    dialled.on('open', () => {
      socket = dialled;
      send();
      onUp();
    });
    dialled.on('message', (data) => {
      // Written by our own worker, which is trusted by the secret.
      onPush(JSON.parse(String(data)) as Push);
    });
    dialled.on('error', () => {});
    dialled.on('close', () => {
      if (socket === dialled) socket = null;
      setTimeout(connect, 100);
    });
  }

  function send(): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(audience));
  }

  return {
    port,
    pid: () =>
      child.process.exitCode === null && child.process.signalCode === null ? (child.process.pid ?? null) : null,
    async call<Answer>(method: 'GET' | 'POST', where: string, body?: object): Promise<Answer> {
      let response: Response;
      try {
        response = await fetch(`http://127.0.0.1:${port}${where}`, {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          body: body === undefined ? null : JSON.stringify(body),
          signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        });
      } catch {
        throw new CallError('unavailable');
      }
      const answer: unknown = await response.json().catch(() => null);
      if (response.ok) return answer as Answer;
      const told = errorBody.safeParse(answer);
      throw told.success ? new CallError(told.data.error.code, told.data.error.details) : new CallError('unavailable');
    },
    tellAudience(given) {
      audience = given;
      send();
    },
    async close() {
      closed = true;
      socket?.terminate();
      if (child.process.connected) child.process.send({ type: 'stop' } satisfies ToChild);
      await Promise.race([child.gone, delay(CLOSE_MS, undefined, { ref: false })]);
      child.process.kill('SIGKILL');
      await child.gone;
      await Promise.race([life, delay(0)]);
    },
  };
}

interface Child {
  readonly process: ChildProcess;
  readonly info: WorkerInfo;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
}

async function startChild(process: ChildProcess, config: WorkerConfig): Promise<Child> {
  const gone = new Promise<void>((resolve) => process.once('exit', () => resolve()));
  const outcome = Promise.withResolvers<WorkerInfo>();
  process.on('error', (error) => outcome.reject(new WorkerFailed(error.message, 'failed')));
  process.on('message', (message: FromChild) => {
    if (message.type === 'ready') outcome.resolve(message.info as WorkerInfo);
    else outcome.reject(new WorkerFailed(message.message, message.code));
  });
  gone.then(() => outcome.reject(new WorkerFailed('the worker ended before it was ready', 'failed')));
  process.send({ type: 'configure', config } satisfies ToChild);
  return { process, info: await outcome.promise, gone };
}
