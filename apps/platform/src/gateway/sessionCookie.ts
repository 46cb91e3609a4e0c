import { hostOnlyName, readCookie, strictCookie } from './cookie.ts';

/** Used on plain http, and for sessions from before the other name existed. */
const NAME = 'heron_session';
const HOST_NAME = hostOnlyName(NAME);

/** A token from a cookie. */
export type CookieToken = {
  readonly token: string;
  /** The cookie has the name that browsers accept only from this host by https, so that nobody else has set it. */
  readonly isHostOnly: boolean;
};

/** Returns the session token of a `Cookie` header. */
export function readSessionCookie(header: string | undefined): CookieToken | null {
  const own = readCookie(header, HOST_NAME);
  if (own !== null) return { token: own, isHostOnly: true };
  const plain = readCookie(header, NAME);
  return plain === null ? null : { token: plain, isHostOnly: false };
}

/**
 * Returns the `Set-Cookie` headers of a session. Under https they also delete a plain cookie, which may be old or
 * planted.
 */
export function sessionCookies(token: string, options: { secure: boolean; maxAgeSeconds: number }): string[] {
  if (!options.secure) return [strictCookie(NAME, token, options)];
  return [strictCookie(HOST_NAME, token, options), strictCookie(NAME, '', { secure: true, maxAgeSeconds: 0 })];
}

/** Returns the `Set-Cookie` headers that delete the session. */
export function endedSessionCookies(options: { secure: boolean }): string[] {
  return sessionCookies('', { ...options, maxAgeSeconds: 0 });
}
