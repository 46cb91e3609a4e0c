import { isIP } from 'node:net';
import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyRequest } from 'fastify';

/** A host with or without a port (RFC 9112 3.2), without characters that a URL would interpret differently. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export type OriginRules = {
  /** Rejects requests for a host name that is not ours. */
  checkHost(request: FastifyRequest): void;
  /** Rejects requests from pages of other sites. */
  checkOrigin(request: FastifyRequest): void;
  /** Rejects requests from pages of other sites for a `GET` that changes something, as older clients send it. */
  checkOriginOfGet(request: FastifyRequest): void;
  /** Returns whether the browser reached us by https, so that cookies can be secure. */
  isSecure(request: FastifyRequest): boolean;
};

/**
 * Protects against pages of other sites: cross-site requests, cross-site WebSockets, and DNS rebinding, where a foreign
 * name points to this server.
 *
 * @param listening.host address on which the platform listens. On loopback only loopback names are ours. Otherwise,
 *   with a `publicUrl`, its name and plain IP addresses, which cannot be rebound.
 */
export function createOriginRules(listening: { host: string; publicUrl?: string | undefined }): OriginRules {
  const publicUrl = listening.publicUrl === undefined ? null : new URL(listening.publicUrl);
  const onLoopback = isLoopback(listening.host);
  /** The last `Host` that was accepted. */
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
      // Nearly all requests have the host of the one before.
      if (host === checked) return;
      if (!HOST.test(host)) throw new CallError('malformed');
      const name = parseUrl(`http://${host}`)?.hostname;
      if (name === undefined || !isOwnName(name)) throw new CallError('wrong_host');
      checked = host;
    },
    checkOrigin(request) {
      const upgrade = request.headers.upgrade !== undefined;
      if (!upgrade && (request.method === 'GET' || request.method === 'HEAD')) return;
      // Browsers send the origin with every request that is checked here. A request without it comes from a program,
      // unless `Sec-Fetch-Site` indicates a browser.
      const { origin } = request.headers;
      if (origin === undefined) checkFetchSite(request);
      else checkOwn(request, origin);
    },
    checkOriginOfGet(request) {
      // Browsers do not send the origin with every `GET`. Current ones send `Sec-Fetch-Site`, older ones may send the
      // page.
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

/** Node keeps the first of several `Host` headers, while a proxy may have checked another one. */
function hasManyHosts(names: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < names.length; at += 2) {
    const name = names[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** Whether an address on which a server listens is reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
