import { WebSocket } from 'ws';
import { type ExchangeError, ExchangeUnreachable } from '../errors.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { AccountEvent, AccountStream } from '../trading.ts';

/** A ping each 3 s, given up when two stay unanswered: a dead connection is known within 9 s. */
const PING_MS = 3_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** A connection that has lasted so long was a good one: the next failure is a first one. */
const STABLE_MS = 10_000;

/** One connection attempt and what follows until it closes, as the venue's protocol sees it. */
export interface AccountConnection {
  /** Sends a message when the connection is open. */
  send(message: object): void;
  /** Passes an event on to the listener of the stream. */
  emit(event: AccountEvent): void;
  /** Closes this connection; another one is opened. */
  end(why: string): void;
  /** Opens and subscribes another connection before this one closes, since the server is about to go. */
  replaceConnection(): void;
}

/** What tells the stream of one venue from that of another. */
export interface AccountProtocol {
  readonly exchange: string;
  readonly net: VenueNet;
  readonly ping: object;
  /** Address to dial. */
  address(): Promise<string>;
  /** Subscribes an open connection. */
  onOpen(connection: AccountConnection): void;
  /** @throws anything for a message that cannot be read: that ends the connection */
  onMessage(data: unknown, connection: AccountConnection): void;
  /** Runs once for each connection; while one is replaced there are two. */
  onClose(connection: AccountConnection): void;
  closed(): Promise<void>;
}

interface ConnectionAttempt {
  /** Closes it without an event. */
  close(): void;
}

interface AttemptListener {
  onEvent(event: AccountEvent): void;
  /** The server is about to go. */
  onShutdown(): void;
  /** @param stable it has lasted */
  onEnded(why: string, stable: boolean): void;
}

/**
 * Streams the account's own events over one connection at a time. Events missed during an outage are not repeated: the
 * listener reads the account after each `connected`. A replacement ends with `connected` too, without a `lost` before it.
 */
export function openAccountConnection(
  protocol: AccountProtocol,
  listener: (event: AccountEvent) => void,
): AccountStream {
  let current: ConnectionAttempt | null = null;
  /** Replaces the current attempt once it is subscribed. */
  let successor: ConnectionAttempt | null = null;
  let closed = false;
  let connecting = false;
  let pause = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | null = null;
  connect();

  function connect(): void {
    timer = null;
    connecting = true;
    protocol.address().then(
      (url) => {
        connecting = false;
        if (!closed) addAttempt(url);
      },
      () => {
        connecting = false;
        if (closed) return;
        if (current === null) listener({ type: 'lost', error: lost('its address could not be had') });
        connectLater();
      },
    );
  }

  function addAttempt(url: string): void {
    const attempt = dial(url, protocol, {
      onEvent(event) {
        if (attempt === successor && event.type === 'connected') replaceCurrent(attempt);
        if (attempt === current) listener(event);
      },
      onShutdown() {
        if (attempt === current && successor === null && !connecting && timer === null) connect();
      },
      onEnded(why, stable) {
        if (closed) return;
        if (stable) pause = FIRST_PAUSE_MS;
        onEnded(attempt, why);
      },
    });
    if (current === null) current = attempt;
    else successor = attempt;
  }

  function replaceCurrent(attempt: ConnectionAttempt): void {
    const old = current;
    current = attempt;
    successor = null;
    old?.close();
  }

  function onEnded(attempt: ConnectionAttempt, why: string): void {
    if (attempt === successor) {
      successor = null;
    } else {
      listener({ type: 'lost', error: lost(why) });
      // A successor reports `connected` itself once it is subscribed.
      current = successor;
      successor = null;
      if (current !== null) return;
    }
    connectLater();
  }

  function connectLater(): void {
    if (connecting || timer !== null) return;
    timer = setTimeout(connect, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  function lost(why: string): ExchangeError {
    const { exchange, net } = protocol;
    return new ExchangeUnreachable(exchange, `the account's stream was lost: ${why}`, undefined, net.fault());
  }

  return {
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      current?.close();
      successor?.close();
      await protocol.closed();
    },
  };
}

/** Makes one connection attempt, with its pings. */
function dial(
  url: string,
  protocol: AccountProtocol,
  { onEvent, onShutdown, onEnded }: AttemptListener,
): ConnectionAttempt {
  const socket = protocol.net.openSocket(url);
  socket.binaryType = 'arraybuffer';
  const openedAt = performance.now();
  let unanswered = 0;
  let over = false;
  const close = (): void => {
    if (over) return;
    over = true;
    clearInterval(pinger);
    socket.close();
    protocol.onClose(connection);
  };
  const end = (why: string): void => {
    if (over) return;
    close();
    onEnded(why, performance.now() - openedAt > STABLE_MS);
  };
  const connection: AccountConnection = {
    send(message) {
      // A message counts as a request.
      if (protocol.net.pause() !== null) end('the exchange has asked for a pause');
      else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    emit(event) {
      if (!over) onEvent(event);
    },
    end,
    replaceConnection() {
      if (!over) onShutdown();
    },
  };
  // Also for a connection that never opens: nothing answers the pings.
  const pinger = setInterval(() => {
    if (unanswered >= 2) return end('no answer to a ping');
    unanswered += 1;
    if (protocol.net.pause() === null) connection.send(protocol.ping);
    // No request, unlike the venue's own ping.
    else if (socket.readyState === WebSocket.OPEN) socket.ping();
  }, PING_MS);
  socket.on('pong', () => {
    unanswered = 0;
  });
  socket.onopen = () => protocol.onOpen(connection);
  socket.onclose = () => end('the connection was closed');
  socket.onerror = () => end('the connection failed');
  socket.onmessage = ({ data }) => {
    unanswered = 0;
    if (over) return;
    try {
      protocol.onMessage(data, connection);
    } catch {
      end('a message could not be read');
    }
  };
  return { close };
}
