import { hostOnlyName, readCookie, strictCookie } from './cookie.ts';

/** On plain http, as on the own machine; under https that of sessions from before it had the other name. */
const NAME = 'heron_session';
const HOST_NAME = hostOnlyName(NAME);

/** A token as a cookie holds it. */
export type CookieToken = {
  readonly token: string;
  /** The cookie has the name that a browser takes from this very host by https only: nobody else has put it there. */
  readonly isHostOnly: boolean;
};

/** The session token in a `Cookie` header. */
export function readSessionCookie(header: string | undefined): CookieToken | null {
  const own = readCookie(header, HOST_NAME);
  if (own !== null) return { token: own, isHostOnly: true };
  const plain = readCookie(header, NAME);
  return plain === null ? null : { token: plain, isHostOnly: false };
}

/** `Set-Cookie`s that hand over a session. Under https one of the plain name, from before or planted, goes. */
export function sessionCookies(token: string, options: { secure: boolean; maxAgeSeconds: number }): string[] {
  if (!options.secure) return [strictCookie(NAME, token, options)];
  return [strictCookie(HOST_NAME, token, options), strictCookie(NAME, '', { secure: true, maxAgeSeconds: 0 })];
}

/** `Set-Cookie`s that take the session back. */
export function endedSessionCookies(options: { secure: boolean }): string[] {
  return sessionCookies('', { ...options, maxAgeSeconds: 0 });
}
