import { STREAM_CLOSE } from '@heron/contract/bots/stream.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type RawData, WebSocket } from 'ws';
import type { Session, Sessions } from '../gateway/sessions.ts';
import type { HostConnections } from './paired/hostConnections.ts';
import { createIncomingBudgets } from './paired/incomingBudget.ts';
import { mergeStreams } from './paired/mergeStreams.ts';
import { hostsFingerprint, type PairedHostRecord, type PairedHosts } from './paired/pairedHosts.ts';

/** A bot host may push a whole bot at once. In bytes. */
const HOST_MESSAGE_LIMIT = 16 * 1_048_576;
/** Whoever reads more slowly than this piles up, in bytes, makes the other side wait. */
const HIGH_WATER = 1_048_576;
const CONNECT_TIMEOUT_MS = 5_000;
/** After our own bot host was found away, for who has others. */
const OWN_AGAIN_MS = 3_000;
/** Time between pings; a side that has not answered the last one is gone. Sessions are looked at in the same rhythm. */
const HEARTBEAT_MS = 30_000;
/** Windows and devices of one person at a time. */
const STREAMS_PER_USER = 30;

const NO_HOSTS = hostsFingerprint([]);

const CLOSE = { goingAway: 1001, tryAgainLater: 1013, ...STREAM_CLOSE } as const;

type Stream = {
  readonly session: Session;
  readonly client: WebSocket;
  /** To our own bot host; another one while that is away and looked for. */
  host: WebSocket;
  /** Of the paired bot hosts that it is joined from. */
  readonly fingerprint: string;
};

export type Streams = {
  /** Joins a client to the bot host. */
  open(
    client: WebSocket,
    session: Session,
    address: URL,
    headers: Record<string, string>,
    log: FastifyBaseLogger,
    paired: readonly PairedHostRecord[],
  ): void;
  /** Ends the streams of one person, who then opens them anew: their bot hosts are others now. */
  renew(userId: number): void;
  /** Lets the bot host go. The gateway says goodbye to the clients. */
  stop(): void;
};

/**
 * Streams from clients to the bot host. Each message goes on as it is; a slow reader slows its writer; when one side closes,
 * so does the other; a stream lives no longer than its session.
 */
