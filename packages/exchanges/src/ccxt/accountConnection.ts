import { type ExchangeError, ExchangeUnreachable } from '../errors.ts';
import type { AccountEvent, AccountStream } from '../trading.ts';

/** A ping each 3 s, given up when two stay unanswered: a dead connection is known within 9 s. */
const PING_MS = 3_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** A connection that has lasted so long was a good one: the next failure is a first one. */
const STABLE_MS = 10_000;

/** One life of a connection, as the venue's protocol sees it. */
export interface AccountLine {
  /** Sends a message when the connection is open. */
  send(message: object): void;
  tell(event: AccountEvent): void;
  /** Gives this life up; another one follows. */
  end(why: string): void;
}

/** What tells the stream of one venue from that of another. */
export interface AccountProtocol {
  readonly exchange: string;
  readonly ping: object;
  /** Address to dial. */
  address(): Promise<string>;
  /** The connection is open and wants to be subscribed. */
  opened(line: AccountLine): void;
  /** @throws anything for what cannot be read: that ends the connection */
  heard(data: unknown, line: AccountLine): void;
  /** This life is over. */
  ended(): void;
  closed(): Promise<void>;
}

/**
 * The account's own events on one connection at a time. What is missed while it is away is not told again: whoever listens
 * asks for it after each `connected`.
 */
export function openAccountConnection(
  protocol: AccountProtocol,
  listener: (event: AccountEvent) => void,
): AccountStream {
  let socket: WebSocket | null = null;
  let closed = false;
  let pause = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | null = null;
  connect();

  function connect(): void {
    timer = null;
    protocol.address().then(
      (url) => {
        if (!closed) dial(url);
      },
      () => {
        if (!closed) again('its address could not be had');
      },
    );
  }

  function again(why: string): void {
    listener({ type: 'lost', error: lost(why) });
    timer = setTimeout(connect, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  function dial(url: string): void {
    const dialled = new WebSocket(url);
    dialled.binaryType = 'arraybuffer';
    socket = dialled;
    const openedAt = performance.now();
    let unanswered = 0;
    let over = false;
    const end = (why: string): void => {
      if (over) return;
      over = true;
      clearInterval(pinger);
      dialled.close();
      protocol.ended();
      if (closed) return;
      if (performance.now() - openedAt > STABLE_MS) pause = FIRST_PAUSE_MS;
      again(why);
    };
    const line: AccountLine = {
      send(message) {
        if (dialled.readyState === WebSocket.OPEN) dialled.send(JSON.stringify(message));
      },
      tell(event) {
        if (!over && !closed) listener(event);
      },
      end,
    };
    // Also for a connection that never opens: nothing answers the pings.
    const pinger = setInterval(() => {
      if (unanswered >= 2) return end('no answer to a ping');
      unanswered += 1;
      line.send(protocol.ping);
    }, PING_MS);
    dialled.onopen = () => protocol.opened(line);
    dialled.onclose = () => end('the connection was closed');
    dialled.onerror = () => end('the connection failed');
    dialled.onmessage = ({ data }) => {
      unanswered = 0;
      if (over || closed) return;
      try {
        protocol.heard(data, line);
      } catch {
        end('a message could not be read');
      }
    };
  }

  function lost(why: string): ExchangeError {
    return new ExchangeUnreachable(protocol.exchange, `the account's stream was lost: ${why}`);
  }

  return {
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      socket?.close();
      await protocol.closed();
    },
  };
}
