import type { Session } from '../lib/session.ts';

/** Paths that anybody may open; every other one wants a login. @see accounts.md 2 */
const OPEN = [/^\/user-login\/$/, /^\/user-register\/$/, /^\/setup\/[^/]+\/$/, /^\/setting-[a-z]+\/$/];

export const HOME = '/bots/';

const pathOf = (url: string) => url.split(/[?#]/, 1)[0] as string;

/** The address with the trailing slash of the specification; the root leads home. */
export function normalisePath(url: string): string {
  const path = pathOf(url);
  if (path === '/' || path === '') return HOME;
  return path.endsWith('/') ? url : `${path}/${url.slice(path.length)}`;
}

/**
 * Where a person who wants to open `url` is let in: there, or at the login screen, which knows where to return to.
 */
export function admit(url: string, session: Session): string {
  const wanted = normalisePath(url);
  if (session.state === 'member') return isLogin(wanted) ? returnPath(wanted) : wanted;
  if (OPEN.some((open) => open.test(pathOf(wanted)))) return wanted;
  return wanted === HOME ? '/user-login/' : `/user-login/?to=${encodeURIComponent(wanted)}`;
}

function isLogin(url: string): boolean {
  return /^\/user-(login|register)\/$/.test(pathOf(url));
}

/** Where the login screen at `url` leads afterwards. Only paths of this app: another site could have written the address. */
export function returnPath(url: string): string {
  const to = new URLSearchParams(url.split('?')[1] ?? '').get('to') ?? HOME;
  return /^\/(?![/\\])/.test(to) && !isLogin(to) ? normalisePath(to) : HOME;
}
