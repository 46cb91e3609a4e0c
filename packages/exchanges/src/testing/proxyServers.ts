import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import type { TestCertificate } from './certificates.ts';

/** A proxy for tests. Every name leads to this machine. */
export interface TestProxy {
  readonly port: number;
  /** `host:port` of every requested tunnel. */
  readonly tunnels: string[];
  close(): Promise<void>;
}

/** Behaviour of a proxy. */
export interface TestProxyOptions {
  readonly user?: string;
  readonly password?: string;
  /** Returns the local port for a name; null: the proxy refuses. Default: the same port of this machine. */
  route?(host: string, port: number): number | null;
  /** With it the proxy is reached by TLS. HTTP only. */
  readonly tls?: TestCertificate;
}

/** Starts an HTTP proxy that makes tunnels by `CONNECT`. */
export async function startHttpProxy(options: TestProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = [];
  const server = options.tls ? createHttpsServer(options.tls) : createHttpServer();
  const wanted = credentialsOf(options);
  server.on('connect', (request, client: Socket, head: Buffer) => {
    const { hostname, port } = new URL(`tunnel://${request.url}`);
    asked.push(`${hostname}:${port}`);
    const answer = (status: string) => client.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
    if (wanted !== null && request.headers['proxy-authorization'] !== `Basic ${wanted}`) {
      return answer('407 Proxy Authentication Required');
    }
    const target = options.route ? options.route(hostname, Number(port)) : Number(port);
    if (target === null) return answer('403 Forbidden');
    const upstream = net.connect(target, '127.0.0.1');
    upstream.once('error', () => answer('502 Bad Gateway'));
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      join(client, upstream);
    });
  });
  return listening(server, asked);
}

/** Starts a SOCKS5 proxy, by RFC 1928 and RFC 1929. */
export async function startSocksProxy(options: TestProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = [];
  const server = net.createServer(async (client) => {
    client.on('error', () => client.destroy());
    const read = reader(client);
    const methods = await read((await read(2)).readUInt8(1));
    if (options.user !== undefined) {
      if (!methods.includes(2)) return client.end(Buffer.from([5, 0xff]));
      client.write(Buffer.from([5, 2]));
      const user = await read((await read(2)).readUInt8(1));
      const password = await read((await read(1)).readUInt8(0));
      const right = user.toString() === options.user && password.toString() === options.password;
      client.write(Buffer.from([1, right ? 0 : 1]));
      if (!right) return client.end();
    } else client.write(Buffer.from([5, 0]));
    const kind = (await read(4)).readUInt8(3);
    const host = kind === 1 ? [...(await read(4))].join('.') : (await read((await read(1)).readUInt8(0))).toString();
    const port = (await read(2)).readUInt16BE(0);
    asked.push(`${host}:${port}`);
    const reply = (code: number) => client.write(Buffer.from([5, code, 0, 1, 127, 0, 0, 1, 0, 0]));
    const target = options.route ? options.route(host, port) : port;
    if (target === null) return reply(2);
    const upstream = net.connect(target, '127.0.0.1');
    upstream.once('error', () => reply(5));
    upstream.once('connect', () => {
      reply(0);
      join(client, upstream);
    });
  });
  return listening(server, asked);
}

function credentialsOf({ user, password }: TestProxyOptions): string | null {
  return user === undefined ? null : Buffer.from(`${user}:${password}`).toString('base64');
}

function join(client: Socket, upstream: Socket): void {
  client.pipe(upstream).pipe(client);
  client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
  upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
}

/** Reads so many bytes of a socket at a time. */
function reader(socket: Socket): (bytes: number) => Promise<Buffer> {
  return async (bytes) => {
    for (;;) {
      const chunk: Buffer | null = bytes === 0 ? Buffer.alloc(0) : socket.read(bytes);
      if (chunk !== null) return chunk;
      await new Promise((resolve) => socket.once('readable', resolve));
    }
  };
}

async function listening(server: Server, asked: string[]): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    tunnels: asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
