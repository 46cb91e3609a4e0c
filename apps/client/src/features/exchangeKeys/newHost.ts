/** Default port of a bot host. */
export const PAIRING_PORT = 17_997;

/** Holds the typed values of the form that pairs a bot host. */
export interface NewHost {
  readonly name: string;
  readonly address: string;
  readonly port: string;
  readonly code: string;
}

type HostFault = `hosts.${'nameMissing' | 'addressMissing' | 'portWrong' | 'codeWrong'}`;

/** A host name or an IP address, without scheme and path. Only an IPv6 address contains colons. */
const ADDRESS = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[?[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*\]?)$/i;
const CODE_LETTERS = 32;

/** Returns the errors of the form by field. */
export function hostFaults(typed: NewHost): Partial<Record<keyof NewHost, HostFault>> {
  const faults: Partial<Record<keyof NewHost, HostFault>> = {};
  const port = Number(typed.port);
  if (typed.name.trim() === '') faults.name = 'hosts.nameMissing';
  if (!ADDRESS.test(typed.address.trim())) faults.address = 'hosts.addressMissing';
  if (!/^\d+$/.test(typed.port) || port < 1_024 || port > 65_535) faults.port = 'hosts.portWrong';
  if (typed.code.replace(/[\s-]/g, '').length !== CODE_LETTERS) faults.code = 'hosts.codeWrong';
  return faults;
}
