import { type StreamMessage, streamRequest } from '@heron/contract/bots/stream.ts';
import { WebSocket } from 'ws';
import type { Push } from '../worker/broadcast.ts';

/** A client that has so much unread gets nothing more until it has read, and then the whole state at once. */
const BEHIND_BYTES = 256 * 1024;
const CAUGHT_UP_BYTES = 16 * 1024;
const BEHIND_MS = 30_000;
const CHECK_MS = 1_000;
/** A client that does not answer two pings in a row is gone. */
const PING_MS = 15_000;

/** Where the whole state of things comes from. */
export interface StreamSource {
  /** Summaries of all bots of an owner. */
  summaries(owner: string): Promise<StreamMessage[]>;
  /** Everything of one bot; null when the owner has no such bot. */
  detail(owner: string, bot: string): Promise<StreamMessage | null>;
  /** Called whenever it changes who listens. */
  audience(owners: readonly string[], bots: readonly string[]): void;
}

/** The windows of all users of this host. */
export interface ClientStreams {
  attach(socket: WebSocket, owner: string): void;
  push(push: Push): void;
  /** For what no worker knows of, such as a deleted bot. */
  tell(owner: string, message: StreamMessage): void;
  /** Pushes may have been missed: everybody gets the whole state. */
  renew(): void;
  close(): void;
}

interface Client {
  readonly socket: WebSocket;
  readonly owner: string;
  watches: string | null;
  /** Since when it has too much unread, ms of the monotonic clock; null while it keeps up. */
  behindSince: number | null;
  answered: boolean;
}

/** Passes on what workers push, to whom it concerns, and never waits for a slow reader. */
export function clientStreams(source: StreamSource): ClientStreams {
  const clients = new Set<Client>();
  const check = setInterval(checkAll, CHECK_MS);
  const ping = setInterval(pingAll, PING_MS);
  check.unref();
  ping.unref();

  function send(client: Client, text: string): void {
    if (client.behindSince !== null || client.socket.readyState !== WebSocket.OPEN) return;
    if (client.socket.bufferedAmount > BEHIND_BYTES) {
      client.behindSince = performance.now();
      return;
    }
    client.socket.send(text);
  }

  function checkAll(): void {
    for (const client of clients) {
      if (client.behindSince === null) continue;
      if (client.socket.bufferedAmount < CAUGHT_UP_BYTES) {
        client.behindSince = null;
        void tellAll(client);
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

  /** The whole state, for one that has just come or has missed something. */
  async function tellAll(client: Client): Promise<void> {
    try {
      for (const message of await source.summaries(client.owner)) send(client, JSON.stringify(message));
      await tellWatched(client);
    } catch {
      // Nobody can say what the state is: the client connects again and asks.
      client.socket.close(1013);
    }
  }

  async function tellWatched(client: Client): Promise<void> {
    const bot = client.watches;
    if (bot === null) return;
    const detail = await source.detail(client.owner, bot);
    if (client.watches !== bot) return;
    if (detail === null) client.watches = null;
    send(client, JSON.stringify(detail ?? { type: 'removed', id: bot }));
  }

  function tellAudience(): void {
    const owners = new Set<string>();
    const bots = new Set<string>();
    for (const { owner, watches } of clients) {
      owners.add(owner);
      if (watches !== null) bots.add(watches);
    }
    source.audience([...owners], [...bots]);
  }

  async function take(client: Client, text: string): Promise<void> {
    let given: unknown;
    try {
      given = JSON.parse(text);
    } catch {
      given = null;
    }
    const request = streamRequest.safeParse(given);
    if (!request.success) {
      client.socket.close(1008);
      return;
    }
    // Foreign bots are found out before anything of theirs could be pushed here.
    const { id } = request.data;
    const detail = id === null ? null : await source.detail(client.owner, id).catch(() => undefined);
    if (detail === undefined) {
      client.socket.close(1013);
      return;
    }
    client.watches = detail === null ? null : id;
    tellAudience();
    if (id !== null) send(client, JSON.stringify(detail ?? { type: 'removed', id }));
  }

  return {
    attach(socket, owner) {
      const client: Client = { socket, owner, watches: null, behindSince: null, answered: true };
      clients.add(client);
      socket.on('message', (data) => void take(client, String(data)));
      socket.on('pong', () => {
        client.answered = true;
      });
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        clients.delete(client);
        tellAudience();
      });
      tellAudience();
      void tellAll(client);
    },
    push({ owner, bot, watchers, message }) {
      let text: string | null = null;
      for (const client of clients) {
        if (client.owner !== owner || (watchers && client.watches !== bot)) continue;
        text ??= JSON.stringify(message);
        send(client, text);
      }
    },
    tell(owner, message) {
      const text = JSON.stringify(message);
      for (const client of clients) if (client.owner === owner) send(client, text);
    },
    renew() {
      for (const client of clients) void tellAll(client);
    },
    close() {
      clearInterval(check);
      clearInterval(ping);
      for (const { socket } of clients) socket.terminate();
    },
  };
}
