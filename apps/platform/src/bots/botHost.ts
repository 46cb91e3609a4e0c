import type { Language } from '@heron/contract/http/errors.ts';
import type { Session } from '../gateway/sessions.ts';

/** Where the bot host is, and what it knows us by. */
export type BotHost = { readonly url: string; readonly secret: string };

/**
 * Headers by which the bot host knows for whom a request is. It believes them because of the secret, and nothing that the
 * client sent goes into them.
 */
export function callerHeaders(
  host: BotHost,
  session: Pick<Session, 'userId' | 'groupId'>,
  language: Language,
): Record<string, string> {
  return {
    authorization: `Heron ${host.secret}`,
    'x-heron-user': String(session.userId),
    'x-heron-group': session.groupId === null ? '' : String(session.groupId),
    'x-heron-language': language,
  };
}

/**
 * Address of a request at the bot host, or null when the path could climb out of `/bot/`: routers there may read dots and
 * encoded slashes otherwise than the router here.
 *
 * @param requested path and query as they arrived
 */
export function botHostAddress(host: BotHost, requested: string): URL | null {
  const [path = ''] = requested.split('?', 1);
  if (/[\\]|%2e|%2f|%5c|%00|\/\.{1,2}(\/|$)|\/\//i.test(path)) return null;
  const address = new URL(host.url);
  const at = requested.indexOf('?');
  address.pathname = path;
  address.search = at === -1 ? '' : requested.slice(at);
  return address.pathname.startsWith('/bot/') ? address : null;
}
