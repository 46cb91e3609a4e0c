import { hostOnlyName, readCookie, strictCookie } from './cookie.ts';
import { isToken } from './secretToken.ts';

/**
 * Name of the cookie with a random mark, set while a user is at a provider. Only the same browser can finish the
 * sign-in, so that a link cannot sign somebody in to the account of its sender.
 */
const NAME = 'heron_mark';
/** Time that a provider may take. */
const SECONDS = 600;

/** Returns the mark in a `Cookie` header, or null. */
export function readBrowserMark(header: string | undefined, options: { secure: boolean }): string | null {
  const mark = readCookie(header, nameOf(options));
  return mark !== null && isToken(mark) ? mark : null;
}

/** Returns the `Set-Cookie` header that marks a browser. */
export function browserMarkCookie(mark: string, options: { secure: boolean }): string {
  return strictCookie(nameOf(options), mark, { ...options, maxAgeSeconds: SECONDS });
}

function nameOf({ secure }: { secure: boolean }): string {
  return secure ? hostOnlyName(NAME) : NAME;
}
