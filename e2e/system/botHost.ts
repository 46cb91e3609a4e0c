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

/** A bot host in a process of its own, as `heron start` runs it. */
export interface BotHost {
  readonly url: string;
  /** Everything that it and its workers have logged. */
  said(): string;
  /** Process ids of its workers. */
  workers(): Promise<number[]>;
  /** One call as a user; never throws for an answer that is an error. */
  call<Body = unknown>(
    method: string,
    path: string,
    options?: { body?: unknown; user?: string; headers?: Record<string, string> },
  ): Promise<{ status: number; body: Body }>;
  stream(user?: string): Promise<{ socket: WebSocket; heard: StreamMessage[] }>;
  /** A signal to the control process and its workers in the same moment. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** kill -9 of the control process and its worker in the same moment. */
  kill(): Promise<void>;
  /** As the supervisor ends it. */
  stop(): Promise<void>;
}

/** Starts a bot host on free ports. */
export async function startBotHost(given: {
  databaseUrl: string;
  market: { rest: string; ws: string; wsApi?: string };
  /** Where futures are, for bots on them. */
  binanceusdm?: { rest: string; ws: string };
  /** Where MEXC is, for bots on it. */
  mexc?: { rest: string; ws: string };
  dataDir: string;
  /** Where runs are queued; the database unless told otherwise. */
  queueUrl?: string;
  tape?: boolean;
  logLevel?: string;
  /** The venues that it serves; by default the demo venues. */
  venues?: readonly string[];
  /** Where it may be paired, on loopback: a port, or 0 for any. */
  pairingPort?: number;
}): Promise<BotHost> {
  const entry = fileURLToPath(import.meta.resolve('@heron/bothost/process.ts'));
  const child = fork(entry, [], {
    execArgv: ['--import', import.meta.resolve('@heron/database/quickDrizzle.ts')],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A process group of its own, so that its worker can be killed in the same moment.
    detached: true,
    env: { ...process.env, ...(given.queueUrl !== undefined && { HERON_QUEUE_URL: given.queueUrl }) },
  });
  let said = '';
  const hear = (chunk: Buffer) => {
    said += String(chunk);
    process.stderr.write(chunk);
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
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
    said: () => said,
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
      // Every answer of the host is JSON; one that is none fails the test here.
      return { status: response.status, body: (await response.json()) as Body };
    },
    async stream(user = '1') {
      const socket = new WebSocket(`${controlUrl.replace('http', 'ws')}/bot/stream`, { headers: identity(user) });
      const heard: StreamMessage[] = [];
      socket.on('message', (data) => heard.push(JSON.parse(String(data)) as StreamMessage));
      await once(socket, 'open');
      return { socket, heard };
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

/** A bot of the user on BTC-USDT, created and working. */
export async function workingBot(host: BotHost, name: string, options: Record<string, unknown> = {}): Promise<string> {
  const made = await host.call<BotDetail>('POST', '/bot/bots', {
    body: { name, options: { watch_pairs: 'BTC-USDT', period: '1m', poll_scan_time: 1_000, ...options }, params: {} },
  });
  if (made.status !== 200) throw new Error(JSON.stringify(made));
  const { id } = made.body;
  await host.call('POST', `/bot/bots/${id}/start`);
  await untilWorking(host, id);
  return id;
}

/** Waits until a bot works and hears its market. */
export async function untilWorking(host: BotHost, id: string): Promise<void> {
  const since = Date.now();
  await until(async () => {
    const { body } = await host.call<BotDetail>('GET', `/bot/bots/${id}`);
    return body.status === 'working' && body.pairViews.some(({ quotedAt }) => (quotedAt ?? 0) >= since);
  }, `${id} to work`);
}

/** Polls until `condition` gives something, and gives it. What takes a moment was seen to take half a minute on a busy machine. */
export async function until<T>(
  condition: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  what: string,
  timeoutMs = 90_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`it never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Sends an order by hand until it is taken. A refused one is sent anew; one of unknown outcome again under the same id, so that it
 * acts once. @returns the answer
 */
export function untilOrderTaken<Body>(
  send: (requestId: string) => Promise<{ status: number; body: Body }>,
): Promise<Body> {
  let requestId: string = randomUUID();
  return until(async () => {
    const { status, body } = await send(requestId);
    if (status === 422) requestId = randomUUID();
    return status === 200 ? body : null;
  }, 'an order to be taken');
}

/** As above, a taker order unless told otherwise. @returns the id of its intent */
export async function orderByHand(host: BotHost, id: string, order: object, user?: string): Promise<string> {
  const { intentId } = await untilOrderTaken((requestId) =>
    host.call<{ intentId: string }>('POST', `/bot/bots/${id}/orders`, {
      ...(user !== undefined && { user }),
      body: { requestId, type: 'taker', ...order },
    }),
  );
  return intentId;
}
