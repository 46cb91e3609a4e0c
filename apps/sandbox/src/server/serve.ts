import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { wallClock } from '../clock.ts';
import { SandboxError } from '../errors.ts';
import { handleFaultControl } from '../faults/faultControl.ts';
import type { FaultScript } from '../faults/faultScript.ts';
import { applyHttpFaults } from '../faults/requestFaults.ts';
import { closeSockets, pathOf, rejectsConnection } from '../faults/socketFaults.ts';

/** Maximum length of a client message in bytes. */
const MESSAGE_BYTES = 64 * 1024;
const PING_MS = 20_000;
/** A client that has not answered a ping for this long is disconnected. */
const SILENCE_MS = 60_000;

/** A response to an HTTP request. */
export type HttpResponse = { status: number; headers: { [name: string]: string }; body: string };

/** Handles the HTTP requests and WebSockets of one port. */
export type ProtocolHandler = {
  /** Handles a request. It never rejects. */
  handleRequest(request: IncomingMessage): Promise<HttpResponse>;
  /** Returns what accepts a WebSocket of `url`; undefined for an unknown address. */
  socketHandler(url: string): ((socket: WebSocket) => void) | undefined;
  /** Returns the message before a shutdown for sockets of `url`; default: none. */
  shutdownNotice?(url: string): string | undefined;
  /** Body of the response to invalid HTTP, and to a WebSocket of an unknown address. */
  badRequestBody: string;
};

export type Served = {
  port: number;
  /** Closes every WebSocket. */
  cutSockets(): void;
  close(): Promise<void>;
};

/**
 * Listens for HTTP and WebSockets on one port.
 *
 * @param getHandler is called for each request; when it throws, the connection is closed
 * @param port 0 for any free one
 * @param script faults of requests and sockets; undefined when there are none
 * @throws SandboxError PORT_TAKEN or CANNOT_LISTEN
 */
export async function serve(
  getHandler: () => ProtocolHandler,
  host: string,
  port: number,
  script: FaultScript | undefined,
): Promise<Served> {
  const openHandler = (socket: Duplex): ProtocolHandler | undefined => {
    try {
      return getHandler();
    } catch (error) {
      console.error('sandbox: the market cannot be opened', error);
      socket.destroy();
      return undefined;
    }
  };
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    const handler = openHandler(request.socket);
    if (handler) void respond(handler, script, request, response);
  });
  server.on('clientError', (_error, socket) => {
    const rejection = openHandler(socket)?.badRequestBody;
    if (rejection !== undefined) rejectConnection(socket, rejection);
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false });
  const urls = new WeakMap<WebSocket, string>();
  if (script) {
    closeSockets(
      script,
      sockets,
      (socket) => urls.get(socket) ?? '',
      (url) => getHandler().shutdownNotice?.(url),
    );
  }
  server.on('upgrade', (request, socket, head) => {
    const url = request.url ?? '';
    const accept = acceptorOf(url, script, socket, () => openHandler(socket));
    if (!accept) return;
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      keepAlive(webSocket);
      urls.set(webSocket, url);
      accept(webSocket);
    });
  });
  await listen(server, host, port);
  // Connections use the machine's time, not the market's.
  const stopPings = wallClock.every(PING_MS, () => pingAll(sockets));
  const cutAll = () => {
    for (const socket of sockets.clients) socket.terminate();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cutSockets: cutAll,
    async close() {
      stopPings();
      cutAll();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns what accepts a WebSocket of `url`; without one the connection is closed or rejected. */
function acceptorOf(
  url: string,
  script: FaultScript | undefined,
  socket: Duplex,
  openHandler: () => ProtocolHandler | undefined,
): ((socket: WebSocket) => void) | undefined {
  if (rejectsConnection(script, pathOf(url))) {
    socket.destroy();
    return undefined;
  }
  const handler = openHandler();
  const accept = handler?.socketHandler(url);
  if (handler && !accept) rejectConnection(socket, handler.badRequestBody);
  return accept;
}

/** Pings every client, and disconnects those without a pong for too long. */
function pingAll(sockets: WebSocketServer): void {
  for (const socket of sockets.clients) {
    const lastPong = lastPongs.get(socket) ?? 0;
    if (wallClock.now() - lastPong > SILENCE_MS) socket.terminate();
    else socket.ping();
  }
}

async function respond(
  handler: ProtocolHandler,
  script: FaultScript | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const subject = `${request.method} ${pathOf(request.url ?? '')}`;
  if (await handleFaultControl(script, request, response)) return;
  if (script && (await applyHttpFaults(script, 'before', subject, response))) return;
  const { status, headers, body } = await handler.handleRequest(request);
  if (script && (await applyHttpFaults(script, 'after', subject, response))) return;
  if (response.destroyed) return;
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
  response.end(request.method === 'HEAD' ? undefined : body);
}

const lastPongs = new WeakMap<WebSocket, number>();

function keepAlive(socket: WebSocket): void {
  lastPongs.set(socket, wallClock.now());
  socket.on('pong', () => lastPongs.set(socket, wallClock.now()));
  // After an invalid frame or a lost connection `ws` closes the socket itself.
  socket.on('error', () => socket.terminate());
}

function rejectConnection(socket: Duplex, body: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new SandboxError(
              'PORT_TAKEN',
              `Port ${port} on ${host} is taken; stop what uses it or give another port`,
              error,
            )
          : new SandboxError('CANNOT_LISTEN', `Cannot listen on ${host}:${port}: ${error.message}`, error),
      );
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}
