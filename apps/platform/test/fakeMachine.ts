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

/** A notification in any shape: an older or newer bot host, or another program, may have sent it. */
type SentNotification = { readonly id: string; readonly [field: string]: unknown };

/** A machine that can be paired and whose responses a test sets. */
export interface FakeMachine {
  readonly port: number;
  readonly instance: string;
  readonly code: string;
  respond(request: IncomingMessage, response: ServerResponse): void;
  onStream(socket: WebSocket): void;
  /** Accepts streams if true; otherwise an upgrade request gets no response. */
  streams: boolean;
  /** Path and query of all requests, except those about notifications. */
  readonly requests: string[];
  readonly connections: Set<TLSSocket>;
  /** Adds notifications. Polls return them at once, until they are acknowledged. */
  push(...notices: SentNotification[]): void;
  /** Lists the ids of notifications that are not acknowledged yet. */
  pending(): string[];
  /** Ids in the order of their acknowledgements, repeated ones included. */
  readonly acknowledged: string[];
  /** This many of the next acknowledgements fail: the machine ignores them and disconnects. */
  failingAcknowledgements: number;
  close(): void;
}

export async function startFakeMachine(): Promise<FakeMachine> {
  const code = formatPairingCode(crypto.getRandomValues(new Uint8Array(20)));
  const instance = randomUUID();
  const keys = new Map([[CODE_IDENTITY, Buffer.from(parsePairingCode(code) ?? '')]]);
  const connections = new Set<TLSSocket>();
  let notices: readonly SentNotification[] = [];
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
  const tlsServer = createTlsServer(
    { ...PAIRING_TLS, pskCallback: (_, identity) => keys.get(identity) ?? null },
    (socket) => {
      connections.add(socket);
      socket.on('error', () => socket.destroy());
      app.emit('connection', socket);
    },
  );
  tlsServer.on('tlsClientError', () => {});
  tlsServer.listen(0, '127.0.0.1');
  await once(tlsServer, 'listening');
  const made: FakeMachine = {
    ...{ port: (tlsServer.address() as AddressInfo).port, instance, code, requests: [], connections },
    respond: (_, response) => void response.end('{}'),
    onStream() {},
    ...{ streams: true, acknowledged: [], failingAcknowledgements: 0 },
    push(...added) {
      notices = [...notices, ...added];
      handOut();
    },
    pending: () => notices.map(({ id }) => id),
    close() {
      for (const socket of connections) socket.destroy();
      tlsServer.close();
    },
  };
  return made;
}
