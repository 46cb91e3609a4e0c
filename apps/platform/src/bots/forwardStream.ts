import { STREAM_CLOSE } from '@heron/contract/bots/stream.ts';
import type { FastifyBaseLogger } from 'fastify';
import { type RawData, WebSocket } from 'ws';
import type { Session, Sessions } from '../gateway/sessions.ts';
import type { HostConnections } from './paired/hostConnections.ts';
import { createIncomingBudgets } from './paired/incomingBudget.ts';
import { mergeStreams } from './paired/mergeStreams.ts';
import { hostsFingerprint, type PairedHostRecord, type PairedHosts } from './paired/pairedHosts.ts';

/** Maximum size of a message, in bytes. The bot host may send a whole bot at once. */
const HOST_MESSAGE_LIMIT = 16 * 1_048_576;
/** Unsent bytes above which the sender is paused. */
const HIGH_WATER = 1_048_576;
const CONNECT_TIMEOUT_MS = 5_000;
/** Interval of tries to reach the own bot host, for users who also have paired hosts. */
const OWN_RETRY_MS = 3_000;
/** Interval of pings and of session checks. A side that has not answered the last ping is disconnected. */
const HEARTBEAT_MS = 30_000;
/** Limits concurrent windows and devices of one user. */
const STREAMS_PER_USER = 30;

const NO_HOSTS = hostsFingerprint([]);

const CLOSE = { goingAway: 1001, tryAgainLater: 1013, ...STREAM_CLOSE } as const;

type Stream = {
  readonly session: Session;
  readonly client: WebSocket;
  /** Connection to the own bot host. It is replaced while the host is down. */
  host: WebSocket;
  /** Fingerprint of the paired bot hosts that are merged into the stream. */
  readonly fingerprint: string;
};

/** The bot hosts that a stream joins. */
export type StreamHosts = {
  /** Address of the own bot host. */
  readonly address: URL;
  /** Headers of the request to the own bot host. */
  readonly headers: Record<string, string>;
  readonly paired: readonly PairedHostRecord[];
};

export type Streams = {
  /** Connects a client to the bot host. */
  open(client: WebSocket, session: Session, hosts: StreamHosts, log: FastifyBaseLogger): void;
  /** Closes the streams of a user whose bot hosts have changed, so that the client reopens them. */
  renew(userId: number): void;
  /** Disconnects the bot host. The gateway closes the clients. */
  stop(): void;
};

/**
 * Creates the streams between clients and the bot host. Messages are forwarded unchanged, a slow reader slows its
 * sender, both sides close together, and a stream ends with its session.
 */
export function createStreams(
  sessions: Sessions,
  connections: HostConnections,
  hosts: Pick<PairedHosts, 'fingerprints'>,
  options: { heartbeatMs?: number } = {},
): Streams {
  const streams = new Set<Stream>();
  const incoming = createIncomingBudgets();
  /** Sockets that have answered the last ping. */
  const alive = new WeakSet<WebSocket>();

  const removeListener = sessions.onEnded((ids) => endSessions(new Set(ids)));
  const heartbeat = setInterval(() => void onHeartbeat(), options.heartbeatMs ?? HEARTBEAT_MS);
  heartbeat.unref();

  function endSessions(ended: ReadonlySet<string>): void {
    for (const { session, client } of streams) {
      if (ended.has(session.id)) close(client, CLOSE.sessionEnded, 'logged out');
    }
  }

  async function onHeartbeat(): Promise<void> {
    for (const { client, host } of streams) {
      for (const socket of [client, host]) {
        // A paused socket does not read pongs. The slow side is its peer, which is checked by its own pings.
        if (socket.readyState !== WebSocket.OPEN || socket.isPaused) continue;
        if (!alive.delete(socket)) socket.terminate();
        else socket.ping();
      }
    }
    // Sessions also expire, or end in other processes. While the database is down, no stream is closed.
    const ids = [...new Set([...streams].map(({ session }) => session.id))];
    const open = await sessions.filterOpen(ids).catch(() => null);
    if (open !== null) endSessions(new Set(ids.filter((id) => !open.has(id))));
    await renewOthers();
  }

  /** Closes streams of users whose paired hosts were changed by another process. */
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

  /** Waits for the own bot host, then closes the stream, so that the client opens one that includes it. */
  function reconnectOwn(stream: Stream, connect: () => WebSocket): void {
    setTimeout(() => {
      if (!streams.has(stream)) return;
      const found = connect();
      stream.host = found;
      alive.add(found);
      found.on('open', () => {
        close(stream.client, CLOSE.tryAgainLater, 'the bot host is back');
        found.terminate();
      });
      // The host is still down.
      found.on('error', () => reconnectOwn(stream, connect));
    }, OWN_RETRY_MS).unref();
  }

  return {
    open(client, session, { address, headers, paired }, log) {
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
      // The socket buffers messages of the client until they can be forwarded.
      client.pause();
      let isThere = false;
      host.on('open', () => {
        isThere = true;
        client.resume();
      });
      if (paired.length === 0) {
        forward(client, host);
        forward(host, client);
      } else {
        const joined = mergeStreams({
          client,
          own: host,
          hosts: paired,
          connections,
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
          // Messages of the paired hosts continue.
          client.resume();
          reconnectOwn(stream, connect);
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
      removeListener();
      clearInterval(heartbeat);
      for (const { host } of streams) host.terminate();
    },
  };
}

function forward(from: WebSocket, to: WebSocket): void {
  /** Remembers that this function has paused the socket, because other code pauses it too. */
  let waits = false;
  from.on('message', (data: RawData, isBinary: boolean) => {
    // A closing socket may still deliver earlier messages.
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

/** Closes with the code of the other side, when an endpoint may send that code (RFC 6455 7.4.1). */
function closeLike(socket: WebSocket, code: number, reason: Buffer): void {
  if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
  else if (code === 1000 || (code >= 3000 && code <= 4999)) close(socket, code, reason);
  else close(socket, CLOSE.goingAway, '');
}

/** Resumes the socket first, because a paused socket never reads the close frame of its peer. */
function close(socket: WebSocket, code: number, reason: string | Buffer): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.resume();
  socket.close(code, reason);
}
