import { lookup } from 'node:dns';
import { type IncomingMessage, request } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { HostState } from '@heron/contract/bots/pairedHosts.ts';
import { PAIRING_TLS } from '@heron/contract/bots/pairing.ts';
import { refuseDeepJson } from '@heron/contract/http/jsonDepth.ts';
import { isLinkLocal, isPublicAddress } from '../../gateway/publicAddress.ts';

const MIN_PORT = 1_024;
/** Time of the handshake, after which the host counts as away, however long a response may take. */
const HANDSHAKE_MS = 10_000;
const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i;

/** Address of a bot host on another machine, and the key of the pairing. */
export interface HostEndpoint {
  readonly address: string;
  readonly port: number;
  readonly identity: string;
  /** Null when the stored key cannot be opened. */
  readonly secret: Buffer | null;
}

/** A request to a bot host. */
interface HostRequest {
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** Timeout of the whole request. */
  readonly timeoutMs: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** The bot host gave no usable response; `state` names the reason. */
export class HostProblem extends Error {
  override readonly name = 'HostProblem';
  readonly state: Exclude<HostState, 'up'>;
  constructor(state: Exclude<HostState, 'up'>, cause?: unknown) {
    super(`the paired bot host is ${state}`, { cause });
    this.state = state;
  }
}

/** The key of this host was sealed with another secret of this installation. */
class KeyLost extends Error {
  override readonly name = 'KeyLost';
}

/** A bot host may not have this address. */
export class HostAddressRefused extends Error {
  override readonly name = 'HostAddressRefused';
}

/** Connections to bot hosts at addresses that users have chosen. */
export interface HostConnections {
  /** @throws HostAddressRefused without a DNS query */
  check(address: string, port: number): void;
  /** Opens a connection, on which both sides first prove that they have the key. */
  connect(endpoint: HostEndpoint): TLSSocket;
  /** Sends a request and returns the response when it begins. @throws HostProblem */
  request(endpoint: HostEndpoint, hostRequest: HostRequest): Promise<IncomingMessage>;
  /**
   * Sends a request and parses the JSON response.
   *
   * @param maxBytes maximum bytes of the response
   * @throws HostProblem
   */
  requestJson(
    endpoint: HostEndpoint,
    hostRequest: HostRequest,
    maxBytes: number,
  ): Promise<{ status: number; body: unknown }>;
}

/** @param options.allowPrivate allows addresses of private networks and of this machine */
export function createHostConnections({ allowPrivate }: { allowPrivate: boolean }): HostConnections {
  const isOpen = (address: string) => (allowPrivate ? !isLinkLocal(address) : isPublicAddress(address));

  /** Checks the addresses to which it connects, so that a second DNS response cannot differ. */
  const guardedLookup: LookupFunction = (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, places) => {
      if (error) done(error, '', 0);
      else if (!places.every(({ address }) => isOpen(address))) done(new HostAddressRefused('no open address'), '', 0);
      else if (options.all) done(null, places);
      else done(null, places[0]?.address ?? '', places[0]?.family ?? 0);
    });
  };

  function check(address: string, port: number): void {
    if (port < MIN_PORT) throw new HostAddressRefused('this port is for others');
    if (isIP(address) === 0 ? !NAME.test(address) : !isOpen(address)) throw new HostAddressRefused('no open address');
  }

  function connectTo({ address, port, identity, secret }: HostEndpoint): TLSSocket {
    check(address, port);
    if (secret === null) throw new KeyLost('the key of this bot host cannot be opened');
    const line = connect({
      ...PAIRING_TLS,
      ...{ host: address, port, lookup: guardedLookup },
      pskCallback: () => ({ identity, psk: secret }),
      // The key proves the host, so its name does not matter.
      checkServerIdentity: () => undefined,
    });
    const late = setTimeout(() => line.destroy(new Error('it does not answer')), HANDSHAKE_MS);
    for (const end of ['secureConnect', 'close'] as const) line.once(end, () => clearTimeout(late));
    return line;
  }

  async function open(endpoint: HostEndpoint, hostRequest: HostRequest): Promise<IncomingMessage> {
    const { method, path, headers = {}, body, timeoutMs } = hostRequest;
    const late = AbortSignal.timeout(timeoutMs);
    const signal = hostRequest.signal ? AbortSignal.any([late, hostRequest.signal]) : late;
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
    async requestJson(endpoint, hostRequest, maxBytes) {
      const response = await open(endpoint, hostRequest);
      const body = await readJsonResponse(response, maxBytes);
      if (response.statusCode === 401) throw new HostProblem('refused');
      return { status: response.statusCode ?? 0, body };
    },
  };
}

/** Returns whether the peer does not have the key: it speaks no TLS, has another key, or our key is lost. */
export function isKeyRejected(error: unknown): boolean {
  if (error instanceof KeyLost) return true;
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code.startsWith('HPE_');
}

/**
 * Parses a response as JSON.
 *
 * @param maxBytes maximum bytes of the response
 * @throws HostProblem
 */
export async function readJsonResponse(response: IncomingMessage, maxBytes: number): Promise<unknown> {
  let text: string;
  try {
    text = await textOf(response, maxBytes);
  } catch (error) {
    throw new HostProblem(error instanceof HostProblem ? error.state : 'away', error);
  }
  try {
    return parseHostJson(text);
  } catch (error) {
    // A host that rejects the key need not send valid JSON.
    throw response.statusCode === 401 ? new HostProblem('refused', error) : error;
  }
}

/** Parses JSON of a bot host, with a limit of its depth. @throws HostProblem `differs` */
export function parseHostJson(text: string): unknown {
  try {
    refuseDeepJson(text);
    return JSON.parse(text);
  } catch (error) {
    throw new HostProblem('differs', error);
  }
}

async function textOf(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      response.destroy();
      throw new HostProblem('differs', new Error('too much was answered'));
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
