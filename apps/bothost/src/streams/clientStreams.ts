import { type StreamMessage, streamRequest } from '@heron/contract/bots/stream.ts';
import { WebSocket } from 'ws';
import type { Push } from '../runner/broadcast.ts';
import { createOwnerQueue } from './ownerQueue.ts';

/** A client with this much unread data gets no more messages. Once it has read most of it, it gets the whole state. */
const BEHIND_BYTES = 256 * 1024;
const CAUGHT_UP_BYTES = 16 * 1024;
const BEHIND_MS = 30_000;
const CHECK_MS = 1_000;
/** Minimum interval between two reads of state for one owner, so that its clients cannot hold up other owners. */
const READ_INTERVAL_MS = 20;
/** Interval of pings. A client that has not responded by the next ping is disconnected. */
const PING_MS = 15_000;

/** Close codes (RFC 6455 7.4.1). */
const MALFORMED = 1008;
const TRY_AGAIN_LATER = 1013;

/** Maximum number of messages that are held back for a client while its state is read. */
const MAX_HELD = 1_000;

/** Keys of the reads that are queued once for all clients of an owner. */
const summariesKey = {};
const unseenKey = {};

/** Reads the state that clients get. */
export interface StreamSource {
  /** Reads the summaries of all bots of an owner. */
  summaries(owner: string): Promise<StreamMessage[]>;
  /** Reads the number of unseen notifications of an owner. */
  unseen(owner: string): Promise<StreamMessage>;
  /** Reads the details of one bot; null when the owner has no such bot. */
  detail(owner: string, bot: string): Promise<StreamMessage | null>;
  /** Is called whenever the watched owners or bots change. */
  audience(owners: readonly string[], bots: readonly string[]): void;
}

/** The connections of all clients of this host. */
export interface ClientStreams {
  attach(socket: WebSocket, owner: string): void;
  push(push: Push): void;
  /** Sends a message that no worker pushes, such as the deletion of a bot. */
  send(owner: string, message: StreamMessage): void;
  /** Sends the number of unseen notifications to all clients of an owner. Call when some were seen, or made without a push. */
  countUnseen(owner: string): void;
  /** Sends the whole state to all clients, because pushes may have been missed. */
  renew(): void;
  close(): void;
}

interface Client {
  readonly socket: WebSocket;
  readonly owner: string;
  /** The bot whose details the client gets. */
  watches: string | null;
  /** The bot of its newest request; it becomes the watched bot when the read of its details begins. */
  wanted: string | null;
  /** Whether it waits for the summaries of all its bots. */
  needsAll: boolean;
  /** Messages held back while the client's state is read, because that state is older; null while none is read. */
  held: string[] | null;
  /** Time since which it has too much unread data, ms of the monotonic clock; null while it keeps up. */
  behindSince: number | null;
  answered: boolean;
}

