import { createBackoff } from '@heron/runtime/backoff.ts';
import { WebSocket } from 'ws';
import { ExchangeError, ExchangeUnreachable, isKeyRefusal } from '../errors.ts';
import type { VenueNet } from '../net/venueNet.ts';

const BACKOFF = { minMs: 250, maxMs: 5_000 };
/** Pauses after refusals of the key. Each connection counts for the limit of the IP address, which all keys share. */
const REFUSED_BACKOFF = { minMs: 5_000, maxMs: 300_000 };
/** A connection that has lasted this long was a good one: the next failure counts as a first one. */
const STABLE_MS = 10_000;
/** A connection is given up after this many pings without a response. */
const MAX_UNANSWERED = 2;

/** One venue's protocol. */
export interface SocketProtocol {
  /** Named in errors. */
  readonly exchange: string;
  readonly net: VenueNet;
  readonly pingMs: number;
  /** Message to which the venue responds; null for a WebSocket ping frame. */
  readonly ping: object | null;
  /** Returns the address of the next connection. */
  url(): Promise<string>;
}

/** Callbacks of a socket. None is called after `close`, but `onClose` for the connection that it ends. */
export interface SocketListener {
  onOpen(): void;
  /** The venue refused what the address of the connection names, such as a listen key. */
  onUpgradeRefused?(): void;
  /** @throws anything for a message that cannot be read: that ends the connection */
  onMessage(data: unknown): void;
  /** Runs once for each connection that existed. */
  onClose(): void;
  /** The connection is lost, or could not be opened. Another attempt follows. */
  onLost(error: ExchangeError): void;
}

/** One WebSocket connection at a time, which is opened again with growing pauses until it is closed. */
export interface ReconnectingSocket {
  readonly isOpen: boolean;
  /** Opens the first connection; nothing happens when there is one. */
  connect(): void;
  /** Sends a message when the connection is open. A message counts as a request: it ends the connection during a pause. */
  send(message: object): void;
  /** The venue has accepted the key, so that the pauses after refusals begin again. */
  onKeyAccepted(): void;
  /** Ends the connection; another one is opened after a pause, which is longer when `cause` is a refusal of the key. */
  drop(why: string, cause?: unknown): void;
  /** Ends a pause after refusals: connects at once. */
  retry(): void;
  close(): void;
}

interface Connection {
  readonly socket: WebSocket;
  readonly startedAt: number;
  readonly pinger: NodeJS.Timeout;
  unanswered: number;
}

export function openReconnectingSocket(protocol: SocketProtocol, listener: SocketListener): ReconnectingSocket {
  const { exchange, net, pingMs } = protocol;
  const backoff = createBackoff(BACKOFF);
  const refusals = createBackoff(REFUSED_BACKOFF);
  let connection: Connection | null = null;
  let timer: NodeJS.Timeout | null = null;
  /** Whether `timer` ends a pause after a refused key. */
  let isRefused = false;
  let isConnecting = false;
  let isClosed = false;

  function connect(): void {
    if (isClosed || isConnecting || connection !== null || timer !== null) return;
    isConnecting = true;
    protocol.url().then(
      (url) => {
        isConnecting = false;
        if (!isClosed) dial(url);
      },
      (error: unknown) => {
        isConnecting = false;
        if (isClosed) return;
        listener.onLost(errorOf(error, 'its address could not be read'));
        connectLater(error);
      },
    );
  }

  /** @param cause why there is no connection */
  function connectLater(cause: unknown): void {
    isRefused = isKeyRefusal(cause);
    timer = setTimeout(connectNow, (isRefused ? refusals : backoff).nextMs());
  }

  function connectNow(): void {
    timer = null;
    connect();
  }

  function dial(url: string): void {
    const isCurrent = () => connection?.socket === socket;
    const socket: WebSocket = net.openSocket(url, () => isCurrent() && listener.onUpgradeRefused?.());
    socket.binaryType = 'arraybuffer';
    const opened: Connection = {
      socket,
      startedAt: performance.now(),
      // Also ends a connection that never opens.
      pinger: setInterval(() => ping(opened), pingMs),
      unanswered: 0,
    };
    connection = opened;
    socket.on('pong', () => {
      opened.unanswered = 0;
    });
    socket.onopen = () => {
      if (isCurrent()) listener.onOpen();
    };
    socket.onclose = () => {
      if (isCurrent()) lose('the connection was closed');
    };
    socket.onerror = ({ error }) => {
      if (isCurrent()) lose('the connection failed', error);
    };
    socket.onmessage = ({ data }) => {
      opened.unanswered = 0;
      if (!isCurrent()) return;
      try {
        listener.onMessage(data);
      } catch {
        if (isCurrent()) lose('a message could not be read');
      }
    };
  }

  function ping(opened: Connection): void {
    if (opened.unanswered >= MAX_UNANSWERED) {
      lose('no answer to a ping');
      return;
    }
    opened.unanswered += 1;
    if (opened.socket.readyState !== WebSocket.OPEN) return;
    // A ping frame is no request, so that it is allowed during a pause.
    if (protocol.ping === null || net.pause() !== null) opened.socket.ping();
    else opened.socket.send(JSON.stringify(protocol.ping));
  }

  /** Releases the connection without a report. */
  function release(): Connection | null {
    const ended = connection;
    if (ended === null) return null;
    connection = null;
    clearInterval(ended.pinger);
    ended.socket.close();
    listener.onClose();
    return ended;
  }

  function lose(why: string, cause?: unknown): void {
    const ended = release();
    if (ended === null) return;
    if (performance.now() - ended.startedAt > STABLE_MS) backoff.reset();
    connectLater(cause);
    listener.onLost(errorOf(cause, why));
  }

  function errorOf(cause: unknown, why: string): ExchangeError {
    if (cause instanceof ExchangeError) return cause;
    return new ExchangeUnreachable(exchange, `the stream was lost: ${why}`, cause, net.fault());
  }

  return {
    get isOpen() {
      return connection?.socket.readyState === WebSocket.OPEN;
    },
    connect,
    send(message) {
      if (connection?.socket.readyState !== WebSocket.OPEN) return;
      if (net.pause() === null) connection.socket.send(JSON.stringify(message));
      else lose('the exchange has asked for a pause');
    },
    onKeyAccepted: () => refusals.reset(),
    drop: lose,
    retry() {
      refusals.reset();
      if (timer === null || !isRefused) return;
      clearTimeout(timer);
      connectNow();
    },
    close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      release();
    },
  };
}
