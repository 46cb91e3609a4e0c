import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';

/** Limits warnings, because strangers can send the header too. */
const MAX_WARNINGS = 5;
const ADDRESS_CHARACTER = /[\da-f]/i;

/** The parts of a request that are checked. */
type Forwarded = {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** The peer and the addresses that trusted proxies report; undefined when no proxy is trusted. */
  readonly ips?: readonly string[] | undefined;
};

/**
 * Creates a check that warns once per untrusted peer that forwards requests. All its visitors count as one address, so
 * that one of them can use up the limits of all.
 */
export function createProxyCheck(log: FastifyBaseLogger): (request: Forwarded) => void {
  const warned = new Set<string>();
  return (request) => {
    const forwarded = request.headers['x-forwarded-for'];
    if (forwarded === undefined || warned.size >= MAX_WARNINGS || !ADDRESS_CHARACTER.test(String(forwarded))) return;
    const peer = request.socket.remoteAddress ?? '';
    // A trusted peer precedes the addresses that it reports.
    if (warned.has(peer) || (request.ips?.length ?? 1) > 1) return;
    warned.add(peer);
    log.warn(
      { peer },
      'X-Forwarded-For comes from a peer that is not trusted, so all its visitors count as one address. ' +
        'If this is your reverse proxy, start Heron with --trusted-proxy and its address; see docs/proxy.md',
    );
  };
}
