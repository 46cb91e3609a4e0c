import { BlockList, isIP } from 'node:net';
import { CallError } from '@heron/contract/http/errors.ts';

/**
 * Parses a list of IP addresses and networks, such as `52.89.214.238` or `2001:db8::/32`.
 *
 * @returns whether an address is in the list
 * @throws CallError `signal_network_invalid`
 */
export function allowedNetworks(allowed: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of allowed) addNetwork(list, entry);
  return (address) => {
    const kind = isIP(address);
    return kind !== 0 && list.check(address, kind === 4 ? 'ipv4' : 'ipv6');
  };
}

function addNetwork(list: BlockList, entry: string): void {
  const [address = '', prefix, ...rest] = entry.split('/');
  const kind = isIP(address);
  const bits = prefix === undefined ? null : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  const isValid = kind !== 0 && rest.length === 0 && (bits === null || (bits >= 1 && bits <= (kind === 4 ? 32 : 128)));
  if (!isValid) throw new CallError('signal_network_invalid', { address: entry.slice(0, 50) });
  const family = kind === 4 ? 'ipv4' : 'ipv6';
  if (bits === null) list.addAddress(address, family);
  else list.addSubnet(address, bits, family);
}
