import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { type Environment, environmentOf, type VenueId, venueOf } from '@heron/engine/options/venues.ts';
import { faultText } from '@heron/exchanges/net/faultText.ts';
import {
  type ExternalVenue,
  type GivenAddresses,
  hostsAt,
  isExternalVenue,
  VENUE_HOSTS,
  type VenueHosts,
} from '@heron/exchanges/net/hosts.ts';
import { probeVenue, type VenueProbe } from '@heron/exchanges/net/probe.ts';
import { addressesFrom } from '@heron/sandbox/addresses.ts';
import { HOSTED_VENUES } from '../flags/venue.ts';
import type { Installation } from '../installation/openInstallation.ts';
import { accessTo, routeText } from '../installation/venueAccess.ts';
import { LOOPBACK } from '../start/settings.ts';

/** A venue as `heron venues` prints it. */
export interface ListedVenue {
  readonly id: VenueId;
  readonly exchange: string;
  readonly environment: Environment;
  readonly title: string;
  /** Default port of its worker. */
  readonly port: number;
  readonly hosts: VenueHosts;
  /** Bots may trade there. */
  readonly enabled: boolean;
  /** Market data can be read. */
  readonly reachable: boolean;
  /** Orders can be sent from here. */
  readonly trading: boolean;
  /** Why it is not enabled, what does not work or that clocks differ, and what can be done; null when nothing is wrong. */
  readonly reason: string | null;
  /** The route to it, and where that is set; null for the demo market. */
  readonly route: string | null;
}

/** Inputs of the list. */
export interface VenueListing {
  /** Venues that bots may trade on. */
  readonly enabled: readonly VenueId[];
  /** First port of the demo market. */
  readonly sandboxPort: number;
  /** The installation whose proxies are used and whose bans are obeyed. */
  readonly installation: Installation;
}

const DEMO_MS = 2_000;
const DISABLED = 'Not enabled. See --venues of heron start.';
const DEMO_DOWN = 'The demo market does not respond. It runs while heron start runs.';

/** Lists every venue and queries the time of each, in parallel. */
export function listVenues(listing: VenueListing): Promise<ListedVenue[]> {
  return Promise.all(HOSTED_VENUES.map((id) => listVenue(id, listing)));
}

async function listVenue(id: VenueId, { enabled, sandboxPort, installation }: VenueListing): Promise<ListedVenue> {
  const { exchange = '', port = 0 } = venueOf(id) ?? {};
  const isEnabled = enabled.includes(id);
  const { hosts, reachable, trading, fault, route } = isExternalVenue(id)
    ? { hosts: VENUE_HOSTS[id], ...(await checkExternal(id, installation)) }
    : { ...(await demoVenue(exchange, sandboxPort)), route: null };
  return {
    ...{ id, exchange, environment: environmentOf(id), title: venueTitle(id).en, port, hosts },
    ...{ enabled: isEnabled, reachable, trading, reason: isEnabled ? fault : DISABLED, route },
  };
}

interface ReachState {
  readonly reachable: boolean;
  readonly trading: boolean;
  readonly fault: string | null;
}

/** Nothing is sent during a ban. */
async function checkExternal(id: ExternalVenue, installation: Installation): Promise<ReachState & { route: string }> {
  const { proxies, pause, keepPause } = await accessTo(id, installation);
  const found = await probeVenue(id, { proxies, pause, now: Date.now });
  if (pause === null && found.fault?.kind === 'paused') await keepPause(found.fault);
  return { ...reachStateOf(found), route: routeText(id, proxies) };
}

/** Describes the result of a probe. */
export function reachStateOf(found: Pick<VenueProbe, 'reachable' | 'trading' | 'fault'>): ReachState {
  const { reachable, trading, fault } = found;
  const noResponse = reachable ? null : 'No response. Check the network of this machine.';
  return { reachable, trading, fault: fault === null ? noResponse : faultText(fault).en };
}

async function demoVenue(exchange: string, sandboxPort: number): Promise<ReachState & { hosts: VenueHosts }> {
  const addresses: Readonly<Record<string, GivenAddresses>> = addressesFrom(LOOPBACK, sandboxPort);
  const { [exchange]: given } = addresses;
  if (given === undefined) throw new Error(`The demo market has no ${exchange}.`);
  const path = exchange === 'binanceusdm' ? '/fapi/v1/ping' : '/api/v3/ping';
  const answer = await fetch(`${given.rest}${path}`, { signal: AbortSignal.timeout(DEMO_MS) }).catch(() => null);
  await answer?.body?.cancel();
  const ok = answer?.ok === true;
  return { hosts: hostsAt(given), reachable: ok, trading: ok, fault: ok ? null : DEMO_DOWN };
}
