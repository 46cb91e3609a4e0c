import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';

/** Strangers can send the header as well, so that not every one of them may fill the log. */
const MOST_WARNINGS = 5;
const ADDRESS_CHARACTER = /[\da-f]/i;

/** What is looked at of a request. */
type Forwarded = {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** The peer and those that trusted proxies tell of; undefined where no proxy is trusted. */
  readonly ips?: readonly string[] | undefined;
};

/**
 * Makes a check that warns of a peer that forwards requests and is not trusted, once for each such peer: all its visitors then
 * count as one address, and one of them can use up what all of them may do.
 */
export function createProxyCheck(log: FastifyBaseLogger): (request: Forwarded) => void {
  const warned = new Set<string>();
  return (request) => {
    const told = request.headers['x-forwarded-for'];
    if (told === undefined || warned.size >= MOST_WARNINGS || !ADDRESS_CHARACTER.test(String(told))) return;
    const peer = request.socket.remoteAddress ?? '';
    // A trusted peer stands before the addresses that it tells.
    if (warned.has(peer) || (request.ips?.length ?? 1) > 1) return;
    warned.add(peer);
    log.warn(
      { peer },
      'X-Forwarded-For comes from a peer that is not trusted, so all its visitors count as one address. ' +
        'If this is your reverse proxy, start Heron with --trusted-proxy and its address; see docs/proxy.md',
    );
  };
}
