import { type ExternalVenue, VENUE_HOSTS } from '@heron/exchanges/net/hosts.ts';
import type { Pause } from '@heron/exchanges/net/pause.ts';
import { egressLabel } from '@heron/exchanges/net/probe.ts';
import { type ProxySettings, proxySource } from '@heron/exchanges/net/proxy.ts';
import type { Installation } from './openInstallation.ts';

/** Network access of a command to a venue. */
export interface VenueAccess {
  readonly proxies: ProxySettings;
  /** A ban by the exchange that has not ended: nothing may be sent. */
  readonly pause: Pause | null;
  /** Stores a ban that this command received from the exchange, so that bots respect it too. */
  keepPause(pause: Pause): Promise<void>;
}

/** Returns how the installation reaches a venue; an unknown one leaves the variables of this process. */
export async function accessTo(venue: ExternalVenue, installation: Installation): Promise<VenueAccess> {
  const { env } = process;
  if (installation.kind === 'unknown') {
    return { proxies: { venue: null, installation: null, env }, pause: null, keepPause: async () => {} };
  }
  const { database, secret } = installation;
  const { readPause, readProxies, savePause } = await import('@heron/bothost/worker/egressStore.ts');
  const proxies = { ...(await readProxies(database, { venue, secret })), env };
  const via = viaOf(venue, proxies) ?? 'unreadable';
  return {
    proxies,
    pause: await readPause(database, { venue, via, now: Date.now() }),
    keepPause: (pause) => savePause(database, { venue, via }, pause),
  };
}

/** Describes the route to a venue and where it is set, such as `http://10.0.0.1:3128 (set in the app)`. */
export function routeText(venue: ExternalVenue, proxies: ProxySettings): string {
  const { hostname } = new URL(VENUE_HOSTS[venue].rest[0]);
  const source = proxySource(hostname, 443, proxies);
  const via = viaOf(venue, proxies);
  const route = via === null ? 'unreadable proxy' : via === 'direct' ? 'direct' : `through ${via}`;
  return source === null ? route : `${route} (${SOURCE_TEXTS[source] ?? source})`;
}

/** Returns why proxies and bans of the installation are not known; null when they are. */
export function unknownText(installation: Installation): string | null {
  return installation.kind === 'known'
    ? null
    : `Proxies set in the app and current bans are unknown here: ${installation.why}.`;
}

/** Any other source is the name of a variable. */
const SOURCE_TEXTS: Readonly<Record<string, string>> = {
  venue: 'set in the app for this venue',
  installation: 'set in the app for all venues',
};

function viaOf(venue: ExternalVenue, proxies: ProxySettings): string | null {
  return egressLabel(new URL(VENUE_HOSTS[venue].rest[0]).hostname, 443, proxies);
}
