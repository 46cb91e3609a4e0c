import { CallError } from '@heron/contract/http/errors.ts';

/** The site to which a passkey belongs, and the origin on which it may be used. */
export type RelyingParty = { readonly rpId: string; readonly origin: string };

/**
 * Returns the site of a caller. Passkeys belong to names, never to IP addresses: `localhost` on this machine, otherwise
 * the name of the public address.
 *
 * @param publicUrl address that people type, when it differs from the address on which the platform listens
 * @param called address by which the caller reached us; its host has been checked
 * @throws CallError `passkey_address` with the address to open instead
 */
export function relyingParty(publicUrl: string | null, called: string): RelyingParty {
  const { hostname, origin, port } = new URL(called);
  const known = publicUrl === null ? null : new URL(publicUrl);
  if (hostname === 'localhost') return { rpId: hostname, origin };
  if (known !== null && hostname === known.hostname && !isAddress(hostname)) {
    return { rpId: hostname, origin: known.origin };
  }
  const url = known !== null && !isAddress(known.hostname) ? known.origin : `http://localhost:${port || 80}`;
  throw new CallError('passkey_address', { url });
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
}
