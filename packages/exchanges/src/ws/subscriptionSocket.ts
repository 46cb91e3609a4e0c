import type { ExchangeError } from '../errors.ts';
import type { Channel } from '../exchange.ts';
import { openReconnectingSocket, type SocketProtocol } from './reconnectingSocket.ts';

/** Subscriptions are collected this long, so that ten pairs cost one message (Binance accepts five a second). */
const COLLECT_MS = 20;
const RETRY_MS = 1_000;
const REFUSED_RETRY_MS = 5_000;

/** The venue's response to a request to subscribe. */
export interface SubscriptionAnswer {
  readonly id: number;
  /** The venue's text of a refusal; null when it has subscribed. */
  readonly refusal: string | null;
}

/** Format of the subscriptions and pushes of one venue. */
export interface SubscriptionProtocol extends SocketProtocol {
  /** Returns the venue's name of a channel; undefined for a pair that it does not list. */
  nameOf(channel: Channel): string | undefined;
  /** Channels in one request. */
  readonly batch: number;
  subscribe(names: readonly string[], id: number): object;
  unsubscribe(names: readonly string[], id: number): object;
  /** Reads a message: a response to a request to subscribe is returned, everything else is handled. @throws anything */
  onMessage(data: unknown): SubscriptionAnswer | null;
  /** Loads what `nameOf` needs. @throws ExchangeError */
  prepare(): Promise<void>;
  /** Returns the error of a refused subscription. */
  refused(why: string): ExchangeError;
}

export interface SubscriptionListener {
  onConnected(): void;
  onLost(error: ExchangeError): void;
  /** Every channel that is watched has been subscribed. */
  onSubscribed(): void;
}

/** A socket with its channels. It reconnects by itself and then subscribes all of them again. */
export interface SubscriptionSocket {
  readonly isOpen: boolean;
  /** Whether the socket is open, and every channel that is watched has been subscribed. */
  readonly isSubscribed: boolean;
  /** Number of channels that are watched. */
  readonly size: number;
  has(key: string): boolean;
  watch(key: string, channel: Channel): void;
  unwatch(key: string): void;
  reconnect(): void;
  close(): void;
}

/** Opens a socket that connects at the first channel. */
export function openSubscriptionSocket(
  protocol: SubscriptionProtocol,
  listener: SubscriptionListener,
): SubscriptionSocket {
  const wanted = new Map<string, Channel>();
  /** Channels that no request names yet. */
  const pending = new Set<string>();
  /** Channels of the requests that the venue has not answered yet, by request. */
  const unanswered = new Map<number, readonly string[]>();
  /** Channels to unsubscribe. */
  const leaving = new Set<string>();
  let lastId = 0;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const socket = openReconnectingSocket(protocol, {
    onOpen() {
      unanswered.clear();
      leaving.clear();
      for (const key of wanted.keys()) pending.add(key);
      listener.onConnected();
      plan(0);
    },
    onMessage(data) {
      const answer = protocol.onMessage(data);
      if (answer !== null) onAnswer(answer);
    },
    onClose() {},
    onLost: (error) => listener.onLost(error),
  });

  function plan(delayMs: number): void {
    if (timer !== null || isClosed) return;
    timer = setTimeout(() => {
      timer = null;
      void flush();
    }, delayMs);
  }

  async function flush(): Promise<void> {
    if (pending.size === 0 && leaving.size === 0) return;
    try {
      await protocol.prepare();
    } catch (error) {
      if (isClosed) return;
      // `prepare` throws an `ExchangeError` only.
      listener.onLost(error as ExchangeError);
      plan(RETRY_MS);
      return;
    }
    if (isClosed) return;
    // An open connection continues here; another one when it opens.
    if (!socket.isOpen) socket.connect();
    else sendRequests();
  }

  function sendRequests(): void {
    const left = [...leaving];
    leaving.clear();
    for (const names of batches(left)) socket.send(protocol.unsubscribe(names, nextId()));
    const keys = [...pending];
    pending.clear();
    for (const batch of chunks(keys, protocol.batch)) {
      const names = batch.flatMap((key) => nameOf(key) ?? []);
      if (names.length === 0) continue;
      const id = nextId();
      unanswered.set(id, batch);
      socket.send(protocol.subscribe(names, id));
    }
  }

  function nameOf(key: string): string | undefined {
    const channel = wanted.get(key);
    return channel === undefined ? undefined : protocol.nameOf(channel);
  }

  function batches(names: readonly string[]): string[][] {
    return chunks(names, protocol.batch);
  }

  function nextId(): number {
    lastId += 1;
    return lastId;
  }

  function isSubscribed(): boolean {
    return unanswered.size === 0 && pending.size === 0;
  }

  function onAnswer({ id, refusal }: SubscriptionAnswer): void {
    const keys = unanswered.get(id);
    if (keys === undefined) return;
    unanswered.delete(id);
    if (refusal === null) {
      if (isSubscribed()) listener.onSubscribed();
      return;
    }
    for (const key of keys) if (wanted.has(key)) pending.add(key);
    listener.onLost(protocol.refused(refusal));
    plan(REFUSED_RETRY_MS);
  }

  return {
    get isOpen() {
      return socket.isOpen;
    },
    get isSubscribed() {
      return socket.isOpen && isSubscribed();
    },
    get size() {
      return wanted.size;
    },
    has: (key) => wanted.has(key),
    watch(key, channel) {
      wanted.set(key, channel);
      pending.add(key);
      plan(COLLECT_MS);
    },
    unwatch(key) {
      const name = nameOf(key);
      if (!wanted.delete(key) || pending.delete(key) || name === undefined) return;
      leaving.add(name);
      plan(COLLECT_MS);
    },
    reconnect: () => socket.drop('a new connection was requested'),
    close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      socket.close();
    },
  };
}

function chunks(items: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
