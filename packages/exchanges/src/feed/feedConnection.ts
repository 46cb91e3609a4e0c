import type { ExchangeError } from '../errors.ts';
import type { Channel, PublicExchange, PublicStream, StreamEvent } from '../exchange.ts';
import { type FeedHealth, MAX_SILENCE_MS } from './feedTypes.ts';

/** A silent connection is replaced at most this often. */
const RECONNECT_MS = 30_000;

/** Events of a connection, without `lost`. */
export interface FeedConnectionListener {
  /** @param wasLost whether events may be missing before this connection */
  onConnected(wasLost: boolean): void;
  onData(event: Exclude<StreamEvent, { type: 'connected' | 'lost' }>): void;
  onDisconnected(): void;
}

/** The market streams of a feed, opened at the first channel and closed when nothing is followed. */
export interface FeedConnection {
  watch(channels: readonly Channel[]): void;
  unwatch(channels: readonly Channel[]): void;
  /** Error of the lost connection; null while it stands. */
  failure(): ExchangeError | null;
  /** The first pair is about to be followed: the silence before does not count. */
  onFirstPair(): void;
  /** The last pair was released. */
  onLastPair(): void;
  /** Replaces a silent connection, and closes one that nothing uses. @param pairs number of followed pairs */
  check(at: number, pairs: number): void;
  health(pairs: number): Pick<FeedHealth, 'connectedSince' | 'lastMessageAt' | 'interruptions' | 'interruptedAt'>;
  close(): Promise<void>;
}

/** @param pairCount returns the number of followed pairs */
export function openFeedConnection(
  exchange: PublicExchange,
  now: () => number,
  pairCount: () => number,
  listener: FeedConnectionListener,
): FeedConnection {
  let stream: PublicStream | null = null;
  let lostBy: ExchangeError | null = null;
  let lastEventAt = now();
  let lastMessageAt: number | null = null;
  let reconnectAt = 0;
  let releasedAt = 0;
  const state = { connectedSince: null as number | null, interruptions: 0, interruptedAt: null as number | null };
  /** Streams that are closing. */
  let closing: Promise<unknown> = Promise.resolve();

  function onEvent(event: StreamEvent): void {
    lastEventAt = now();
    if (event.type === 'lost') {
      lostBy = event.error;
      onInterruption();
    } else if (event.type === 'connected') {
      state.connectedSince ??= lastEventAt;
      listener.onConnected(lostBy !== null);
      lostBy = null;
    } else {
      lastMessageAt = lastEventAt;
      listener.onData(event);
    }
  }

  function onInterruption(): void {
    if (state.connectedSince === null) return;
    state.connectedSince = null;
    if (pairCount() === 0) return;
    state.interruptions += 1;
    state.interruptedAt = now();
  }

  /** Closes the stream, because some venues drop unused connections without a message. */
  function disconnect(): void {
    if (stream === null) return;
    closing = Promise.allSettled([closing, stream.close()]);
    stream = null;
    state.connectedSince = null;
    lostBy = null;
    listener.onDisconnected();
  }

  return {
    watch(channels) {
      stream ??= exchange.stream(onEvent);
      stream.watch(channels);
    },
    unwatch: (channels) => stream?.unwatch(channels),
    failure: () => lostBy,
    onFirstPair() {
      lastEventAt = now();
    },
    onLastPair() {
      releasedAt = now();
    },
    check(at, pairs) {
      // Not at once: a bot that changes its pairs, or tries again, needs no new connection.
      if (pairs === 0 && at - releasedAt > MAX_SILENCE_MS) disconnect();
      if (pairs === 0 || at - lastEventAt <= MAX_SILENCE_MS || at < reconnectAt) return;
      reconnectAt = at + RECONNECT_MS;
      onInterruption();
      stream?.reconnect();
    },
    health: (pairs) => ({ ...state, connectedSince: pairs > 0 ? state.connectedSince : null, lastMessageAt }),
    async close() {
      await closing;
      await stream?.close();
    },
  };
}
