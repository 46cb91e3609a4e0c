import { isIP } from 'node:net';

/** A proxy through which connections to venues are made. */
export interface ProxyServer {
  readonly scheme: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

/** Route to a host. */
export type Egress =
  | { readonly via: 'direct' }
  | { readonly via: 'proxy'; readonly proxy: ProxyServer }
  /** The address of the proxy cannot be read. Nothing is sent, because a direct connection is not wanted. */
  | { readonly via: 'invalid'; readonly source: string };

/** Settings of proxies, the strongest first. Texts are addresses of proxies; `direct` means none. */
export interface ProxySettings {
  /** For this venue. */
  readonly venue: string | null;
  /** For all venues of the installation. */
  readonly installation: string | null;
  /** Variables of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Placeholder for the address of a proxy that is set and cannot be read. */
export const UNREADABLE_ADDRESS = 'unreadable://';

const DIRECT: Egress = { via: 'direct' };
const PORTS = { http: 80, https: 443, socks5: 1080 } as const;
const SCHEMES: Readonly<Record<string, ProxyServer['scheme']>> = {
  'http:': 'http',
  'https:': 'https',
  'socks:': 'socks5',
  'socks5:': 'socks5',
  'socks5h:': 'socks5',
};

/**
 * Reads the address of a proxy: `http://`, `https://`, `socks5://` or `socks5h://`, with a user and a password if it wants
 * them. Names are resolved by the proxy in each case.
 *
 * @returns null for another text
 */
export function parseProxy(text: string): ProxyServer | null {
  const written = text.trim();
  const url = URL.parse(/^[a-z0-9+.-]+:\/\//i.test(written) ? written : `http://${written}`);
  const scheme = url === null ? undefined : SCHEMES[url.protocol];
  if (url === null || scheme === undefined || url.hostname === '' || !/^\/?$/.test(url.pathname)) return null;
  try {
    const user = decodeURIComponent(url.username);
    const password = decodeURIComponent(url.password);
    return {
      scheme,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? PORTS[scheme] : Number(url.port),
      credentials: user === '' && password === '' ? null : { user, password },
    };
  } catch {
    return null;
  }
}

/** Names a proxy without its credentials. */
export function proxyLabel({ scheme, host, port }: ProxyServer): string {
  return `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/**
 * Returns how a host is reached. Addresses of this machine are always reached directly. A setting of the app is stronger
 * than the variables `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, which are read in lower case first.
 */
export function egressOf(host: string, port: number, settings: ProxySettings): Egress {
  const found = namedFor(host, port, settings);
  if (found === null || found.text === 'direct') return DIRECT;
  const proxy = parseProxy(found.text);
  if (proxy !== null) return { via: 'proxy', proxy };
  return { via: 'invalid', source: isSetting(found.source) ? 'settings' : found.source };
}

/**
 * Returns which setting decides how a host is reached: `venue` or `installation` for a setting of the app, or the name of a
 * variable. Null where none is set.
 */
export function proxySource(host: string, port: number, settings: ProxySettings): string | null {
  return namedFor(host, port, settings)?.source ?? null;
}

function isSetting(source: string): boolean {
  return source === 'venue' || source === 'installation';
}

function namedFor(host: string, port: number, settings: ProxySettings): { text: string; source: string } | null {
  if (isLoopback(host)) return null;
  const { venue, installation, env } = settings;
  if (venue !== null) return { text: venue, source: 'venue' };
  if (installation !== null) return { text: installation, source: 'installation' };
  for (const variable of ['no_proxy', 'NO_PROXY']) {
    const names = env[variable];
    if (!names) continue;
    if (isExempt(host, port, names)) return { text: 'direct', source: variable };
    break;
  }
  for (const variable of ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']) {
    const text = env[variable];
    if (text) return { text, source: variable };
  }
  return null;
}

/** Whether a host is this machine. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d+){3}$/.test(host);
}

/** Whether `NO_PROXY` names a host: `*`, a name, a name with its subdomains, either with a port. */
function isExempt(host: string, port: number, noProxy: string): boolean {
  return noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', wanted] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      if (wanted !== undefined && Number(wanted) !== port) return false;
      const domain = name.replace(/^\*?\./, '');
      return host.toLowerCase() === domain || host.toLowerCase().endsWith(`.${domain}`);
    });
}