export function createStreams(
  sessions: Sessions,
  lines: HostConnections,
  hosts: Pick<PairedHosts, 'fingerprints'>,
  options: { heartbeatMs?: number } = {},
): Streams {
  const streams = new Set<Stream>();
  const incoming = createIncomingBudgets();
  /** Those that have answered the last ping. */
  const alive = new WeakSet<WebSocket>();

  const stopHearing = sessions.onEnded((ids) => endSessions(new Set(ids)));
  const heartbeat = setInterval(() => void beat(), options.heartbeatMs ?? HEARTBEAT_MS);
  heartbeat.unref();

  function endSessions(ended: ReadonlySet<string>): void {
    for (const { session, client } of streams) {
      if (ended.has(session.id)) close(client, CLOSE.sessionEnded, 'logged out');
    }
  }

  async function beat(): Promise<void> {
    for (const { client, host } of streams) {
      for (const socket of [client, host]) {
        // A paused socket reads no answer to a ping: the other side is the slow one, and is judged by its own.
        if (socket.readyState !== WebSocket.OPEN || socket.isPaused) continue;
        if (!alive.delete(socket)) socket.terminate();
        else socket.ping();
      }
    }
    // Other processes end sessions too, and time does. While the database is away nobody can be asked, and nobody is sent off.
    const ids = [...new Set([...streams].map(({ session }) => session.id))];
    const open = await sessions.filterOpen(ids).catch(() => null);
    if (open !== null) endSessions(new Set(ids.filter((id) => !open.has(id))));
    await renewOthers();
  }

  /** Ends streams of people who have paired or removed a bot host by another process. */
  async function renewOthers(): Promise<void> {
    const before = [...streams];
    const fingerprints = await hosts
      .fingerprints([...new Set(before.map(({ session }) => session.userId))])
      .catch(() => null);
    if (fingerprints === null) return;
    for (const { session, client, fingerprint } of before) {
      if ((fingerprints.get(session.userId) ?? NO_HOSTS) !== fingerprint)
        close(client, CLOSE.tryAgainLater, 'other bot hosts');
    }
  }

  /** Ends a stream that is without our own bot host as soon as that is there, so that the client opens another with it. */
  function lookForOwn(stream: Stream, connect: () => WebSocket): void {
    setTimeout(() => {
      if (!streams.has(stream)) return;
      const found = connect();
      stream.host = found;
      alive.add(found);
      found.on('open', () => {
        close(stream.client, CLOSE.tryAgainLater, 'the bot host is back');
        found.terminate();
      });
      // It is away still.
      found.on('error', () => lookForOwn(stream, connect));
    }, OWN_AGAIN_MS).unref();
  }

  return {
    open(client, session, address, headers, log, paired) {
      const others = [...streams].filter((stream) => stream.session.userId === session.userId);
      if (others.length >= STREAMS_PER_USER) {
        client.close(CLOSE.tooMany, 'too many streams');
        return;
      }
      const connect = () =>
        new WebSocket(address, {
          headers,
          handshakeTimeout: CONNECT_TIMEOUT_MS,
          maxPayload: HOST_MESSAGE_LIMIT,
          perMessageDeflate: false,
        });
      const host = connect();
      const stream: Stream = { session, client, host, fingerprint: hostsFingerprint(paired) };
      streams.add(stream);
      for (const socket of [client, host]) {
        alive.add(socket);
        socket.on('pong', () => alive.add(socket));
      }
      // What the client says first waits in its socket until somebody can hear it.
      client.pause();
      let isThere = false;
      host.on('open', () => {
        isThere = true;
        client.resume();
      });
      if (paired.length === 0) {
        pass(client, host);
        pass(host, client);
      } else {
        const joined = mergeStreams({
          client,
          own: host,
          hosts: paired,
          lines,
          log,
          spend: incoming.of(session.userId),
        });
        client.on('close', () => joined.close());
      }
      host.on('error', (error) => log.warn({ err: error }, 'the stream to the bot host failed'));
      client.on('close', (code, reason) => {
        streams.delete(stream);
        closeLike(stream.host, code, reason);
      });
      host.on('close', (code, reason) => {
        if (!isThere && paired.length > 0) {
          // What the others tell goes on meanwhile.
          client.resume();
          lookForOwn(stream, connect);
        } else if (code === 1006) close(client, CLOSE.tryAgainLater, 'the bot host is not there');
        else closeLike(client, code, reason);
      });
    },
    renew(userId) {
      for (const { session, client } of streams) {
        if (session.userId === userId) close(client, CLOSE.tryAgainLater, 'other bot hosts');
      }
    },
    stop() {
      stopHearing();
      clearInterval(heartbeat);
      for (const { host } of streams) host.terminate();
    },
  };
}

function pass(from: WebSocket, to: WebSocket): void {
  /** Others pause it too, and for longer. */
  let waits = false;
  from.on('message', (data: RawData, isBinary: boolean) => {
    // One that is being closed may still bring what it sent before.
    if (from.readyState !== WebSocket.OPEN || to.readyState !== WebSocket.OPEN) return;
    to.send(data, { binary: isBinary }, () => {
      if (!waits || to.bufferedAmount >= HIGH_WATER / 2) return;
      waits = false;
      if (from.readyState === WebSocket.OPEN) from.resume();
    });
    if (to.bufferedAmount <= HIGH_WATER) return;
    waits = true;
    from.pause();
  });
}

/** Closes with the code of the other side, as far as an endpoint may send it (RFC 6455 7.4.1). */
function closeLike(socket: WebSocket, code: number, reason: Buffer): void {
  if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
  else if (code === 1000 || (code >= 3000 && code <= 4999)) close(socket, code, reason);
  else close(socket, CLOSE.goingAway, '');
}

/** A paused socket would never read the other side's answer to its closing. */
function close(socket: WebSocket, code: number, reason: string | Buffer): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.resume();
  socket.close(code, reason);
}
