import { type EditorLevel, hasRole } from '@heron/contract/accounts/roles.ts';
import type { Session } from '../lib/session.ts';

/** Paths that anybody may open; every other one wants a login. @see accounts.md 2 */
const OPEN = [
  /^\/user-login\/((wechat|apple)\/)?$/,
  /^\/user-register\/$/,
  /^\/user-forget-password(-tel|-email|-reset)?\/$/,
  /^\/setup\/[^/]+\/$/,
  /^\/setting-[a-z]+\/$/,
  /^\/help-list-term\/\d+\/$/,
];

/** Paths that want more than a login. @see accounts.md 6 */
const LEVELS: readonly (readonly [path: RegExp, least: EditorLevel])[] = [
  [/^\/manage-users\/$/, 'editor'],
  [/^\/manage-[a-z]+\/$/, 'admin'],
];

export const HOME = '/bots/';

const pathOf = (url: string) => url.split(/[?#]/, 1)[0] as string;

/** The address with the trailing slash of the specification; the root leads home. */
export function normalisePath(url: string): string {
  const path = pathOf(url);
  if (path === '/' || path === '') return HOME;
  return path.endsWith('/') ? url : `${path}/${url.slice(path.length)}`;
}

/**
 * Where a person who wants to open `url` is let in: there, or at the login screen, which knows where to return to. Whether
 * their role may see it is another question: `refusal`.
 */
export function admit(url: string, session: Session): string {
  const wanted = normalisePath(url);
  if (session.state === 'member') return isLogin(wanted) ? returnPath(wanted) : wanted;
  if (OPEN.some((open) => open.test(pathOf(wanted)))) return wanted;
  return wanted === HOME ? '/user-login/' : `/user-login/?to=${encodeURIComponent(wanted)}`;
}

/** The level that somebody lacks for an address; null when they may open it, or must log in first. */
export function refusal(url: string, session: Session): EditorLevel | null {
  if (session.state !== 'member') return null;
  const path = pathOf(normalisePath(url));
  const level = LEVELS.find(([pattern]) => pattern.test(path))?.[1];
  return level === undefined || hasRole(session.user.group_id, level) ? null : level;
}

function isLogin(url: string): boolean {
  return /^\/user-(login|register)\/$/.test(pathOf(url));
}

/** Where the login screen at `url` leads afterwards. Only paths of this app: another site could have written the address. */
export function returnPath(url: string): string {
  const to = ownPath(new URLSearchParams(url.split('?')[1] ?? '').get('to') ?? HOME);
  return to !== null && !isLogin(to) ? to : HOME;
}

/** A path that somebody else may have written, with the trailing slash; null when it leads out of this app. */
export function ownPath(text: string): string | null {
  return /^\/(?![/\\])/.test(text) ? normalisePath(text) : null;
}
