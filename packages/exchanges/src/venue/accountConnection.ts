import type { ExchangeRefused } from '../errors.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { AccountEvent, AccountStream } from '../trading.ts';
import { openReconnectingSocket, type ReconnectingSocket } from '../ws/reconnectingSocket.ts';

/** A dead connection is recognised within 9 s. */
const PING_MS = 3_000;

/** One socket of an account stream, as the venue's protocol uses it. */
export interface AccountConnection {
  /** Sends a message when the connection is open. */
  send(message: object): void;
  /** Passes an event to the listener of the stream. */
  emit(event: AccountEvent): void;
  /** Closes this connection; another one is opened. @param cause is reported instead of `why` when it is an `ExchangeError` */
  end(why: string, cause?: unknown): void;
  /** Closes this connection because the key was refused; another one is opened after minutes at most. */
  refuse(error: ExchangeRefused): void;
  /** Opens and subscribes a second connection before this one closes, because the server is shutting down. */
  replaceConnection(): void;
}

/** The account stream of one venue. */
export interface AccountProtocol {
  readonly exchange: string;
  readonly net: VenueNet;
  /** Message to which the venue responds. */
  readonly ping: object;
  /** Returns the address of the next connection. */
  address(): Promise<string>;
  /** Subscribes an open connection. */
  onOpen(connection: AccountConnection): void;
  /** The venue refused to open a connection, for example because it does not know the listen key. */
  onUpgradeRefused?(): void;
  /** @throws anything for a message that cannot be read: that ends the connection */
  onMessage(data: unknown, connection: AccountConnection): void;
  /** Runs once for each connection. During a replacement there are two. */
  onClose(connection: AccountConnection): void;
  /** Runs at the end of the stream. */
  onStreamClosed(): Promise<void>;
}

/**
 * Streams the account's own events. Events missed during an outage are not repeated: the listener reads the account after
 * each `connected`. A replacement ends with `connected` too, without a `lost` before it.
 */
export function openAccountConnection(
  protocol: AccountProtocol,
  listener: (event: AccountEvent) => void,
): AccountStream {
  /** Replaces the current socket once it is subscribed. */
  let successor: ReconnectingSocket | null = null;
  let current = open();
  let isClosed = false;

  function open(): ReconnectingSocket {
    const connection: AccountConnection = {
      send: (message) => socket.send(message),
      emit(event) {
        if (isClosed) return;
        if (event.type === 'connected') socket.onKeyAccepted();
        if (event.type === 'connected' && socket === successor) replaceCurrent(socket);
        if (socket === current) listener(event);
      },
      end: (why, cause) => socket.drop(why, cause),
      refuse: (error) => socket.drop(error.message, error),
      replaceConnection() {
        if (socket === current && successor === null) successor = open();
      },
    };
    const socket = openReconnectingSocket(
      { ...protocol, pingMs: PING_MS, url: () => protocol.address() },
      {
        onOpen: () => protocol.onOpen(connection),
        onUpgradeRefused: () => protocol.onUpgradeRefused?.(),
        onMessage: (data) => protocol.onMessage(data, connection),
        onClose: () => protocol.onClose(connection),
        onLost(error) {
          if (socket !== current) return;
          listener({ type: 'lost', error });
          // The successor reports `connected` itself once it is subscribed.
          if (successor !== null) replaceCurrent(successor);
        },
      },
    );
    socket.connect();
    return socket;
  }

  function replaceCurrent(next: ReconnectingSocket): void {
    current.close();
    current = next;
    successor = null;
  }

  return {
    retry() {
      current.retry();
      successor?.retry();
    },
    async close() {
      isClosed = true;
      current.close();
      successor?.close();
      await protocol.onStreamClosed();
    },
  };
}
