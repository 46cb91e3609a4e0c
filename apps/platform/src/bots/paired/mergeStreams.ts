import type { PairedState } from '@heron/contract/bots/pairedHosts.ts';
import { hostOf, idThere } from '@heron/contract/bots/pairedHosts.ts';
import { STREAM_PATH, type StreamMessage, streamRequest } from '@heron/contract/bots/stream.ts';
import { createBackoff } from '@heron/runtime/backoff.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type RawData, WebSocket } from 'ws';
import { type HostConnections, HostProblem, isKeyRejected } from './hostConnections.ts';
import type { SpendIncoming } from './incomingBudget.ts';
import type { PairedHostRecord } from './pairedHosts.ts';
import { translateStreamMessage } from './translateIds.ts';

/** Longer than the handshake, after which the host counts as away. */
const CONNECT_MS = 12_000;
const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
/** A connection that has lasted this long is stable, so that it is reopened after the shortest delay. */
const STABLE_MS = 10_000;
/** Interval of pings, and the time without a message after which the connection is closed. */
const PING_MS = 4_000;
const SILENCE_TIMEOUT_MS = 10_000;
/** Maximum size of a message, in bytes. No bot host sends more. */
const MESSAGE_BYTES = 2 * 1_048_576;
/** Unsent bytes above which the senders are paused. */
const HIGH_WATER = 1_048_576;

/** Dependencies of the merged stream of one window. */
interface MergeStreamsDeps {
  readonly client: WebSocket;
  /** Connection to the own bot host. */
  readonly own: WebSocket;
  readonly hosts: readonly PairedHostRecord[];
  readonly connections: HostConnections;
  readonly log: FastifyBaseLogger;
  /** Budget of all windows and paired hosts of this user. */
  readonly spend: SpendIncoming;
}

/** Connection to one paired bot host, which is reopened whenever it breaks. */
interface HostStream {
  watch(id: string | null): void;
  close(): void;
}

/**
 * Merges the streams of several bot hosts into the stream of a window. Requests the watched bot from its host, and
 * notifies the window when hosts appear or disappear.
 */
export function mergeStreams({ client, own, hosts, connections, log, spend }: MergeStreamsDeps): { close(): void } {
  /** Unseen notifications by host; null is the own bot host. */
  const unseen = new Map<string | null, number>();
  const streams = new Map<string | null, HostStream>();
  /** Sockets that are paused until the window has read. */
  const paused = new Set<WebSocket>();

  function sendToClient(message: StreamMessage | string, from: WebSocket): void {
    if (client.readyState !== WebSocket.OPEN) return;
    client.send(typeof message === 'string' ? message : JSON.stringify(message), () => {
      if (client.bufferedAmount >= HIGH_WATER / 2) return;
      // Resumes all sockets, because a paused one may never send again by itself.
      for (const waiting of paused) waiting.resume();
      paused.clear();
    });
    if (client.bufferedAmount <= HIGH_WATER) return;
    from.pause();
    paused.add(from);
  }

  function count(host: string | null, of: number, from: WebSocket): void {
    unseen.set(host, of);
    sendToClient({ type: 'unseen', count: [...unseen.values()].reduce((sum, each) => sum + each, 0) }, from);
  }

  own.on('message', (data: RawData) => {
    const text = String(data);
    if (!text.startsWith('{"type":"unseen"')) return sendToClient(text, own);
    // The own bot host conforms to the contract.
    count(null, (JSON.parse(text) as { count: number }).count, own);
  });
  streams.set(null, {
    watch: (id) => {
      if (own.readyState === WebSocket.OPEN) own.send(JSON.stringify({ type: 'watch', id }));
    },
    close() {},
  });
  for (const host of hosts) {
    streams.set(
      host.id,
      openHostStream(
        host,
        { connections, log, spend },
        {
          onMessage(message, from) {
            if (message.type === 'unseen') count(host.id, message.count, from);
            else sendToClient(message, from);
          },
          onState(state, from) {
            if (state !== 'up') unseen.delete(host.id);
            sendToClient({ type: 'host', host: { id: host.id, name: host.name, state } }, from);
          },
          onClose: (from) => paused.delete(from),
        },
      ),
    );
  }

  client.on('message', (data: RawData) => {
    if (client.readyState !== WebSocket.OPEN) return;
    const read = streamRequest.safeParse(readJson(String(data)));
    if (!read.success) {
      client.close(1008);
      return;
    }
    const { id } = read.data;
    const of = id === null ? null : hostOf(id);
    for (const [host, line] of streams) line.watch(id !== null && host === of ? idThere(id) : null);
    // A host of another user looks like a missing bot.
    if (id !== null && !streams.has(of)) sendToClient({ type: 'removed', id }, own);
  });

  return {
    close() {
      for (const line of streams.values()) line.close();
    },
  };
}

