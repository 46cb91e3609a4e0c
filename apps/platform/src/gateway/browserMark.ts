import { hostOnlyName, readCookie, strictCookie } from './cookie.ts';
import { isToken } from './secretToken.ts';

/**
 * Under which a browser keeps a random mark while its person is with a provider: only the browser that went there can come
 * back, so that nobody is logged in to the account of whoever sent them a link.
 */
const NAME = 'heron_mark';
/** As long as a provider may take. */
const SECONDS = 600;

/** The mark in a `Cookie` header, or null. */
export function readBrowserMark(header: string | undefined, options: { secure: boolean }): string | null {
  const mark = readCookie(header, nameOf(options));
  return mark !== null && isToken(mark) ? mark : null;
}

/** `Set-Cookie` that marks a browser. */
export function browserMarkCookie(mark: string, options: { secure: boolean }): string {
  return strictCookie(nameOf(options), mark, { ...options, maxAgeSeconds: SECONDS });
}

function nameOf({ secure }: { secure: boolean }): string {
  return secure ? hostOnlyName(NAME) : NAME;
}
