import { ExchangeMisused, ExchangeUnreachable } from '../errors.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { Pacer } from './pacer.ts';
import { type Params, queryOf } from './row.ts';
import { type ErrorContext, type ErrorReader, failedCall, readAnswer } from './venueError.ts';

const TIMEOUT_MS = 10_000;
export const USER_AGENT = 'Heron';

/** Reads a closed list of public endpoints. It holds no key, signs nothing and sends GET requests only. */
export interface PublicClient {
  /**
   * Reads an endpoint and returns the parsed body.
   *
   * @param weight as the venue counts it
   * @throws ExchangeError
   */
  get(path: string, params: Params, weight: number): Promise<unknown>;
}

/** Dependencies of {@link openPublicClient}. */
export interface PublicClientDeps {
  /** Named in errors. */
  readonly name: string;
  readonly net: VenueNet;
  /** Paths that may be read; every other path throws before anything is sent. */
  readonly endpoints: ReadonlySet<string>;
  readonly pacer: Pacer;
  readonly readError: ErrorReader;
  /** ms since 1970. */
  now(): number;
  /** Is called with each response. */
  readonly onResponse?: (status: number, headers: Headers) => void;
}

export function openPublicClient(deps: PublicClientDeps): PublicClient {
  const { name, net, endpoints, pacer, readError, now, onResponse } = deps;
  const contextOf = (): ErrorContext => ({ exchange: name, write: false, fault: net.fault(), now: now() });

  async function send(url: string) {
    const headers = { 'User-Agent': USER_AGENT };
    try {
      return await net.send('public', url, { method: 'GET', headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (error) {
      throw failedCall(error, 'no answer', contextOf());
    }
  }

  return {
    async get(path, params, weight) {
      if (!endpoints.has(path)) throw new ExchangeMisused(name, `this connection only reads and cannot call ${path}`);
      await pacer.pass(weight);
      const [origin = ''] = net.hosts.rest;
      const query = queryOf(params);
      const url = `${origin}${path}${query === '' ? '' : `?${query}`}`;
      const answer = await send(url);
      onResponse?.(answer.status, answer.headers);
      if (answer.status >= 500) {
        const fault = { kind: 'server_error', host: new URL(url).hostname, status: answer.status } as const;
        const body = await answer.text().catch(() => '');
        throw new ExchangeUnreachable(name, `${answer.status} ${body}`, undefined, fault);
      }
      return readAnswer(answer, readError, contextOf());
    },
  };
}
