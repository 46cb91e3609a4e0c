import { isIP } from 'node:net';
import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyRequest } from 'fastify';

/** A name or address with or without a port (RFC 9112 3.2), and nothing that a URL would read otherwise. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export type OriginRules = {
  /** Refuses requests that reached this server under a name that is not its own. */
  checkHost(request: FastifyRequest): void;
  /** Refuses requests that a page of another site made, as far as they could change or read anything. */
  checkOrigin(request: FastifyRequest): void;
  /** The same for a `GET` that changes something, as those of older clients do. */
  checkOriginOfGet(request: FastifyRequest): void;
  /** Whether the browser reached us by https, so that cookies may be kept to https. */
  isSecure(request: FastifyRequest): boolean;
};

/**
 * Guards against pages of other sites that use the visitor's browser: cross-site requests, cross-site WebSockets, and DNS
 * rebinding, where a foreign name is made to point at this server.
 *
 * @param listening.host what the server listens on. On loopback only loopback names are its own; elsewhere, once a
 *   `publicUrl` is given, its name and plain addresses, which nobody can rebind.
 */
export function createOriginRules(listening: { host: string; publicUrl?: string | undefined }): OriginRules {
  const publicUrl = listening.publicUrl === undefined ? null : new URL(listening.publicUrl);
  const onLoopback = isLoopback(listening.host);
  /** A `Host` that was found to be our own. */
  let checked: string | null = null;

  function isOwnName(name: string): boolean {
    if (LOOPBACK_NAMES.has(name) || name === publicUrl?.hostname) return true;
    if (onLoopback) return false;
    return publicUrl === null || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  }

  function checkFetchSite(request: FastifyRequest): void {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new CallError('cross_origin');
  }

  function checkOwn(request: FastifyRequest, page: string): void {
    const from = parseUrl(page);
    if (from === null) throw new CallError('cross_origin');
    if (from.origin === publicUrl?.origin) return;
    const own = parseUrl(`${from.protocol}//${request.headers.host ?? ''}`);
    if (from.host === '' || from.host !== own?.host) throw new CallError('cross_origin');
  }

  return {
    checkHost(request) {
      const { host = '' } = request.headers;
      if (hasManyHosts(request.raw.rawHeaders)) throw new CallError('malformed');
      // Nearly all requests name the host of the one before.
      if (host === checked) return;
      if (!HOST.test(host)) throw new CallError('malformed');
      const name = parseUrl(`http://${host}`)?.hostname;
      if (name === undefined || !isOwnName(name)) throw new CallError('wrong_host');
      checked = host;
    },
    checkOrigin(request) {
      const upgrade = request.headers.upgrade !== undefined;
      if (!upgrade && (request.method === 'GET' || request.method === 'HEAD')) return;
      // Browsers name the origin of every request that is checked here. Without one it is a program of the caller's own,
      // unless the browser says otherwise in its own words.
      const { origin } = request.headers;
      if (origin === undefined) checkFetchSite(request);
      else checkOwn(request, origin);
    },
    checkOriginOfGet(request) {
      // No browser names the origin of each `GET`. Those of today say where it comes from; older ones may name the page.
      const { origin, referer } = request.headers;
      checkFetchSite(request);
      if (origin !== undefined) checkOwn(request, origin);
      if (referer !== undefined) checkOwn(request, referer);
    },
    isSecure(request) {
      if (request.protocol === 'https') return true;
      return publicUrl?.protocol === 'https:' && parseUrl(`https://${request.headers.host}`)?.host === publicUrl.host;
    },
  };
}

/** Node keeps the first of several `Host` headers; a proxy may have looked at another one. */
function hasManyHosts(names: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < names.length; at += 2) {
    const name = names[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