function openHostStream(
  host: PairedHostRecord,
  { connections, log, spend }: Pick<MergeStreamsDeps, 'connections' | 'log' | 'spend'>,
  listener: {
    onMessage(message: StreamMessage, from: WebSocket): void;
    onState(state: PairedState['state'], from: WebSocket): void;
    onClose(from: WebSocket): void;
  },
): HostStream {
  let watched: string | null = null;
  let socket: WebSocket | null = null;
  let state: PairedState['state'] | null = null;
  const backoff = createBackoff({ minMs: MIN_DELAY_MS, maxMs: MAX_DELAY_MS });
  let closed = false;
  let reopenTimer: NodeJS.Timeout | undefined;
  let activeAt = 0;
  let openedAt = Number.POSITIVE_INFINITY;

  const pings = setInterval(() => {
    if (socket?.readyState !== WebSocket.OPEN || socket.isPaused) return;
    if (performance.now() - activeAt > SILENCE_TIMEOUT_MS) socket.terminate();
    else socket.ping();
  }, PING_MS);
  pings.unref();

  function setState(next: PairedState['state'], from: WebSocket): void {
    if (state === next || closed) return;
    state = next;
    listener.onState(next, from);
  }

  function open(): void {
    const line = new WebSocket(`ws://heron${STREAM_PATH}`, {
      createConnection: () => connections.connect(host.endpoint),
      maxPayload: MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    socket = line;
    // `ws` applies its timeout only to connections that it opens itself.
    const late = setTimeout(() => line.terminate(), CONNECT_MS);
    let why: PairedState['state'] = 'away';
    let minPauseMs = 0;
    const recordActivity = () => {
      activeAt = performance.now();
    };
    line.on('open', () => {
      clearTimeout(late);
      openedAt = performance.now();
      recordActivity();
      setState('up', line);
      if (watched !== null) line.send(JSON.stringify({ type: 'watch', id: watched }));
    });
    for (const sign of ['ping', 'pong'] as const) line.on(sign, recordActivity);
    line.on('message', (data: RawData) => {
      recordActivity();
      try {
        if (!spend(sizeOf(data))) throw new HostProblem('differs', new Error('it says too much'));
        const message = translateStreamMessage(host.id, String(data));
        if (message !== null) listener.onMessage(message, line);
      } catch (error) {
        // Closes only this connection, whatever the host has sent.
        why = error instanceof HostProblem ? error.state : 'differs';
        openedAt = Number.POSITIVE_INFINITY;
        log.info({ host: host.id, err: error }, 'a paired bot host says what cannot be read');
        minPauseMs = MAX_DELAY_MS;
        line.terminate();
      }
    });
    line.on('error', (error) => {
      if (isKeyRejected(error)) why = 'refused';
      log.info({ host: host.id, err: error }, 'the stream of a paired bot host failed');
    });
    line.on('close', () => {
      clearTimeout(late);
      listener.onClose(line);
      if (closed) return;
      if (performance.now() - openedAt > STABLE_MS) backoff.reset();
      openedAt = Number.POSITIVE_INFINITY;
      setState(why, line);
      reopenTimer = setTimeout(open, Math.max(backoff.nextMs(), minPauseMs));
    });
  }

  open();
  return {
    watch(id) {
      if (id === watched) return;
      watched = id;
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'watch', id }));
    },
    close() {
      closed = true;
      clearInterval(pings);
      clearTimeout(reopenTimer);
      socket?.terminate();
    },
  };
}

function sizeOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, { length }) => sum + length, 0) : data.byteLength;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
