import { CallError, errorBody } from '@heron/contract/http/errors.ts';
import { WebSocket } from 'ws';
import { secretHeader } from '../http/secret.ts';
import type { Push } from '../runner/broadcast.ts';
import { WORKER_PATHS } from '../worker/workerApi.ts';

const CALL_TIMEOUT_MS = 8_000;
const RECONNECT_MS = 100;

/** The owners and bots that clients watch at the moment. */
export interface AudienceNames {
  readonly owners: readonly string[];
  readonly bots: readonly string[];
}

/** A connection to a worker of this bot host or of another. */
export interface WorkerConnection {
  /** @throws CallError with the worker's own code, or `unavailable` when it cannot be reached */
  call<Answer>(method: 'GET' | 'POST', path: string, body?: object, timeoutMs?: number): Promise<Answer>;
  setAudience(audience: AudienceNames): void;
  disconnect(): void;
}

/** Receives the pushes of a worker. */
export interface WorkerListener {
  /** Is called with each message for clients. */
  onPush(push: Push): void;
  /** Is called whenever the connection is up again; pushes in between were missed. */
  onUp(): void;
}

/**
 * Opens a connection to a worker, and reopens it whenever it is lost. The worker need not run yet.
 *
 * @param url `http://host:port`
 */
export function openWorkerConnection(url: string, secret: string, listener: WorkerListener): WorkerConnection {
  const headers = secretHeader(secret);
  let closed = false;
  let socket: WebSocket | null = null;
  let audience: AudienceNames = { owners: [], bots: [] };
  connect();

  function connect(): void {
    if (closed) return;
    const dialled = new WebSocket(`${url.replace(/^http/, 'ws')}${WORKER_PATHS.stream}`, { headers });
    dialled.on('open', () => {
      if (closed) return dialled.terminate();
      socket = dialled;
      send();
      listener.onUp();
    });
    dialled.on('message', (data) => {
      // The sender is a worker of ours, which the secret authenticates.
      listener.onPush(JSON.parse(String(data)) as Push);
    });
    dialled.on('error', () => {});
    dialled.on('close', () => {
      if (socket === dialled) socket = null;
      setTimeout(connect, RECONNECT_MS);
    });
  }

  function send(): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(audience));
  }

  return {
    async call<Answer>(
      method: 'GET' | 'POST',
      where: string,
      body?: object,
      timeoutMs = CALL_TIMEOUT_MS,
    ): Promise<Answer> {
      let response: Response;
      try {
        response = await fetch(`${url}${where}`, {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          body: body === undefined ? null : JSON.stringify(body),
          signal: AbortSignal.timeout(timeoutMs),
        });
      } catch {
        throw new CallError('unavailable');
      }
      const answer: unknown = await response.json().catch(() => null);
      if (response.ok) return answer as Answer;
      const parsedError = errorBody.safeParse(answer);
      throw parsedError.success
        ? new CallError(parsedError.data.error.code, parsedError.data.error.details)
        : new CallError('unavailable');
    },
    setAudience(given) {
      audience = given;
      send();
    },
    disconnect() {
      closed = true;
      socket?.terminate();
    },
  };
}
