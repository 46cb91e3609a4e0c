import { environmentOf, exchangeOfVenue, VENUES } from '@heron/engine/options/venues.ts';
import { z } from 'zod';
import { defineMethod } from '../http/method.ts';

/** Scope of the proxy for all venues that have none of their own. */
export const ALL_VENUES = 'all';
/** Value that disables the proxy of a venue and overrides the setting for all venues and the environment variables. */
export const NO_PROXY = 'direct';
/** Value shown for an address that was sealed with another secret. An administrator must set it again. */
export const UNREADABLE_PROXY = 'unreadable';

/** Scopes of a proxy: all venues, or one venue outside this machine. */
export const PROXY_SCOPES: readonly string[] = [
  ALL_VENUES,
  ...VENUES.map(({ id }) => id).filter((id) => environmentOf(id) !== 'demo' && exchangeOfVenue(id)?.defi === false),
];

const scope = z.string().refine((text) => PROXY_SCOPES.includes(text));
const proxyAddress = z
  .string()
  .trim()
  .max(500)
  .refine((text) => text === NO_PROXY || isProxyAddress(text));

/** A proxy without its credentials. */
const shownProxy = z.object({
  scope,
  /** Scheme, host and port, `direct`, or `unreadable`. The user name and the password are never sent. */
  proxy: z.string(),
  hasCredentials: z.boolean(),
});

export type ShownProxy = z.infer<typeof shownProxy>;

const proxies = z.object({ proxies: z.array(shownProxy) });

/** Methods of the proxies through which bots reach exchanges. */
export const proxyMethods = {
  listProxies: defineMethod({
    name: 'System.Proxy.list',
    summary: 'Super administrators: lists the proxies for connections to exchanges, without their credentials',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: proxies,
  }),
  setProxy: defineMethod({
    name: 'System.Proxy.set',
    summary:
      'Super administrators: sets the proxy of one venue or of all venues; null removes it. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ scope, proxyUrl: proxyAddress.nullable() }),
    data: proxies,
  }),
} as const;

/** Returns whether a text is a proxy URL: `http://user:password@host:port`, `https://…`, `socks5://…` or `socks5h://…`. */
export function isProxyAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^(?:https?|socks5h?):$/.test(url.protocol)) return false;
  if (url.hostname === '' || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return false;
  return isDecodable(url.username) && isDecodable(url.password);
}

/** Returns whether a text has valid percent-encoding. Otherwise the proxy would receive other credentials. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
