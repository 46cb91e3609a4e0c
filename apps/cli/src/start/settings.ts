import type { VenueId } from '@heron/engine/options/venues.ts';

/** What `heron start` was asked to do. Ports: 0 takes any free one. */
export type StartSettings = {
  /** Absolute path; everything Heron keeps is in there. */
  readonly dataFolder: string;
  /** A PostgreSQL server of the user's own; null: the embedded one in the data folder. */
  readonly databaseUrl: string | null;
  /** Where the platform listens. Everything else stays on loopback. */
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
  /** Address that people type when a proxy stands before the platform; null: the one listened on. */
  readonly publicUrl: string | null;
  /** Addresses of proxies that may say for whom they ask. */
  readonly trustedProxies: readonly string[];
  /** Notices may be posted to addresses of private networks. */
  readonly notifyPrivate: boolean;
  /** Open the address in the user's browser. */
  readonly open: boolean;
};

/** The other listeners are reached through the platform and must not be reachable from outside. */
export const LOOPBACK = '127.0.0.1';

/** Ports unless told otherwise, under what they are for. */
export const STANDARD_PORTS = {
  'web app': 17_900,
  'bot host': 17_997,
  'demo market': 17_820,
} as const;

/**
 * Returns the ports of the demo market: Binance USD-M and MEXC listen on the two after that of Binance spot.
 *
 * @param port of Binance spot; 0 takes any free ones
 */
export function demoPorts(port: number): {
  readonly port: number;
  readonly usdmPort: number;
  readonly mexcPort: number;
} {
  return { port, usdmPort: port && port + 1, mexcPort: port && port + 2 };
}
