import { readCookie, strictCookie } from './cookie.ts';

const NAME = 'heron_session';

/** The session token in a `Cookie` header. */
export function readSessionCookie(header: string | undefined): string | null {
  return readCookie(header, NAME);
}

/** `Set-Cookie` that hands over a session. */
export function sessionCookie(token: string, options: { secure: boolean; maxAgeSeconds: number }): string {
  return strictCookie(NAME, token, options);
}

/** `Set-Cookie` that takes the session back. */
export function endedSessionCookie(options: { secure: boolean }): string {
  return sessionCookie('', { ...options, maxAgeSeconds: 0 });
}
