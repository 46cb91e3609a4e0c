import { BlockList, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** IPv4 networks outside the public internet (IANA special-purpose registry). */
const SPECIAL_4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Networks within 2000::/3 outside the public internet, or with embedded IPv4 addresses. */
const SPECIAL_6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, bits] of SPECIAL_4) special.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of SPECIAL_6) special.addSubnet(network, bits, 'ipv6');
const assigned = new BlockList();
assigned.addSubnet('2000::', 3, 'ipv6');

/** Networks of this machine, as `os.networkInterfaces` returns them. */
type Interfaces = Readonly<
  Record<string, readonly { readonly address: string; readonly cidr: string | null }[] | undefined>
>;

/**
 * Returns whether an IP address is on the public internet. IPv4 addresses in IPv6 form are not. Addresses of this
 * machine and its networks are not either, because neighbours often trust each other.
 *
 * @param address as a resolver returns it
 */
export function isPublicAddress(address: string, own: Interfaces = networkInterfaces()): boolean {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (special.check(address, family) || ownNetworks(own).check(address, family)) return false;
  return family === 'ipv4' || assigned.check(address, family);
}

/** Networks of metadata services that give secrets of a machine to its own processes. */
const LINK_LOCAL: readonly (readonly [network: string, bits: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['fe80::', 10, 'ipv6'],
  ['fd00:ec2::', 32, 'ipv6'],
];
const linkLocal = new BlockList();
for (const [network, bits, family] of LINK_LOCAL) linkLocal.addSubnet(network, bits, family);

/** Returns whether an IP address is link-local, or belongs to a metadata service of a cloud. */
export function isLinkLocal(address: string): boolean {
  return linkLocal.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function ownNetworks(interfaces: Interfaces): BlockList {
  const networks = new BlockList();
  for (const { address, cidr } of Object.values(interfaces).flatMap((held) => held ?? [])) {
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    const bits = Number(cidr?.split('/')[1] ?? 0);
    networks.addAddress(address, family);
    // An interface network of prefix length 0 covers all addresses, so it does not identify neighbours.
    if (bits > 0) networks.addSubnet(address, bits, family);
  }
  return networks;
}
