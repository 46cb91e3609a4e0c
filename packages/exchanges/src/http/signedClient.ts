import { ExchangeMisused, ExchangeUnreachable, OutcomeUnknown } from '../errors.ts';
import type { RestAnswer } from '../net/sendRequest.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { ApiKey } from '../trading.ts';
import { USER_AGENT } from './publicClient.ts';
import type { RateBudget } from './rateBudget.ts';
import { asRow, asRows, type Params, queryOf, type Row } from './row.ts';
import { type ErrorContext, type ErrorReader, failedCall, readAnswer, readPart } from './venueError.ts';

const TIMEOUT_MS = 10_000;

/** Authentication of an endpoint: with a signature, with the key's name only, or not at all. */
export type Authentication = 'signature' | 'key' | 'none';

/** Endpoints as `METHOD /path`, with their authentication. */
export type Endpoints = ReadonlyMap<string, Authentication>;

/** Query, body and headers of one request. */
export interface RequestParts {
  readonly query: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes a request the way one venue wants it. @param authentication `none` never gets here */
export type Signer = (key: ApiKey, method: string, params: Params, authentication: Authentication) => RequestParts;

/**
 * Sends the requests of a closed list, so that no mistake of ours can withdraw, lend or move funds. It opens no WebSocket.
 * After a response of 5xx, or a redirect, the outcome of a write is unknown, whatever the body contains.
 */
export interface SignedClient {
  /** @param endpoint `METHOD /path` @throws ExchangeError */
  row(endpoint: string, params: Params): Promise<Row>;
  /** As {@link SignedClient.row}, for an endpoint that returns a list. */
  rows(endpoint: string, params: Params): Promise<Row[]>;
}

/** Dependencies of {@link openSignedClient}. */
export interface SignedClientDeps {
  /** Named in errors. */
  readonly name: string;
  readonly net: VenueNet;
  readonly key: ApiKey;
  /** Every request that can be sent; others throw before anything is signed. */
  readonly endpoints: Endpoints;
  readonly sign: Signer;
  readonly budget: RateBudget;
  readonly readError: ErrorReader;
  /** ms since 1970. */
  now(): number;
}

export function openSignedClient(deps: SignedClientDeps): SignedClient {
  const { name, net, key, endpoints, sign, budget, readError, now } = deps;
  const contextOf = (write: boolean): ErrorContext => ({ exchange: name, write, fault: net.fault(), now: now() });

  async function call(endpoint: string, params: Params): Promise<unknown> {
    const authentication = endpoints.get(endpoint);
    if (authentication === undefined) {
      throw new ExchangeMisused(name, `this connection only trades and cannot call ${endpoint}`);
    }
    const [method = '', path = ''] = endpoint.split(' ');
    const parts =
      authentication === 'none' ? { query: queryOf(params), headers: {} } : sign(key, method, params, authentication);
    const answer = await send(method, path, parts);
    return readAnswer(answer, readError, contextOf(method !== 'GET'));
  }

  async function send(method: string, path: string, { query, body, headers }: RequestParts): Promise<RestAnswer> {
    const origin = originOf(path);
    const url = `${origin}${path}${query === '' ? '' : `?${query}`}`;
    let answer: RestAnswer;
    try {
      answer = await net.send('signed', url, {
        method,
        headers: { 'User-Agent': USER_AGENT, ...headers },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw failedCall(error, 'no answer', contextOf(method !== 'GET'));
    }
    // Another venue counts and bans for itself.
    const { rest, permissionsVenue } = net.hosts;
    if (permissionsVenue === undefined || rest.includes(origin)) budget.onResponse(answer.status, answer.headers);
    // The venue itself responds with 2xx or 4xx; other responses come from a gateway, whose codes mean nothing.
    if (answer.status < 300 || (answer.status >= 400 && answer.status < 500)) return answer;
    const text = `${answer.status} ${await answer.text().catch(() => '')}`;
    throw method === 'GET' ? new ExchangeUnreachable(name, text) : new OutcomeUnknown(name, text);
  }

  /** The endpoints that report what a key may do have hosts of their own. */
  function originOf(path: string): string {
    const [rest = ''] = net.hosts.rest;
    return path.startsWith('/sapi/') ? (net.hosts.permissions[0] ?? rest) : rest;
  }

  const isWrite = (endpoint: string) => !endpoint.startsWith('GET ');
  return {
    async row(endpoint, params) {
      const answer = await call(endpoint, params);
      return readPart(() => asRow(answer), contextOf(isWrite(endpoint)));
    },
    async rows(endpoint, params) {
      const answer = await call(endpoint, params);
      return readPart(() => asRows(answer), contextOf(isWrite(endpoint)));
    },
  };
}
