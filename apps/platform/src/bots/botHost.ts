import type { Language } from '@heron/contract/http/errors.ts';
import type { Session } from '../gateway/sessions.ts';

/** Address of the bot host, and the secret that the platform sends to it. */
export type BotHost = { readonly url: string; readonly secret: string };

/** The user for whom the platform calls, and their role; null for a member. */
export type BotOwner = Pick<Session, 'userId' | 'groupId'>;

/**
 * Returns the headers that name the caller to the bot host. The secret proves them, and they contain nothing that the
 * client has sent.
 */
export function callerHeaders(host: BotHost, owner: BotOwner, language: Language): Record<string, string> {
  return {
    authorization: `Heron ${host.secret}`,
    'x-heron-user': String(owner.userId),
    'x-heron-group': owner.groupId === null ? '' : String(owner.groupId),
    'x-heron-language': language,
  };
}

/**
 * Returns the address of a request at the bot host, or null when the path could leave `/bot/`. Routers there may decode
 * dots and encoded slashes differently.
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
