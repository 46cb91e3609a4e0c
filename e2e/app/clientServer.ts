import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';

const DIST = path.join(import.meta.dirname, '..', '..', 'apps', 'client', 'dist');
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** A server in front of a running Heron, with its own copy of the client's build. It can stop, and serve another build. */
export interface ClientServer {
  readonly url: string;
  /** Stops the server and closes every connection. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Replaces the build by one in which every file has another name. */
  update(): Promise<void>;
  /** Deletes the build's files whose path contains `part`. */
  deleteFiles(part: string): Promise<void>;
  remove(): Promise<void>;
}

export async function startClientServer(heronUrl: string): Promise<ClientServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'heron-front-'));
  await cp(DIST, folder, { recursive: true, filter: (file) => !file.endsWith('.br') });
  const heron = new URL(heronUrl);
  const sockets = new Set<Socket>();
  let port = 0;

  const server = http.createServer((request, response) => void answer(request, response));
  server.on('upgrade', (request, socket: Socket, head) => {
    const upstream = net.connect(Number(heron.port), heron.hostname, () => {
      const headers = request.rawHeaders.flatMap((name, at, all) => (at % 2 ? [] : [`${name}: ${all[at + 1]}`]));
      upstream.write([`GET ${request.url} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', heron);
    const isPage = request.headers['sec-fetch-mode'] === 'navigate' && path.extname(pathname) === '';
    const file = path.join(folder, isPage ? 'index.html' : pathname);
    const body = path.extname(file) === '' ? null : await readFile(file).catch(() => null);
    if (body !== null) {
      const kept = pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
      response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'text/plain', 'cache-control': kept });
      response.end(body);
      return;
    }
    if (pathname.startsWith('/assets/')) {
      response.writeHead(404).end();
      return;
    }
    const { method, url, headers } = request;
    const asked = http.request(heron, { method, path: url, headers }, (found) => {
      response.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(response);
    });
    asked.on('error', () => response.destroy());
    request.pipe(asked);
  }

  const start = () =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', () => {
        ({ port } = server.address() as AddressInfo);
        resolve();
      });
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });

  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    stop,
    update: () => rebuild(folder),
    async deleteFiles(part) {
      const assets = path.join(folder, 'assets');
      for (const file of await readdir(assets)) if (file.includes(part)) await rm(path.join(assets, file));
    },
    async remove() {
      if (server.listening) await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Renames every hashed file and all references to it, and gives the build a new ID. */
async function rebuild(folder: string): Promise<void> {
  const assets = path.join(folder, 'assets');
  const names = new Map((await readdir(assets)).map((name) => [name, name.replace(/(\.\w+)$/, '2$1')]));
  const id = /name="heron-build" content="(\w+)"/.exec(await readFile(path.join(folder, 'index.html'), 'utf8'))?.[1];
  if (!id) throw new Error('the page does not name its build');
  names.set(id, [...id].reverse().join(''));
  const old = new RegExp([...names.keys()].map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
  for (const file of [
    ...[...names.keys()].filter((name) => name !== id).map((name) => `assets/${name}`),
    'index.html',
    'sw.js',
  ]) {
    const place = path.join(folder, file);
    await writeFile(
      place,
      (await readFile(place, 'utf8')).replace(old, (name) => names.get(name) ?? name),
    );
    await rename(place, path.join(folder, path.dirname(file), names.get(path.basename(file)) ?? path.basename(file)));
  }
}
