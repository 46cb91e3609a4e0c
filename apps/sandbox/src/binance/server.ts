import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { wallClock } from '../clock.ts';
import { SandboxError } from '../errors.ts';
import { answerRest, type Binance } from './rest.ts';
import { Streams } from './streams.ts';
import { WsApi } from './ws-api.ts';

/** Longest message of a client in bytes. */
const MESSAGE_BYTES = 64 * 1024;
const PING_MS = 20_000;
/** A client that has not answered a ping for this long is gone. */
const SILENCE_MS = 60_000;

export type BinanceServer = { port: number; close(): Promise<void> };

/**
 * Serves Binance's spot protocols on one port: REST under /api and /sapi, streams under /ws and /stream, the WebSocket
 * API under /ws-api/v3.
 *
 * @param port 0 for any free one
 * @throws SandboxError PORT_TAKEN or CANNOT_LISTEN
 */
export async function serveBinance(binance: Binance, host: string, port: number): Promise<BinanceServer> {
  const { clock, exchange } = binance;
  const streams = new Streams(exchange);
  const wsApi = new WsApi(binance);
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    void answerRest(binance, request, response);
  });
  server.on('clientError', (_error, socket) => refuseConnection(socket as Socket));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    const target = webSocketTarget(request.url ?? '');
    if (!target) {
      refuseConnection(socket as Socket);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      keepAlive(webSocket);
      if (target.kind === 'api') wsApi.accept(webSocket);
      else streams.accept(webSocket, target.combined, target.streams);
    });
  });
  await listen(server, host, port);
  const stops = [
    clock.every(100, () => {
      if (exchange.failure) return;
      try {
        exchange.advance(clock.now());
        streams.pulse(clock.now());
      } catch (error) {
        console.error('sandbox: the market has stopped', error);
        for (const socket of sockets.clients) socket.terminate();
      }
    }),
    clock.every(1000, () => {
      if (!exchange.failure) streams.secondPulse(clock.now());
    }),
    // wires live in the machine's time, whatever the market's
    wallClock.every(PING_MS, () => {
      for (const socket of sockets.clients) {
        const heard = lastHeard.get(socket) ?? 0;
        if (wallClock.now() - heard > SILENCE_MS) socket.terminate();
        else socket.ping();
      }
    }),
  ];
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const stop of stops) stop();
      for (const socket of sockets.clients) socket.terminate();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const lastHeard = new WeakMap<WebSocket, number>();

function keepAlive(socket: WebSocket): void {
  lastHeard.set(socket, wallClock.now());
  socket.on('pong', () => lastHeard.set(socket, wallClock.now()));
  // a broken frame or a cut line: `ws` closes the connection by itself
  socket.on('error', () => socket.terminate());
}

type Target = { kind: 'api' } | { kind: 'streams'; combined: boolean; streams: string[] };

/**
 * What a WebSocket address asks for. Beside Binance's own /ws/<streams> and /stream?streams=…, clients that tell spot
 * from futures by a "/stream" in the address (ccxt) connect to /stream/ws/<number>.
 */
function webSocketTarget(url: string): Target | undefined {
  const [path = '', query = ''] = url.split('?', 2);
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments[0] === 'ws-api') return { kind: 'api' };
  if (segments[0] !== 'ws' && segments[0] !== 'stream') return undefined;
  const listed = new URLSearchParams(query).get('streams');
  const at = segments.indexOf('ws');
  if (listed !== null || at === -1) {
    return { kind: 'streams', combined: true, streams: (listed ?? '').split('/').filter((name) => name !== '') };
  }
  return { kind: 'streams', combined: false, streams: segments.slice(at + 1).map((name) => safeDecode(name)) };
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refuseConnection(socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ code: -1100, msg: 'Illegal characters found in a parameter.' });
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
