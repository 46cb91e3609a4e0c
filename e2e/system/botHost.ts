import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { StreamMessage } from '@heron/contract/bots/stream.ts';
import type { FromChild } from '@heron/contract/process/child.ts';
import { WebSocket } from 'ws';

export const SECRET = 'a secret of this test only, 32 letters';

/** A bot host in a separate process, as `heron start` runs it. */
export interface BotHost {
  readonly url: string;
  /** Returns the log output of the bot host and its workers. */
  output(): string;
  /** Returns the process IDs of its workers. */
  workers(): Promise<number[]>;
  /** Sends one request as a user; never throws for an error response. */
  call<Body = unknown>(
    method: string,
    path: string,
    options?: { body?: unknown; user?: string; headers?: Record<string, string> },
  ): Promise<{ status: number; body: Body }>;
  stream(user?: string): Promise<{ socket: WebSocket; messages: StreamMessage[] }>;
  /** Sends a signal to the control process and its workers at once. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Kills the control process and its workers at once (SIGKILL). */
  kill(): Promise<void>;
  /** Stops the bot host as the supervisor does. */
  stop(): Promise<void>;
}

/** Starts a bot host on free ports. */
export async function startBotHost(given: {
  databaseUrl: string;
  market: { rest: string; ws: string; wsApi?: string };
  /** Addresses of futures, for bots on them. */
  binanceusdm?: { rest: string; ws: string };
  /** Addresses of MEXC, for bots on it. */
  mexc?: { rest: string; ws: string };
  dataDir: string;
  /** Queue of runs; the database by default. */
  queueUrl?: string;
  tape?: boolean;
  logLevel?: string;
  /** Exchanges that it serves; by default the demo exchanges. */
  venues?: readonly string[];
  /** Pairing port on loopback; 0 for any free port. */
  pairingPort?: number;
}): Promise<BotHost> {
  const entry = fileURLToPath(import.meta.resolve('@heron/bothost/process.ts'));
  const child = fork(entry, [], {
    execArgv: ['--import', import.meta.resolve('@heron/database/quickDrizzle.ts')],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A separate process group allows the test to kill its workers at the same moment.
    detached: true,
    env: { ...process.env, ...(given.queueUrl !== undefined && { HERON_QUEUE_URL: given.queueUrl }) },
  });
  let output = '';
  const onOutput = (chunk: Buffer) => {
    output += String(chunk);
    process.stderr.write(chunk);
  };
  child.stdout?.on('data', onOutput);
  child.stderr?.on('data', onOutput);
  child.send({
    type: 'configure',
    config: {
      databaseUrl: given.databaseUrl,
      controlHost: '127.0.0.1',
      controlPort: 0,
      venues: given.venues ?? ['binance-demo', 'binanceusdm-demo', 'mexc-demo'],
      workerPorts: 'free',
      secret: SECRET,
      dataDir: given.dataDir,
      demo: {
        binance: { rest: given.market.rest, ws: given.market.ws, wsApi: given.market.wsApi },
        ...(given.binanceusdm && { binanceusdm: { rest: given.binanceusdm.rest, ws: given.binanceusdm.ws } }),
        ...(given.mexc && { mexc: { rest: given.mexc.rest, ws: given.mexc.ws } }),
      },
      logLevel: given.logLevel ?? 'error',
      tape: given.tape ?? false,
      ...(given.pairingPort !== undefined && { pairing: { host: '127.0.0.1', port: given.pairingPort } }),
    },
  });
  const [answer] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [FromChild | number];
  if (typeof answer !== 'object' || answer?.type !== 'ready') {
    throw new Error(`the bot host did not start: ${JSON.stringify(answer)}`);
  }
  const { controlUrl } = answer.info as { controlUrl: string };
  const identity = (user: string) => ({
    authorization: `Heron ${SECRET}`,
    'x-heron-user': user,
    'x-heron-language': 'en',
  });

  return {
    url: controlUrl,
    output: () => output,
    async workers() {
      const text = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(() => '');
      return text.trim().split(' ').filter(Boolean).map(Number);
    },
    async call<Body>(
      method: string,
      path: string,
      options: { body?: unknown; user?: string; headers?: Record<string, string> } = {},
    ) {
      const { body, user = '1', headers = {} } = options;
      const response = await fetch(`${controlUrl}${path}`, {
        method,
        headers: {
          ...identity(user),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      });
      // Every response of the host is JSON; any other response fails the test here.
      return { status: response.status, body: (await response.json()) as Body };
    },
    async stream(user = '1') {
      const socket = new WebSocket(`${controlUrl.replace('http', 'ws')}/bot/stream`, { headers: identity(user) });
      const messages: StreamMessage[] = [];
      socket.on('message', (data) => messages.push(JSON.parse(String(data)) as StreamMessage));
      await once(socket, 'open');
      return { socket, messages };
    },
    signal(name) {
      process.kill(-(child.pid as number), name);
    },
    async kill() {
      process.kill(-(child.pid as number), 'SIGKILL');
      await ended(child);
    },
    async stop() {
      if (child.connected) child.send({ type: 'stop' });
      await ended(child);
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Creates and starts a bot of the user on BTC-USDT. */
export async function createRunningBot(
  host: BotHost,
  name: string,
  options: Record<string, unknown> = {},
): Promise<string> {
  const made = await host.call<BotDetail>('POST', '/bot/bots', {
    body: { name, options: { watch_pairs: 'BTC-USDT', period: '1m', poll_scan_time: 1_000, ...options }, params: {} },
  });
  if (made.status !== 200) throw new Error(JSON.stringify(made));
  const { id } = made.body;
  await host.call('POST', `/bot/bots/${id}/start`);
  await untilWorking(host, id);
  return id;
}

/** Waits until a bot runs and receives market data. */
export async function untilWorking(host: BotHost, id: string): Promise<void> {
  const since = Date.now();
  await until(async () => {
    const { body } = await host.call<BotDetail>('GET', `/bot/bots/${id}`);
    return body.status === 'working' && body.pairViews.some(({ quotedAt }) => (quotedAt ?? 0) >= since);
  }, `${id} to work`);
}

/**
 * Polls until `condition` returns a value, and returns it. Short steps can take half a minute on a busy machine, hence the
 * long timeout.
 */
export async function until<T>(
  condition: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  what: string,
  timeoutMs = 90_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`timed out waiting for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Sends a manual order until it is accepted. A rejected order gets a new request ID; an unknown outcome keeps its ID, so that
 * the order executes once. @returns the response
 */
export function untilOrderAccepted<Body>(
  send: (requestId: string) => Promise<{ status: number; body: Body }>,
): Promise<Body> {
  let requestId: string = randomUUID();
  return until(async () => {
    const { status, body } = await send(requestId);
    if (status === 422) requestId = randomUUID();
    return status === 200 ? body : null;
  }, 'an order to be accepted');
}

/** Sends a manual order like `untilOrderAccepted`, a taker order by default. @returns the ID of its parent order */
export async function placeManualOrder(host: BotHost, id: string, order: object, user?: string): Promise<string> {
  const { intentId } = await untilOrderAccepted((requestId) =>
    host.call<{ intentId: string }>('POST', `/bot/bots/${id}/orders`, {
      ...(user !== undefined && { user }),
      body: { requestId, type: 'taker', ...order },
    }),
  );
  return intentId;
}
