import { CallError } from '@heron/contract/http/errors.ts';

/** For which site a passkey is made, and on which page it may be used. */
export type RelyingParty = { readonly rpId: string; readonly origin: string };

/**
 * The site of a caller. Browsers make passkeys for names and never for plain addresses: on this machine the name is
 * `localhost`, elsewhere that of the public address.
 *
 * @param publicUrl address that people type when it is not the one listened on
 * @param called by which address the caller reached us; its host has been checked
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
