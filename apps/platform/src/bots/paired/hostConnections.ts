import { lookup } from 'node:dns';
import { type IncomingMessage, request } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { HostState } from '@heron/contract/bots/pairedHosts.ts';
import { PAIRING_TLS } from '@heron/contract/bots/pairing.ts';
import { refuseDeepJson } from '@heron/contract/http/jsonDepth.ts';
import { isLinkLocal, isPublicAddress } from '../../gateway/publicAddress.ts';

const LEAST_PORT = 1_024;
/** Both sides have proven who they are within this time, or the host is away, however long an answer may take. */
const HANDSHAKE_MS = 4_000;
const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i;

/** Where a bot host on another machine is, and what it knows us by. */
export interface HostEndpoint {
  readonly address: string;
  readonly port: number;
  readonly identity: string;
  /** Null: it was kept, and cannot be opened any more. */
  readonly secret: Buffer | null;
}

/** What is asked of a bot host. */
interface HostRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** For all of it. */
  readonly timeoutMs: number;
  /** Whose going makes it needless. */
  readonly signal?: AbortSignal;
}

/** No answer came that can be used; `state` says which way. */
export class HostProblem extends Error {
  override readonly name = 'HostProblem';
  readonly state: Exclude<HostState, 'up'>;
  constructor(state: Exclude<HostState, 'up'>, cause?: unknown) {
    super(`the paired bot host is ${state}`, { cause });
    this.state = state;
  }
}

/** The key of this host was sealed by another secret of this Heron. */
class KeyLost extends Error {
  override readonly name = 'KeyLost';
}

/** This address is none that a bot host may be at. */
export class HostAddressRefused extends Error {
  override readonly name = 'HostAddressRefused';
}

/** Lines to bot hosts at addresses that people have chosen. */
export interface HostConnections {
  /** @throws HostAddressRefused without asking anybody for a name */
  check(address: string, port: number): void;
  /** A connection that is being made; both sides prove that they have the secret before anything is said. */
  connect(endpoint: HostEndpoint): TLSSocket;
  /**
   * Asks, and gives the answer when it begins.
   *
   * @throws HostProblem
   */
  request(endpoint: HostEndpoint, asked: HostRequest): Promise<IncomingMessage>;
  /**
   * Asks for JSON.
   *
   * @param most bytes that are read
   * @throws HostProblem
   */
  requestJson(endpoint: HostEndpoint, asked: HostRequest, most: number): Promise<{ status: number; body: unknown }>;
}

/** @param options.allowPrivate addresses of private networks and of this machine, for hosts at home */
export function createHostConnections({ allowPrivate }: { allowPrivate: boolean }): HostConnections {
  const isOpen = (address: string) => (allowPrivate ? !isLinkLocal(address) : isPublicAddress(address));

  /** What is connected to is what was looked at. */
  const guardedLookup: LookupFunction = (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, places) => {
      if (error) done(error, '', 0);
      else if (!places.every(({ address }) => isOpen(address))) done(new HostAddressRefused('no open address'), '', 0);
      else if (options.all) done(null, places);
      else done(null, places[0]?.address ?? '', places[0]?.family ?? 0);
    });
  };

  function check(address: string, port: number): void {
    if (port < LEAST_PORT) throw new HostAddressRefused('this port is for others');
    if (isIP(address) === 0 ? !NAME.test(address) : !isOpen(address)) throw new HostAddressRefused('no open address');
  }

  function connectTo({ address, port, identity, secret }: HostEndpoint): TLSSocket {
    check(address, port);
    if (secret === null) throw new KeyLost('the key of this bot host cannot be opened');
    const line = connect({
      ...PAIRING_TLS,
      ...{ host: address, port, lookup: guardedLookup },
      pskCallback: () => ({ identity, psk: secret }),
      // Who has the secret is known; names do not matter.
      checkServerIdentity: () => undefined,
    });
    const late = setTimeout(() => line.destroy(new Error('it does not answer')), HANDSHAKE_MS);
    for (const end of ['secureConnect', 'close'] as const) line.once(end, () => clearTimeout(late));
    return line;
  }

  async function open(endpoint: HostEndpoint, asked: HostRequest): Promise<IncomingMessage> {
    const { method, path, headers = {}, body, timeoutMs } = asked;
    const late = AbortSignal.timeout(timeoutMs);
    const signal = asked.signal ? AbortSignal.any([late, asked.signal]) : late;
    const answer = Promise.withResolvers<IncomingMessage>();
    try {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sending = request({
        ...{ method, path, signal },
        headers: { host: 'heron', ...headers, ...length },
        createConnection: () => connectTo(endpoint),
      });
      sending.on('response', answer.resolve);
      sending.on('upgrade', (_response, socket) => socket.destroy());
      sending.on('error', answer.reject);
      sending.on('close', () => answer.reject(new Error('closed without an answer')));
      sending.end(body);
      return await answer.promise;
    } catch (error) {
      throw new HostProblem(isKeyRejected(error) ? 'refused' : 'away', error);
    }
  }

  return {
    check,
    connect: connectTo,
    request: open,
    async requestJson(endpoint, asked, most) {
      const response = await open(endpoint, asked);
      const body = await readJsonResponse(response, most);
      if (response.statusCode === 401) throw new HostProblem('refused');
      return { status: response.statusCode ?? 0, body };
    },
  };
}

/** Whether somebody answered who does not have the secret: no TLS at all, or another key; or we have lost it. */
export function isKeyRejected(error: unknown): boolean {
  if (error instanceof KeyLost) return true;
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code.startsWith('HPE_');
}

/**
 * What was answered, read as JSON.
 *
 * @param most bytes that are read
 * @throws HostProblem
 */
export async function readJsonResponse(response: IncomingMessage, most: number): Promise<unknown> {
  let text: string;
  try {
    text = await textOf(response, most);
  } catch (error) {
    throw new HostProblem(error instanceof HostProblem ? error.state : 'away', error);
  }
  try {
    return parseHostJson(text);
  } catch (error) {
    // Whoever does not know us has no duty to be understood.
    throw response.statusCode === 401 ? new HostProblem('refused', error) : error;
  }
}

/**
 * What a bot host says, as JSON that may be walked through and written again.
 *
 * @throws HostProblem `differs`
 */
export function parseHostJson(text: string): unknown {
  try {
    refuseDeepJson(text);
    return JSON.parse(text);
  } catch (error) {
    throw new HostProblem('differs', error);
  }
}

async function textOf(response: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) {
      response.destroy();
      throw new HostProblem('differs', new Error('too much was answered'));
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
