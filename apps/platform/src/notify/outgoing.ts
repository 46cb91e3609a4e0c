import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from '../gateway/publicAddress.ts';

/** All of an exchange, from the first question for a name. */
const PATIENCE_MS = 10_000;
/** Nobody reads more of an answer than this. */
const ANSWER_BYTES = 64 * 1024;
const LEAST_OPEN_PORT = 1_024;

/** This address is none that anything is sent to. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/** An address of a name. */
interface Place {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** What was answered to something that was sent. */
export interface OutgoingResponse {
  readonly status: number;
  readonly text: string;
  /** How long the receiver wishes to be left alone, seconds; null when it does not say so as a number. */
  readonly retryAfterS: number | null;
}

/** Sends to addresses that people have chosen, and never into the network that this server stands in. */
export interface Outgoing {
  /** @throws AddressRefused without asking anybody for a name */
  check(url: string): void;
  /**
   * One request. A redirection is an answer like any other and is not followed.
   *
   * @throws AddressRefused, or another Error when no whole answer came in time
   */
  post(url: string, headers: Readonly<Record<string, string>>, body: string | Buffer): Promise<OutgoingResponse>;
}

/**
 * @param options.allowPrivate plain http and addresses of private networks, for receivers at home
 * @param options.resolve all addresses of a name
 * @param options.patienceMs for all of an exchange
 */
export function createOutgoing(options: {
  allowPrivate: boolean;
  resolve?: (name: string) => Promise<readonly Place[]>;
  timeoutMs?: number;
}): Outgoing {
  const { allowPrivate, resolve = (name) => lookup(name, { all: true }), timeoutMs = PATIENCE_MS } = options;

  function checked(text: string): URL {
    if (!URL.canParse(text)) throw new AddressRefused('it is no address');
    // It writes 0x7f.1 and 2130706433 as what they mean.
    const url = new URL(text);
    if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) throw new AddressRefused('no https');
    const name = nameOf(url);
    if (isIP(name) !== 0) demandPublic(name);
    const port = Number(url.port);
    if (!allowPrivate && port !== 0 && port < LEAST_OPEN_PORT) throw new AddressRefused('this port is for others');
    return url;
  }

  function demandPublic(address: string): void {
    if (!allowPrivate && !isPublicAddress(address)) throw new AddressRefused('it is not on the public internet');
  }

  /** Where a name leads, asked once: what is connected to is what was looked at. */
  async function placesOf(url: URL): Promise<readonly [Place, ...Place[]]> {
    const name = nameOf(url);
    const family = isIP(name);
    if (family !== 0) return [{ address: name, family }];
    const places = await resolve(name);
    const [first, ...others] = places;
    if (first === undefined) throw new Error('the name leads nowhere');
    for (const { address } of places) demandPublic(address);
    return [first, ...others];
  }

  return {
    check: (url) => void checked(url),
    async post(text, headers, body) {
      const url = checked(text);
      const late = AbortSignal.timeout(timeoutMs);
      const places = await before(late, placesOf(url));
      const begin = url.protocol === 'https:' ? secureRequest : plainRequest;
      const answer = Promise.withResolvers<IncomingMessage>();
      const sending = begin(url, {
        method: 'POST',
        agent: false,
        signal: late,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        // Asked for all, the connection tries one after another.
        lookup: (_name, { all }, done) =>
          all ? done(null, [...places]) : done(null, places[0].address, places[0].family),
      });
      sending.on('response', answer.resolve);
      sending.on('error', answer.reject);
      // After another protocol was agreed on there is neither an answer nor an error.
      sending.on('close', () => answer.reject(new Error('closed without an answer')));
      sending.end(body);
      try {
        const response = await before(late, answer.promise);
        const wish = response.headers['retry-after'] ?? '';
        return {
          status: response.statusCode ?? 0,
          text: await before(late, textOf(response)),
          retryAfterS: /^\d{1,6}$/.test(wish) ? Number(wish) : null,
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
    if (bytes > ANSWER_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** What `work` comes to, unless it is late. */
async function before<Result>(late: AbortSignal, work: Promise<Result>): Promise<Result> {
  const over = Promise.withResolvers<never>();
  const give = () => over.reject(late.reason);
  late.addEventListener('abort', give, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    late.removeEventListener('abort', give);
  }
}
