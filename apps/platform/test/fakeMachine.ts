import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import {
  CODE_IDENTITY,
  formatPairingCode,
  PAIRING_PATHS,
  PAIRING_TLS,
  parsePairingCode,
} from '@heron/contract/bots/pairing.ts';
import { type WebSocket, WebSocketServer } from 'ws';

/** A notice as any version of a bot host, or none, would tell it. */
type Told = { readonly id: string; readonly [field: string]: unknown };

/** A machine that is paired and then answers whatever a test wishes. */
export interface FakeMachine {
  readonly port: number;
  readonly instance: string;
  readonly code: string;
  respond(request: IncomingMessage, response: ServerResponse): void;
  onStream(socket: WebSocket): void;
  /** Whether it lets streams open, or says nothing to whoever asks for one. */
  streams: boolean;
  /** Path and query of all that was asked, but for what its bots tell. */
  readonly requests: string[];
  readonly connections: Set<TLSSocket>;
  /** What its bots tell: handed out as soon as there is any, until it is taken. */
  push(...notices: Told[]): void;
  /** What nobody has taken yet. */
  pending(): string[];
  /** Ids in the order in which they were taken, as often as that was said. */
  readonly acknowledged: string[];
  /** So often the line breaks when it is told that something is taken, and it has not understood that. */
  failingAcknowledgements: number;
  close(): void;
}

export async function startFakeMachine(): Promise<FakeMachine> {
  const code = formatPairingCode(crypto.getRandomValues(new Uint8Array(20)));
  const instance = randomUUID();
  const keys = new Map([[CODE_IDENTITY, Buffer.from(parsePairingCode(code) ?? '')]]);
  const connections = new Set<TLSSocket>();
  let notices: readonly Told[] = [];
  const waiting = new Set<ServerResponse>();
  const handOut = () => {
    for (const response of waiting) response.end(JSON.stringify({ notices: notices.slice(0, 200) }));
    waiting.clear();
  };
  const app = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.startsWith(`${PAIRING_PATHS.notifications}?`)) {
      waiting.add(response);
      response.on('close', () => waiting.delete(response));
      if (notices.length > 0) handOut();
      return;
    }
    if (request.url === PAIRING_PATHS.acknowledgeNotifications) {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { ids } = JSON.parse(text) as { ids: string[] };
      if (made.failingAcknowledgements > 0) {
        made.failingAcknowledgements -= 1;
        request.socket.destroy();
        return;
      }
      made.acknowledged.push(...ids);
      notices = notices.filter(({ id }) => !ids.includes(id));
      response.end('{}');
      return;
    }
    made.requests.push(request.url ?? '');
    if (request.url === '/paired/join') {
      const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
      const identity = key.toString('hex').slice(0, 16);
      keys.set(identity, key);
      response.end(JSON.stringify({ instance, version: '0.1.0', identity, key: key.toString('hex') }));
    } else if (request.url === '/paired/hello') response.end(JSON.stringify({ instance, version: '0.1.0' }));
    else made.respond(request, response);
  });
  const sockets = new WebSocketServer({ noServer: true });
  app.on('upgrade', (request, socket, head) => {
    if (made.streams) sockets.handleUpgrade(request, socket, head, (opened) => made.onStream(opened));
  });
  const door = createTlsServer(
    { ...PAIRING_TLS, pskCallback: (_, identity) => keys.get(identity) ?? null },
    (socket) => {
      connections.add(socket);
      socket.on('error', () => socket.destroy());
      app.emit('connection', socket);
    },
  );
  door.on('tlsClientError', () => {});
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const made: FakeMachine = {
    ...{ port: (door.address() as AddressInfo).port, instance, code, requests: [], connections },
    respond: (_, response) => void response.end('{}'),
    onStream() {},
    ...{ streams: true, acknowledged: [], failingAcknowledgements: 0 },
    push(...told) {
      notices = [...notices, ...told];
      handOut();
    },
    pending: () => notices.map(({ id }) => id),
    close() {
      for (const socket of connections) socket.destroy();
      door.close();
    },
  };
  return made;
}
