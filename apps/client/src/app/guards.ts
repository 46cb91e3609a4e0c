import { type EditorLevel, hasRole } from '@heron/contract/accounts/roles.ts';
import type { Session } from '../lib/session.ts';

/** Anybody may open these paths; every other path requires a sign-in. */
const OPEN = [
  /^\/user-login\/((wechat|apple)\/)?$/,
  /^\/user-register\/$/,
  /^\/user-forget-password(-tel|-email|-reset)?\/$/,
  /^\/setup\/[^/]+\/$/,
  /^\/setting-[a-z]+\/$/,
  /^\/help-list-term\/\d+\/$/,
];

/** These paths require a role. */
const LEVELS: readonly (readonly [path: RegExp, required: EditorLevel])[] = [
  [/^\/manage-users\/$/, 'editor'],
  [/^\/manage-[a-z]+\/$/, 'admin'],
];

export const HOME = '/bots/';

const pathOf = (url: string) => url.split(/[?#]/, 1)[0] as string;

/** Returns the address with the trailing slash of the specification. The root path becomes the home page. */
export function normalisePath(url: string): string {
  const path = pathOf(url);
  if (path === '/' || path === '') return HOME;
  return path.endsWith('/') ? url : `${path}/${url.slice(path.length)}`;
}

/**
 * Returns the address that is opened for `url`: the same one, or the login screen with the address to return to.
 * `refusal` checks the role.
 */
export function admit(url: string, session: Session): string {
  const wanted = normalisePath(url);
  if (session.state === 'member') return isLogin(wanted) ? returnPath(wanted) : wanted;
  if (OPEN.some((open) => open.test(pathOf(wanted)))) return wanted;
  return wanted === HOME ? '/user-login/' : `/user-login/?to=${encodeURIComponent(wanted)}`;
}

/** Returns the role that the user lacks for an address; null when they may open it or must sign in first. */
export function refusal(url: string, session: Session): EditorLevel | null {
  if (session.state !== 'member') return null;
  const path = pathOf(normalisePath(url));
  const level = LEVELS.find(([pattern]) => pattern.test(path))?.[1];
  return level === undefined || hasRole(session.user.groupId, level) ? null : level;
}

function isLogin(url: string): boolean {
  return /^\/user-(login|register)\/$/.test(pathOf(url));
}

/**
 * Returns the address that follows the login screen at `url`. Only paths of this app are allowed, since another site
 * could have written the address.
 */
export function returnPath(url: string): string {
  const to = ownPath(new URLSearchParams(url.split('?')[1] ?? '').get('to') ?? HOME);
  return to !== null && !isLogin(to) ? to : HOME;
}

/** Checks a path from an untrusted source. Returns it with the trailing slash; null when it leads out of this app. */
export function ownPath(text: string): string | null {
  return /^\/(?![/\\])/.test(text) ? normalisePath(text) : null;
}
