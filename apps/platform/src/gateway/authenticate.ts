import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyRequest } from 'fastify';
import { SECRET_FIELDS } from './secretFields.ts';
import { readSessionCookie } from './sessionCookie.ts';
import type { Session, Sessions } from './sessions.ts';

/** The session as older clients send it. @see accounts.md 6 */
const SESSION_PAIR = ['sessionkey', 'sessionuid'];
const REFUSED_PARAMETERS = [...SECRET_FIELDS, ...SESSION_PAIR];

/** What a request names its session by, beside its headers. */
export type SentSession = {
  readonly token?: string | undefined;
  /** The same token, good only with the `uid` of its owner. */
  readonly sessionkey?: string | undefined;
  readonly sessionuid?: string | number | undefined;
};

/**
 * Who sent a request. The first of these that is there decides: `Authorization: Bearer`, `token`, `sessionkey`, the cookie. A
 * header with a dead token is not rescued by a cookie.
 *
 * @param sent of the payload, if the request has one
 * @returns null when nobody is logged in
 */
export async function authenticate(
  sessions: Sessions,
  request: FastifyRequest,
  sent: SentSession = {},
): Promise<Session | null> {
  const { sessionkey, sessionuid } = sent;
  const token = bearerToken(request.headers.authorization) ?? sent.token;
  if (token !== undefined) return sessions.find(token);
  if (sessionkey !== undefined) {
    const session = await sessions.find(sessionkey);
    return session !== null && String(session.uid) === String(sessionuid) ? session : null;
  }
  const kept = readSessionCookie(request.headers.cookie);
  const session = kept === null ? null : await sessions.find(kept.token);
  // One that began by https is in no cookie of the plain name, unless a neighbour in the domain has planted it.
  return session?.byHttps === true && kept?.isHostOnly === false ? null : session;
}

/** Whether a request names its session in its address, as older clients do. */
export function hasSessionInAddress(request: FastifyRequest): boolean {
  const parameters = parametersOf(request);
  return SESSION_PAIR.some((name) => parameters.has(name));
}

/**
 * Refuses secrets in the address: addresses are kept in histories and in logs of proxies.
 *
 * @param options.sessionAllowed lets the session through, where an administrator allows it for older clients
 * @throws CallError `secret_in_address`
 */
export function refuseSecretInAddress(request: FastifyRequest, options = { sessionAllowed: false }): void {
  const parameters = parametersOf(request);
  const refused = REFUSED_PARAMETERS.filter((name) => !(options.sessionAllowed && SESSION_PAIR.includes(name)));
  if (refused.some((name) => parameters.has(name))) throw new CallError('secret_in_address');
}

const NO_PARAMETERS = new URLSearchParams();

function parametersOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return at < 0 ? NO_PARAMETERS : new URLSearchParams(request.url.slice(at + 1));
}

/** Undefined when there is no such header; another scheme or an empty token is a token that nobody has. */
function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
}
