import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyRequest } from 'fastify';
import { readSessionCookie } from './sessionCookie.ts';
import type { Session, Sessions } from './sessions.ts';

const SECRET_PARAMETERS = ['token', 'sessionkey', 'sessionuid', 'password', 'setup_token'];

/**
 * Who sent a request. The first of these that is there decides: `Authorization: Bearer`, `token` in the body, the cookie. A
 * header with a dead token is not rescued by a cookie.
 *
 * @param bodyToken `token` of the payload, if the request has one
 * @returns null when nobody is logged in
 */
export async function identify(
  sessions: Sessions,
  request: FastifyRequest,
  bodyToken?: string,
): Promise<Session | null> {
  const token =
    bearerToken(request.headers.authorization) ?? bodyToken ?? readSessionCookie(request.headers.cookie) ?? null;
  return token === null ? null : sessions.find(token);
}

/**
 * Refuses secrets in the address: addresses are kept in histories and in logs of proxies.
 *
 * @throws CallError `secret_in_address`
 */
export function refuseSecretInAddress(request: FastifyRequest): void {
  const parameters = new URLSearchParams(request.url.split('?')[1] ?? '');
  if (SECRET_PARAMETERS.some((name) => parameters.has(name))) throw new CallError('secret_in_address');
}

/** Null when there is no such header; another scheme or an empty token is a token that nobody has. */
function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
}
