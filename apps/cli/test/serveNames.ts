import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import type { Sandbox } from '@heron/sandbox/sandbox.ts';

/** Serves names of the exchanges by TLS and forwards connections to the demo market. */
export async function serveNames(
  certificate: tls.TlsOptions,
  sandbox: Sandbox,
): Promise<{ readonly port: number; close(): void }> {
  const open = new Set<Socket>();
  const server = tls.createServer(certificate, (client) => {
    const name = String(client.servername);
    const place = name.includes('mexc')
      ? sandbox.mexc
      : name.startsWith('f') || name.includes('fapi')
        ? sandbox.binanceusdm
        : sandbox.binance;
    const upstream = net.connect(Number(new URL(place.rest).port), '127.0.0.1');
    open.add(client).add(upstream);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.once('data', (first) => {
      // The spot streams of the demo market have another path.
      const text =
        name.includes('stream.') && !name.startsWith('f')
          ? first.toString('latin1').replace('GET /ws', 'GET /stream/ws')
          : null;
      upstream.write(text === null ? first : Buffer.from(text, 'latin1'));
      client.pipe(upstream);
    });
    upstream.pipe(client);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
