import { type ExternalVenue, type GivenAddresses, hostsAt, VENUE_HOSTS } from './hosts.ts';
import type { Pause } from './pause.ts';
import type { ProxySettings } from './proxy.ts';
import { openVenueNet, type PausedHosts, type VenueNet } from './venueNet.ts';

/** No proxy, whatever the variables of the process are. */
export const NO_PROXIES: ProxySettings = { venue: null, installation: null, env: {} };

/** Options of the network access of every venue. */
export interface NetOptions {
  /** Default: the variables of this process only. */
  readonly proxies?: ProxySettings;
  /** ms since 1970. */
  now(): number;
  readonly onPause?: (pause: Pause, hosts: PausedHosts) => void;
}

/** Opens the network access of a venue outside this machine. @param exchange named in errors */
export function openExternalNet(exchange: string, venue: ExternalVenue, options: NetOptions): VenueNet {
  const proxies = options.proxies ?? { venue: null, installation: null, env: process.env };
  return openVenueNet({ ...options, name: exchange, hosts: VENUE_HOSTS[venue], proxies });
}

/** Opens the network access of a venue at given addresses, such as the demo market. It never uses a proxy. */
export function openGivenNet(exchange: string, addresses: GivenAddresses, options: NetOptions): VenueNet {
  return openVenueNet({ ...options, name: exchange, hosts: hostsAt(addresses), proxies: NO_PROXIES });
}
