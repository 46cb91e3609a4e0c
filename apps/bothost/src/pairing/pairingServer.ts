import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as Listener, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { CODE_IDENTITY, PAIRING_TLS } from '@heron/contract/bots/pairing.ts';
import type { Pairing } from './pairing.ts';

/** First byte of a TLS handshake (RFC 8446 5.1); no method of HTTP begins with it. */
const TLS_HANDSHAKE = 0x16;
/** A client must send its first byte, and then complete its handshake, within this time each. */
const HANDSHAKE_MS = 15_000;
/**
 * Maximum number of unauthenticated connections, per address and in total. One more closes the oldest. The
 * handshake of a client with the key takes far less time than these many connections, so it connects even beside strangers.
 */
const MAX_UNPROVEN = { ofOne: 50, ofAll: 200 } as const;
/** The command line connects to this address. */
const LOOPBACK = '127.0.0.1';
const COVER_LOOPBACK: readonly string[] = [LOOPBACK, '0.0.0.0', '::'];

/** The port of a standalone bot host. It accepts plain HTTP from its own machine, and TLS of a paired Heron from anywhere. */
export interface PairingServer {
  readonly port: number;
  /** Returns the authenticated identity of a connection; null for connections from its own machine. */
  pairedHeron(socket: Socket): string | null;
  /** Closes the connections of identities whose keys are no longer valid. */
  sweep(): void;
  close(): Promise<void>;
}

/**
 * @param inside serves the accepted connections
 * @param where.host address for other machines; this machine can connect to 127.0.0.1 as well
 * @throws Error with code `EADDRINUSE` when the port is taken
 */
export async function openPairingServer(
  inside: Server,
  { pairing, host, port }: { pairing: Pairing; host: string; port: number },
): Promise<PairingServer> {
  const guests = new WeakMap<Socket, string>();
  const open = new Map<TLSSocket, string>();
  const waiting = new Set<Socket>();
  /** Claimed identities, which are not authenticated yet. */
  const named = new WeakMap<TLSSocket, string>();

  const unproven = new Map<string, { readonly from: string; readonly socket: Socket }>();

  /** Counts a connection as unauthenticated, and closes the oldest one above a maximum. */
  function addUnproven(socket: Socket): void {
    const from = socket.remoteAddress ?? '';
    const name = nameOf(socket);
    unproven.set(name, { from, socket });
    socket.on('close', () => unproven.delete(name));
    const ofOne = [...unproven.values()].filter((other) => other.from === from);
    if (ofOne.length > MAX_UNPROVEN.ofOne) ofOne[0]?.socket.destroy();
    else if (unproven.size > MAX_UNPROVEN.ofAll) unproven.values().next().value?.socket.destroy();
  }

  const secure = createTlsServer(
    {
      ...PAIRING_TLS,
      handshakeTimeout: HANDSHAKE_MS,
      pskCallback(socket, identity) {
        named.set(socket, identity);
        return pairing.secretOf(identity);
      },
    },
    (socket) => {
      unproven.delete(nameOf(socket));
      const identity = named.get(socket);
      if (identity === undefined || !pairing.holds(identity)) {
        socket.destroy();
        return;
      }
      if (identity !== CODE_IDENTITY) pairing.used(identity);
      guests.set(socket, identity);
      open.set(socket, identity);
      socket.on('close', () => open.delete(socket));
      inside.emit('connection', socket);
    },
  );
  // Port scans cause such errors all the time, so they are not logged.
  secure.on('tlsClientError', (_error, socket) => socket.destroy());

  function meet(socket: Socket): void {
    const isOwn = isOwnMachine(socket);
    waiting.add(socket);
    if (!isOwn) addUnproven(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => waiting.delete(socket));
    socket.setTimeout(HANDSHAKE_MS, () => socket.destroy());
    const inspect = () => {
      const first: Buffer | null = socket.read(1);
      if (first === null) return;
      socket.off('readable', inspect);
      socket.setTimeout(0);
      socket.unshift(first);
      if (first[0] === TLS_HANDSHAKE) {
        // A proxy on this machine may forward connections of strangers.
        if (isOwn) addUnproven(socket);
        secure.emit('connection', socket);
      } else if (isOwn) inside.emit('connection', socket);
      else socket.destroy();
    };
    socket.on('readable', inspect);
  }

  const { address } = await lookup(host);
  const outer = await listen(meet, address, port);
  const listeners = [outer];
  if (!COVER_LOOPBACK.includes(address)) {
    try {
      listeners.push(await listen(meet, LOOPBACK, portOf(outer)));
    } catch (error) {
      outer.close();
      throw error;
    }
  }
  return {
    port: portOf(outer),
    pairedHeron: (socket) => guests.get(socket) ?? null,
    sweep() {
      for (const [socket, identity] of open) if (!pairing.holds(identity)) socket.destroy();
    },
    async close() {
      const closed = listeners.map((each) => new Promise<void>((resolve) => each.close(() => resolve())));
      for (const socket of [...open.keys(), ...waiting]) socket.destroy();
      await Promise.all(closed);
    },
  };
}

async function listen(meet: (socket: Socket) => void, host: string, port: number): Promise<Listener> {
  const listener = createServer(meet);
  const listening = Promise.withResolvers<void>();
  listener.once('error', listening.reject);
  listener.listen(port, host, listening.resolve);
  await listening.promise;
  return listener;
}

function portOf(listener: Listener): number {
  // The listener has an address, not a path.
  return (listener.address() as AddressInfo).port;
}

/** Returns the same name for a connection and for the TLS socket on it. */
function nameOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

function isOwnMachine({ remoteAddress = '' }: Socket): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
}
