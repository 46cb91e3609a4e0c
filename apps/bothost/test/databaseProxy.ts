import { createConnection, createServer, type Socket } from 'node:net';

/** A proxy to the database that a test can disconnect. */
export interface DatabaseProxy {
  readonly url: string;
  /** Closes every connection and accepts no new ones. */
  cut(): void;
  /** Keeps existing connections open without forwarding anything. New connections work. */
  swallow(): void;
  heal(): void;
  close(): Promise<void>;
}

/** @param url address of a database on a Unix socket, as `temporaryDatabase` returns it */
export async function databaseProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url);
  const folder = target.searchParams.get('host') ?? '';
  const file = `${folder}/.s.PGSQL.${target.port || target.searchParams.get('port') || '5432'}`;
  const open = new Set<Socket>();
  let whole = true;
  const server = createServer((client) => {
    if (!whole) {
      client.destroy();
      return;
    }
    const upstream = createConnection(file);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const own = new URL(url);
  own.searchParams.delete('host');
  own.searchParams.delete('port');
  own.hostname = '127.0.0.1';
  own.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: own.href,
    swallow() {
      for (const socket of open) socket.unpipe().pause();
    },
    cut() {
      whole = false;
      for (const socket of open) socket.destroy();
    },
    heal() {
      whole = true;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
