import type { PairedState } from '@heron/contract/bots/pairedHosts.ts';
import { hostOf, idThere } from '@heron/contract/bots/pairedHosts.ts';
import { STREAM_PATH, type StreamMessage, streamRequest } from '@heron/contract/bots/stream.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type RawData, WebSocket } from 'ws';
import { type HostConnections, HostProblem, isKeyRejected } from './hostConnections.ts';
import type { SpendIncoming } from './incomingBudget.ts';
import type { PairedHostRecord } from './pairedHosts.ts';
import { translateStreamMessage } from './translateIds.ts';

const CONNECT_MS = 5_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** A line that has lasted so long holds: when it breaks, it is made anew without a long wait. */
const HOLDS_MS = 10_000;
/** A line of which nothing is heard for so long is cut; it is asked for a sign every so often. */
const PING_MS = 4_000;
const DEAD_MS = 10_000;
/** Largest message: a bot host that sends more is none of ours. */
const MESSAGE_BYTES = 2 * 1_048_576;
/** Whoever reads more slowly than this piles up, in bytes, makes the others wait. */
const HIGH_WATER = 1_048_576;

/** What a stream of one window is joined from. */
interface MergeStreamsDeps {
  readonly client: WebSocket;
  /** Of this Heron's own bot host. */
  readonly own: WebSocket;
  readonly hosts: readonly PairedHostRecord[];
  readonly lines: HostConnections;
  readonly log: FastifyBaseLogger;
  /** What all windows and bot hosts of this person may bring together. */
  readonly spend: SpendIncoming;
}

/** A line to one paired bot host, which is made anew whenever it breaks. */
interface Line {
  watch(id: string | null): void;
  close(): void;
}

/**
 * Joins the streams of several bot hosts to the one of a window: what the window watches is asked of the host that has it, and
 * the window is told which hosts come and go.
 */
export function mergeStreams({ client, own, hosts, lines, log, spend }: MergeStreamsDeps): { close(): void } {
  /** By host; null is our own. */
  const unseen = new Map<string | null, number>();
  const made = new Map<string | null, Line>();
  /** Those that wait until the window has read on. */
  const paused = new Set<WebSocket>();

  function tell(message: StreamMessage | string, from: WebSocket): void {
    if (client.readyState !== WebSocket.OPEN) return;
    client.send(typeof message === 'string' ? message : JSON.stringify(message), () => {
      if (client.bufferedAmount >= HIGH_WATER / 2) return;
      // All of them: to whomever waits, no word of its own may come back any more.
      for (const waiting of paused) waiting.resume();
      paused.clear();
    });
    if (client.bufferedAmount <= HIGH_WATER) return;
    from.pause();
    paused.add(from);
  }

  function count(host: string | null, of: number, from: WebSocket): void {
    unseen.set(host, of);
    tell({ type: 'unseen', count: [...unseen.values()].reduce((sum, each) => sum + each, 0) }, from);
  }

  own.on('message', (data: RawData) => {
    const text = String(data);
    if (!text.startsWith('{"type":"unseen"')) return tell(text, own);
    // Our own bot host speaks as the contract has it.
    count(null, (JSON.parse(text) as { count: number }).count, own);
  });
  made.set(null, {
    watch: (id) => {
      if (own.readyState === WebSocket.OPEN) own.send(JSON.stringify({ type: 'watch', id }));
    },
    close() {},
  });
  for (const host of hosts) {
    made.set(
      host.id,
      keepLine(
        host,
        { lines, log, spend },
        {
          onMessage(message, from) {
            if (message.type === 'unseen') count(host.id, message.count, from);
            else tell(message, from);
          },
          onState(state, from) {
            if (state !== 'up') unseen.delete(host.id);
            tell({ type: 'host', host: { id: host.id, name: host.name, state } }, from);
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
    for (const [host, line] of made) line.watch(id !== null && host === of ? idThere(id) : null);
    // A host that is not theirs: as of any bot that there is not.
    if (id !== null && !made.has(of)) tell({ type: 'removed', id }, own);
  });

  return {
    close() {
      for (const line of made.values()) line.close();
    },
  };
}

function keepLine(
  host: PairedHostRecord,
  { lines, log, spend }: Pick<MergeStreamsDeps, 'lines' | 'log' | 'spend'>,
  ears: {
    onMessage(message: StreamMessage, from: WebSocket): void;
    onState(state: PairedState['state'], from: WebSocket): void;
    onClose(from: WebSocket): void;
  },
): Line {
  let watched: string | null = null;
  let socket: WebSocket | null = null;
  let state: PairedState['state'] | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  let closed = false;
  let again: NodeJS.Timeout | undefined;
  let heardAt = 0;
  let openedAt = Number.POSITIVE_INFINITY;

  const pings = setInterval(() => {
    if (socket?.readyState !== WebSocket.OPEN || socket.isPaused) return;
    if (performance.now() - heardAt > DEAD_MS) socket.terminate();
    else socket.ping();
  }, PING_MS);
  pings.unref();

  function become(next: PairedState['state'], from: WebSocket): void {
    if (state === next || closed) return;
    state = next;
    ears.onState(next, from);
  }

  function open(): void {
    const line = new WebSocket(`ws://heron${STREAM_PATH}`, {
      createConnection: () => lines.connect(host.endpoint),
      maxPayload: MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    socket = line;
    // The limit of `ws` is for connections of its own making.
    const late = setTimeout(() => line.terminate(), CONNECT_MS);
    let why: PairedState['state'] = 'away';
    const hears = () => {
      heardAt = performance.now();
    };
    line.on('open', () => {
      clearTimeout(late);
      openedAt = performance.now();
      hears();
      become('up', line);
      if (watched !== null) line.send(JSON.stringify({ type: 'watch', id: watched }));
    });
    for (const sign of ['ping', 'pong'] as const) line.on(sign, hears);
    line.on('message', (data: RawData) => {
      hears();
      try {
        if (!spend(sizeOf(data))) throw new HostProblem('differs', new Error('it says too much'));
        const message = translateStreamMessage(host.id, String(data));
        if (message !== null) ears.onMessage(message, line);
      } catch (error) {
        // Whatever it is: what a machine of somebody says ends nothing here but its own line.
        why = error instanceof HostProblem ? error.state : 'differs';
        openedAt = Number.POSITIVE_INFINITY;
        log.info({ host: host.id, err: error }, 'a paired bot host says what cannot be read');
        pauseMs = LONGEST_PAUSE_MS;
        line.terminate();
      }
    });
    line.on('error', (error) => {
      if (isKeyRejected(error)) why = 'refused';
      log.info({ host: host.id, err: error }, 'the stream of a paired bot host failed');
    });
    line.on('close', () => {
      clearTimeout(late);
      ears.onClose(line);
      if (closed) return;
      if (performance.now() - openedAt > HOLDS_MS) pauseMs = FIRST_PAUSE_MS;
      openedAt = Number.POSITIVE_INFINITY;
      become(why, line);
      again = setTimeout(open, pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
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
      clearTimeout(again);
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
