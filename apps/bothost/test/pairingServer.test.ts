import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { PAIRING_TLS } from '@heron/contract/bots/pairing.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pairing } from '../src/pairing/pairing.ts';
import { openPairingServer, type PairingServer } from '../src/pairing/pairingServer.ts';

const IDENTITY = 'a-heron';
const KEY = randomBytes(32);
const TLS_HANDSHAKE = Buffer.from([0x16]);

const pairing: Pairing = {
  instance: '',
  secretOf: (identity) => (identity === IDENTITY ? KEY : null),
  holds: (identity) => identity === IDENTITY,
  since: () => null,
  used() {},
  join: () => null,
  newCode() {},
  end() {},
  state: () => ({ paired: null, code: null }),
};

let server: PairingServer;
const strangers: Socket[] = [];
const open = async (host: string) => {
  const inside = createServer((message, response) => response.end(server.pairedHeron(message.socket) ?? 'own machine'));
  server = await openPairingServer(inside, { pairing, host, port: 0 });
};
beforeEach(() => open('0.0.0.0'));
afterEach(async () => {
  for (const stranger of strangers.splice(0)) stranger.destroy();
  await server.close();
});

/** Opens a connection that begins a handshake and sends nothing more. */
async function stranger(from: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: server.port, localAddress: from });
  strangers.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(TLS_HANDSHAKE);
  return socket;
}

/** Sends a request with or without the key. @returns the response of the inner server */
async function ask(how: { withKey: boolean; host?: string }): Promise<string> {
  const at = { host: how.host ?? '127.0.0.1', port: server.port };
  const socket: Socket | TLSSocket = how.withKey
    ? connectTls({
        ...{ ...PAIRING_TLS, ...at, pskCallback: () => ({ identity: IDENTITY, psk: KEY }) },
        checkServerIdentity: () => undefined,
      })
    : connect(at);
  const answer = Promise.withResolvers<string>();
  const asking = request({ createConnection: () => socket, path: '/' }, async (response) => {
    let text = '';
    for await (const part of response) text += String(part);
    answer.resolve(text);
  });
  asking.on('error', answer.reject);
  asking.end();
  return answer.promise;
}

test('strangers on all connections block neither a Heron with the key nor local calls', async () => {
  const addresses = Array.from({ length: 10 }, (_, index) => `127.0.1.${index + 1}`);
  for (const from of addresses) await Promise.all(Array.from({ length: 60 }, () => stranger(from)));
  expect(await ask({ withKey: true })).toBe(IDENTITY);
  expect(await ask({ withKey: false })).toBe('own machine');
  expect(strangers.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length).toBeLessThanOrEqual(
    200,
  );
});

test('one address has a share of the connections, and its oldest yields to its newest', async () => {
  const other = await stranger('127.0.2.1');
  const first = await stranger('127.0.2.2');
  const gone = once(first, 'close');
  await Promise.all(Array.from({ length: 50 }, () => stranger('127.0.2.2')));
  await gone;
  expect(other.destroyed).toBe(false);
});

test('a bot host on a non-loopback address serves its command line as well', async () => {
  await server.close();
  await open('127.0.0.2');
  expect(await ask({ withKey: true, host: '127.0.0.2' })).toBe(IDENTITY);
  expect(await ask({ withKey: false })).toBe('own machine');
});
