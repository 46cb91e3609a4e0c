import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyRequest } from 'fastify';
import { containsApiToken } from './apiTokenForm.ts';
import { SECRET_FIELDS } from './secretFields.ts';
import { readSessionCookie } from './sessionCookie.ts';
import type { Session, Sessions } from './sessions.ts';

/** Parameters in which older clients send the session. */
const SESSION_PAIR = ['sessionkey', 'sessionuid'];
const REFUSED_PARAMETERS = [...SECRET_FIELDS, ...SESSION_PAIR];

/** Fields of a payload that name a session. */
export type SentSession = {
  readonly token?: string | undefined;
  /** The same token, valid only with the `uid` of its owner. */
  readonly sessionkey?: string | undefined;
  readonly sessionuid?: string | number | undefined;
};

/**
 * Returns the session of a request. The first credential that is present decides: `Authorization: Bearer`, `token`,
 * `sessionkey`, cookie. An invalid header is not replaced by a valid cookie.
 *
 * @param sent fields of the payload, if any
 * @returns null when the caller is not signed in
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
  // A session that began by https is never in the plain cookie, unless another host of the domain has planted it.
  return session?.byHttps === true && kept?.isHostOnly === false ? null : session;
}

/** Returns whether a request names its session in the query, as older clients do. */
export function hasSessionInAddress(request: FastifyRequest): boolean {
  const parameters = parametersOf(request);
  return SESSION_PAIR.some((name) => parameters.has(name));
}

/**
 * Rejects secrets in the query, because histories and proxy logs store addresses.
 *
 * @param options.sessionAllowed allows the session, when an administrator allows it for older clients
 * @throws CallError `secret_in_address`
 */
export function refuseSecretInAddress(request: FastifyRequest, options = { sessionAllowed: false }): void {
  const parameters = parametersOf(request);
  const refused = REFUSED_PARAMETERS.filter((name) => !(options.sessionAllowed && SESSION_PAIR.includes(name)));
  const hasToken = parameters !== NO_PARAMETERS && [...parameters].some((pair) => pair.some(containsApiToken));
  if (hasToken || refused.some((name) => parameters.has(name))) throw new CallError('secret_in_address');
}

const NO_PARAMETERS = new URLSearchParams();

function parametersOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.search(/[?#]/);
  return at < 0 ? NO_PARAMETERS : new URLSearchParams(request.url.slice(at + 1));
}

/** Returns undefined without a header. Another scheme or an empty token counts as an invalid token. */
function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
}
