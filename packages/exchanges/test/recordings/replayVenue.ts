import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { VenueRecordings } from '@heron/exchanges/testing/recordings/recording.ts';
import { type WebSocket, WebSocketServer } from 'ws';

/** An exchange that answers each request with its recording. */
export interface ReplayVenue {
  readonly rest: string;
  readonly ws: string;
  /** Calls that were made, as `METHOD /path`. */
  readonly asked: ReadonlySet<string>;
  /** The same with their parameters, in the order in which they came. */
  readonly requests: readonly { readonly call: string; readonly params: URLSearchParams }[];
  /** Answers in place of the recordings, until they are cleared. */
  readonly instead: Map<string, Answer>;
  close(): Promise<void>;
}

/** A response that the test defines. */
export interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

/**
 * Starts a venue that answers from recordings.
 *
 * @param onMessage what a socket is sent when it has said something, or has been opened
 */
export async function openReplayVenue(
  recordings: VenueRecordings,
  onMessage: (socket: WebSocket, message: string | null) => void = () => {},
): Promise<ReplayVenue> {
  const asked = new Set<string>();
  const requests: { call: string; params: URLSearchParams }[] = [];
  const instead = new Map<string, Answer>();
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://venue');
    const call = `${request.method} ${pathname}`;
    let text = '';
    for await (const part of request) text += part;
    requests.push({ call, params: new URLSearchParams(`${search.slice(1)}&${text}`) });
    const found: Answer | undefined = instead.get(call) ?? recordings.rest[call];
    asked.add(call);
    const { status = 200, body } = found ?? { status: 404, body: `nothing is recorded of ${call}` };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(jsonOf(body));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => onMessage(socket, String(data)));
    onMessage(socket, null);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    rest: `http://127.0.0.1:${port}`,
    ws: `ws://127.0.0.1:${port}/ws`,
    asked,
    requests,
    instead,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** JSON in which whole numbers beyond 2^53 keep their digits, as exchanges write them. */
export function jsonOf(body: unknown): string {
  const text = JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? `whole:${value}` : value));
  return text.replace(/"whole:(\d+)"/g, '$1');
}
