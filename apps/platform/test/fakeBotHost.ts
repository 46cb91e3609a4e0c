import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostNotification } from '@heron/contract/bots/notifications.ts';
import { type WebSocket, WebSocketServer } from 'ws';

/** A request that the fake bot host received. */
export type ReceivedRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

/** A bot host whose responses a test sets. It records its requests. */
export type FakeBotHost = {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  readonly streams: { socket: WebSocket; headers: IncomingMessage['headers'] }[];
  /** Responds to a request; by default it sends the request back as JSON. */
  respond(request: ReceivedRequest, response: ServerResponse, raw: IncomingMessage): void;
  /** Notifications of bots, which every poll returns until they are acknowledged. */
  notifications: HostNotification[];
  /** Ids of notifications in the order of their acknowledgements. */
  readonly acknowledged: string[];
  /** Rejects bodies with a larger `content-length` (bytes) without reading them, as a bot host does. */
  limit: number;
  /** Runs when a stream opens. */
  onStream(socket: WebSocket): void;
  stop(): Promise<void>;
  start(): Promise<void>;
};

export async function startFakeBotHost(): Promise<FakeBotHost> {
  let port = 0;
  const make = () => {
    const server = createServer(async (raw, response) => {
      const { method = '', url = '', headers } = raw;
      if (Number(headers['content-length'] ?? 0) > host.limit) {
        response.writeHead(413, { 'content-type': 'application/json', connection: 'close' }).end('{}');
        return;
      }
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of raw) chunks.push(chunk);
      } catch {
        return; // The caller has disconnected.
      }
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      if (url.startsWith('/host/')) {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(notify(request)));
        return;
      }
      host.requests.push(request);
      host.respond(request, response, raw);
    });
    // In some tests a caller disconnects in the middle of a body.
    server.on('clientError', (_error, socket) => socket.destroy());
    const sockets = new WebSocketServer({ server, path: '/bot/stream' });
    sockets.on('connection', (socket, { headers }) => {
      host.streams.push({ socket, headers });
      host.onStream(socket);
    });
    return { server, sockets };
  };
  /** Responds at once, even without notifications. */
  const notify = ({ method, body }: ReceivedRequest) => {
    if (method === 'GET') return { notices: host.notifications };
    const { ids } = JSON.parse(body) as { ids: string[] };
    host.acknowledged.push(...ids);
    host.notifications = host.notifications.filter(({ id }) => !ids.includes(id));
    return {};
  };
  let running = make();
  const host: FakeBotHost = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    requests: [],
    streams: [],
    notifications: [],
    acknowledged: [],
    limit: Number.POSITIVE_INFINITY,
    respond(request, response) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(request));
    },
    onStream() {},
    async stop() {
      for (const client of running.sockets.clients) client.terminate();
      running.server.closeAllConnections();
      running.server.close();
      await once(running.server, 'close');
    },
    async start() {
      running = make();
      running.server.listen(port, '127.0.0.1');
      await once(running.server, 'listening');
    },
  };
  running.server.listen(0, '127.0.0.1');
  await once(running.server, 'listening');
  port = (running.server.address() as AddressInfo).port;
  return host;
}
