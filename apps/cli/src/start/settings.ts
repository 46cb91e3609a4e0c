import type { VenueId } from '@heron/engine/options/venues.ts';

/** Settings of `heron start`. A port of 0 means any free one. */
export type StartSettings = {
  /** Absolute path of the folder that holds all data of Heron. */
  readonly dataFolder: string;
  /** A PostgreSQL server of the user's own; null: the embedded one in the data folder. */
  readonly databaseUrl: string | null;
  /** Address on which the platform listens. Everything else stays on loopback. */
  readonly host: string;
  readonly port: number;
  readonly controlPort: number;
  /** Venues that bots may trade on. */
  readonly venues: readonly VenueId[];
  /** Workers listen on the ports of the table of venues, or on any free ones. */
  readonly workerPorts: 'standard' | 'free';
  readonly sandboxPort: number;
  /** Address on which bot hosts on other machines reach this machine's workers and its demo market. */
  readonly workerHost: string;
  /** Demo market of another machine that a bot host is to join; null for one of its own. */
  readonly market: string | null;
  readonly logLevel: string;
  /** Public address when a proxy stands before the platform; null: the address that it listens on. */
  readonly publicUrl: string | null;
  /** Addresses of proxies whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Role of the first account that registers, where only this machine reaches Heron. */
  readonly firstAccount: 'administrator' | 'member';
  /** Whether notifications may be sent to addresses of private networks. */
  readonly notifyPrivate: boolean;
  /** Open the address in the user's browser. */
  readonly open: boolean;
};

/** The other listeners are reached through the platform and must not be reachable from outside. */
export const LOOPBACK = '127.0.0.1';

/** Default ports. */
export const STANDARD_PORTS = {
  'web app': 17_900,
  'bot host': 17_997,
  'demo market': 17_820,
} as const;

/**
 * Returns the ports of the demo market: Binance USD-M and MEXC listen on the two after that of Binance spot.
 *
 * @param port of Binance spot; 0 means any free ones
 */
export function demoPorts(port: number): {
  readonly port: number;
  readonly usdmPort: number;
  readonly mexcPort: number;
} {
  return { port, usdmPort: port && port + 1, mexcPort: port && port + 2 };
}
