import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from '../gateway/publicAddress.ts';

/** Timeout of a whole request, including DNS. */
const TIMEOUT_MS = 10_000;
/** Maximum bytes of a response that are read. */
const MAX_RESPONSE_BYTES = 64 * 1024;
const MIN_PORT = 1_024;

/** Nothing is sent to this address. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/** A resolved address. */
interface ResolvedAddress {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** The response to an outgoing request. */
export interface OutgoingResponse {
  readonly status: number;
  readonly text: string;
  /** Delay that the receiver requests, seconds; null when it is absent or not a number. */
  readonly retryAfterS: number | null;
}

/** Sends requests to addresses that users have chosen, but never into the network of this server. */
export interface Outgoing {
  /** @throws AddressRefused without a DNS query */
  check(url: string): void;
  /**
   * Posts one request and does not follow redirects.
   *
   * @throws AddressRefused, or another Error when no complete response arrives in time
   */
  post(url: string, headers: Readonly<Record<string, string>>, body: string | Buffer): Promise<OutgoingResponse>;
}

/**
 * @param options.allowPrivate allows plain http and addresses of private networks, for receivers at home
 * @param options.resolve returns all addresses of a name
 * @param options.timeoutMs of a whole request
 */
export function createOutgoing(options: {
  allowPrivate: boolean;
  resolve?: (name: string) => Promise<readonly ResolvedAddress[]>;
  timeoutMs?: number;
}): Outgoing {
  const { allowPrivate, resolve = (name) => lookup(name, { all: true }), timeoutMs = TIMEOUT_MS } = options;

  function checked(text: string): URL {
    if (!URL.canParse(text)) throw new AddressRefused('it is no address');
    // URL normalises forms such as 0x7f.1 and 2130706433.
    const url = new URL(text);
    if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) throw new AddressRefused('no https');
    const name = nameOf(url);
    if (isIP(name) !== 0) requirePublic(name);
    const port = Number(url.port);
    if (!allowPrivate && port !== 0 && port < MIN_PORT) throw new AddressRefused('this port is for others');
    return url;
  }

  function requirePublic(address: string): void {
    if (!allowPrivate && !isPublicAddress(address)) throw new AddressRefused('it is not on the public internet');
  }

  /** Resolves a name once, and connects to the checked addresses. */
  async function resolveAddresses(url: URL): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> {
    const name = nameOf(url);
    const family = isIP(name);
    if (family !== 0) return [{ address: name, family }];
    const places = await resolve(name);
    const [first, ...others] = places;
    if (first === undefined) throw new Error('the name leads nowhere');
    for (const { address } of places) requirePublic(address);
    return [first, ...others];
  }

  return {
    check: (url) => void checked(url),
    async post(text, headers, body) {
      const url = checked(text);
      const late = AbortSignal.timeout(timeoutMs);
      const places = await withDeadline(late, resolveAddresses(url));
      const begin = url.protocol === 'https:' ? secureRequest : plainRequest;
      const answer = Promise.withResolvers<IncomingMessage>();
      const sending = begin(url, {
        method: 'POST',
        agent: false,
        signal: late,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        // With all addresses, the connection tries one after another.
        lookup: (_name, { all }, done) =>
          all ? done(null, [...places]) : done(null, places[0].address, places[0].family),
      });
      sending.on('response', answer.resolve);
      sending.on('error', answer.reject);
      // After an upgrade there is neither a response nor an error.
      sending.on('close', () => answer.reject(new Error('closed without an answer')));
      sending.end(body);
      try {
        const response = await withDeadline(late, answer.promise);
        const retryAfter = response.headers['retry-after'] ?? '';
        return {
          status: response.statusCode ?? 0,
          text: await withDeadline(late, textOf(response)),
          retryAfterS: /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null,
        };
      } finally {
        sending.destroy();
      }
    },
  };
}

function nameOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the result of `work`, unless the signal aborts first. */
async function withDeadline<Result>(late: AbortSignal, work: Promise<Result>): Promise<Result> {
  const over = Promise.withResolvers<never>();
  const give = () => over.reject(late.reason);
  late.addEventListener('abort', give, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    late.removeEventListener('abort', give);
  }
}
