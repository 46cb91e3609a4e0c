import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressesOf, VENUE_HOSTS } from '@heron/exchanges/net/hosts.ts';
import type { TestAuthority } from '@heron/exchanges/testing/certificates.ts';
import type { Sandbox } from '@heron/sandbox/sandbox.ts';

/** Exchanges whose real host names lead to the sandbox. */
export const REAL_VENUES = ['binance', 'binanceusdm', 'mexc'] as const;

export type RealVenue = (typeof REAL_VENUES)[number];

/** Response of all hosts: the sandbox's own, or a fixed error response. */
export type HostResponse =
  | 'normal'
  | {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body: string;
      /** This host still responds normally. */
      readonly except?: string;
    };

/** A ban of this IP address by one exchange. @property until ms since 1970 */
export interface Ban {
  readonly venue: RealVenue;
  readonly until: number;
}

/** TLS servers that play the hosts of the exchanges and forward to the sandbox. */
export interface ExchangeHosts {
  /** Contains the server name of every TLS handshake. */
  readonly serverNames: string[];
  /** Contains `host method path` of every request that arrived. */
  readonly requests: string[];
  /** Contains every request that arrived, with its time and exchange. */
  readonly arrivals: { readonly at: number; readonly venue: RealVenue; readonly request: string }[];
  response: HostResponse;
  /** Rejects all requests to one exchange with status 418 until a given time, and closes its connections, as Binance does. */
  ban(ban: Ban): void;
  close(): Promise<void>;
}

/** Returns all addresses of the three exchanges. */
const addresses = () => REAL_VENUES.flatMap((venue) => addressesOf(VENUE_HOSTS[venue]));

/** Returns the host names of the three exchanges. */
export function hostNames(): string[] {
  return [...new Set(addresses().map(({ hostname }) => hostname))];
}

/** Opens the servers on the standard ports of this network namespace. @param names host names that the certificate is for */
export async function openExchangeHosts(
  sandbox: Sandbox,
  authority: TestAuthority,
  names = hostNames(),
): Promise<ExchangeHosts> {
  const serverNames: string[] = [];
  const requests: string[] = [];
  const arrivals: ExchangeHosts['arrivals'] = [];
  const hosts: ExchangeHosts = { serverNames, requests, arrivals, response: 'normal', ban: begin, close };
  let ban: Ban | null = null;
  const sockets = new Set<Duplex>();
  /** Holds the connections of stream clients, with their exchange. */
  const streams = new Map<Duplex, RealVenue>();
  const ports = new Set(addresses().map(({ port }) => Number(port) || 443));
  const servers = await Promise.all([...ports].map(listen));

  /**
   * Returns the exchange of a request. The permissions of every Binance key, futures included, are read at the spot hosts.
   */
  function exchangeOf(request: IncomingMessage): RealVenue {
    const host = String(request.headers.host).split(':')[0];
    const ofFutures = request.headers['x-mbx-apikey'] === sandbox.binanceusdm.key;
    if (request.url?.startsWith('/sapi') && ofFutures) return 'binanceusdm';
    if (host?.startsWith('fapi') || host?.startsWith('fstream')) return 'binanceusdm';
    return host?.endsWith('mexc.com') ? 'mexc' : 'binance';
  }

  function begin(given: Ban): void {
    ban = given;
    for (const [client, venue] of streams) if (venue === given.venue) client.destroy();
  }

  /** Records a request. Returns the error response that replaces the sandbox's response, or null for none. */
  function record(request: IncomingMessage, method = request.method): Exclude<HostResponse, 'normal'> | null {
    const venue = exchangeOf(request);
    const text = `${request.headers.host} ${method} ${request.url?.split('?')[0]}`;
    requests.push(text);
    arrivals.push({ at: Date.now(), venue, request: text });
    if (hosts.response !== 'normal' && request.headers.host !== hosts.response.except) return hosts.response;
    return ban?.venue === venue && Date.now() < ban.until ? banAnswer(ban) : null;
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const instead = record(request);
    if (instead !== null) {
      response.writeHead(instead.status, { ...instead.headers, connection: 'close' }).end(instead.body);
      return;
    }
    const { hostname, port } = new URL(sandbox[exchangeOf(request)].rest);
    const headers = { ...request.headers, host: `${hostname}:${port}` };
    const forwarded = http.request({ hostname, port, method: request.method, path: request.url, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }

  function upgrade(request: IncomingMessage, client: Duplex, head: Buffer): void {
    const instead = record(request, 'WS');
    if (instead !== null) {
      const headers = { ...instead.headers, 'content-length': String(Buffer.byteLength(instead.body)) };
      const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      client.end([`HTTP/1.1 ${instead.status} Refused`, ...head, '', instead.body].join('\r\n'));
      return;
    }
    streams.set(client, exchangeOf(request));
    client.on('close', () => streams.delete(client));
    const { hostname, port } = new URL(sandbox[exchangeOf(request)].rest);
    const upstream = net.connect(Number(port), hostname);
    const lines = request.rawHeaders.flatMap((text, index, all) =>
      index % 2 === 0 ? [`${text}: ${all[index + 1]}`] : [],
    );
    upstream.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    upstream.write(head);
    for (const socket of [upstream, client]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    upstream.pipe(client).pipe(upstream);
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  }

  async function listen(port: number): Promise<https.Server> {
    const server = https.createServer(authority.issue(names), answer);
    server.on('upgrade', upgrade);
    server.on('secureConnection', (socket) => serverNames.push(String(socket.servername)));
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    return server;
  }

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  return hosts;
}

function banAnswer({ until }: Ban): Exclude<HostResponse, 'normal'> {
  const msg = `Way too much request weight used; IP banned until ${until}. Please use WebSocket Streams for live updates to avoid bans.`;
  return {
    status: 418,
    headers: { 'retry-after': String(Math.ceil((until - Date.now()) / 1_000)) },
    body: JSON.stringify({ code: -1003, msg }),
  };
}