/** Sends the pushes of workers to the clients that they concern, and never waits for a slow client. */
export function createClientStreams(source: StreamSource): ClientStreams {
  const clients = new Set<Client>();
  const reads = createOwnerQueue(READ_INTERVAL_MS);
  const check = setInterval(checkAll, CHECK_MS);
  const ping = setInterval(pingAll, PING_MS);
  check.unref();
  ping.unref();

  function send(client: Client, text: string): void {
    if (client.behindSince !== null || client.socket.readyState !== WebSocket.OPEN) return;
    if (client.socket.bufferedAmount > BEHIND_BYTES || (client.held?.length ?? 0) >= MAX_HELD) {
      client.behindSince = performance.now();
      return;
    }
    if (client.held !== null) client.held.push(text);
    else client.socket.send(text);
  }

  /** Sends the state that was read, then the messages that were held back. */
  function sendState(client: Client, texts: readonly string[]): void {
    const held = client.held ?? [];
    client.held = null;
    for (const text of [...texts, ...held]) send(client, text);
  }

  function checkAll(): void {
    for (const client of clients) {
      if (client.behindSince === null) continue;
      if (client.socket.bufferedAmount < CAUGHT_UP_BYTES) {
        client.behindSince = null;
        queueAll(client);
      } else if (performance.now() - client.behindSince > BEHIND_MS) {
        client.socket.terminate();
      }
    }
  }

  function pingAll(): void {
    for (const client of clients) {
      if (!client.answered) client.socket.terminate();
      client.answered = false;
      if (client.socket.readyState === WebSocket.OPEN) client.socket.ping();
    }
  }

  /** Queues the whole state for a client that has just connected or has missed messages. */
  function queueAll(client: Client): void {
    client.needsAll = true;
    reads.add(client.owner, summariesKey, () => sendAll(client.owner));
  }

  /** Reads the summaries of an owner once, and sends them to each of the owner's clients that waits for them. */
  async function sendAll(owner: string): Promise<void> {
    const waiting = clientsOf(owner).filter(({ needsAll }) => needsAll);
    if (waiting.length === 0) return;
    for (const client of waiting) {
      client.needsAll = false;
      client.held = [];
    }
    try {
      const messages = await Promise.all([source.unseen(owner), source.summaries(owner)]);
      const texts = messages.flat().map((message) => JSON.stringify(message));
      for (const client of waiting) {
        sendState(client, texts);
        if (client.wanted !== null) queueWanted(client);
      }
    } catch {
      // The state cannot be read. The clients get it after they reconnect.
      for (const { socket } of waiting) socket.close(TRY_AGAIN_LATER);
    }
  }

  /** Queues a read of the number of unseen notifications. Reads run one after the other, so that no older number comes last. */
  function queueUnseen(owner: string): void {
    if (clientsOf(owner).length > 0) reads.add(owner, unseenKey, () => sendUnseen(owner));
  }

  async function sendUnseen(owner: string): Promise<void> {
    try {
      const text = JSON.stringify(await source.unseen(owner));
      for (const client of clientsOf(owner)) send(client, text);
    } catch {
      for (const { socket } of clientsOf(owner)) socket.close(TRY_AGAIN_LATER);
    }
  }

  function clientsOf(owner: string): Client[] {
    return [...clients].filter((client) => client.owner === owner);
  }

  function queueWanted(client: Client): void {
    reads.add(client.owner, client, () => sendWanted(client));
  }

  /** Watches the wanted bot and sends its details. Pushes are filtered by owner, so other users' bots reveal nothing. */
  async function sendWanted(client: Client): Promise<void> {
    const id = client.wanted;
    if (id === null || !clients.has(client)) return;
    client.held = [];
    watch(client, id);
    const detail = await source.detail(client.owner, id).catch(() => undefined);
    // A newer request has been queued meanwhile, or needs no read.
    if (client.wanted !== id) {
      sendState(client, []);
      return;
    }
    if (detail === undefined) {
      client.socket.close(TRY_AGAIN_LATER);
      return;
    }
    if (detail === null) {
      client.wanted = null;
      watch(client, null);
    }
    sendState(client, [JSON.stringify(detail ?? { type: 'removed', id })]);
  }

  function watch(client: Client, id: string | null): void {
    if (client.watches === id) return;
    client.watches = id;
    updateAudience();
  }

  function updateAudience(): void {
    const owners = new Set<string>();
    const bots = new Set<string>();
    for (const { owner, watches } of clients) {
      owners.add(owner);
      if (watches !== null) bots.add(watches);
    }
    source.audience([...owners], [...bots]);
  }

  function onMessage(client: Client, text: string): void {
    if (client.socket.readyState !== WebSocket.OPEN) return;
    let given: unknown;
    try {
      given = JSON.parse(text);
    } catch {
      given = null;
    }
    const request = streamRequest.safeParse(given);
    if (!request.success) {
      client.socket.close(MALFORMED);
      return;
    }
    client.wanted = request.data.id;
    if (client.wanted === null) watch(client, null);
    else queueWanted(client);
  }

  return {
    attach(socket, owner) {
      const state = { watches: null, wanted: null, needsAll: false, held: null, behindSince: null, answered: true };
      const client: Client = { socket, owner, ...state };
      clients.add(client);
      socket.on('message', (data) => onMessage(client, String(data)));
      socket.on('pong', () => {
        client.answered = true;
      });
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        clients.delete(client);
        updateAudience();
      });
      updateAudience();
      queueAll(client);
    },
    push({ owner, bot, watchers, message }) {
      let text: string | null = null;
      for (const client of clients) {
        if (client.owner !== owner || (watchers && client.watches !== bot)) continue;
        text ??= JSON.stringify(message);
        send(client, text);
      }
      if (message.type === 'notice') queueUnseen(owner);
    },
    send(owner, message) {
      const text = JSON.stringify(message);
      for (const client of clientsOf(owner)) send(client, text);
    },
    countUnseen: queueUnseen,
    renew() {
      for (const client of clients) queueAll(client);
    },
    close() {
      clearInterval(check);
      clearInterval(ping);
      for (const { socket } of clients) socket.terminate();
    },
  };
}
