import { createHash, timingSafeEqual } from 'node:crypto';

const SCHEME = 'Heron ';

/** Returns the header with which the processes of Heron authenticate each other. */
export function secretHeader(secret: string): { authorization: string } {
  return { authorization: `${SCHEME}${secret}` };
}

/** Whether a request contains the shared secret. Compares in constant time. */
export function hasSecret(authorization: string | undefined, secret: string): boolean {
  if (authorization === undefined || !authorization.startsWith(SCHEME)) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(authorization.slice(SCHEME.length)), digest(secret));
}
