import type { Database } from '@heron/database/connect.ts';
import { environmentOf } from '@heron/engine/options/venues.ts';
import { addressesOf } from '@heron/exchanges/net/hosts.ts';
import { NO_PROXIES } from '@heron/exchanges/net/openNet.ts';
import type { Pause } from '@heron/exchanges/net/pause.ts';
import { egressOf, type ProxySettings } from '@heron/exchanges/net/proxy.ts';
import type { PausedHosts, VenueNet } from '@heron/exchanges/net/venueNet.ts';
import type { WorkerConfig } from '../config.ts';
import type { Logger } from '../log.ts';
import { readPause, readProxies, routeName, type SetProxies, savePause } from './egressStore.ts';
import { openWorkerNet } from './openWorkerNet.ts';

/** Interval at which changed proxies, and pauses of other processes, are read from the database. */
const READ_MS = 2_000;

const OWN = ['own'] as const;
const ALL_HOSTS = ['own', 'permissions'] as const;

/** The pauses that the exchange demands of this IP address. */
export interface VenuePauses {
  current(): Pause | null;
  /** @param listener is called when a pause begins, is prolonged, or has ended @returns stops listening */
  listen(listener: (pause: Pause | null) => void): () => void;
}

/** The network access of a worker to its venue, with the proxies and pauses from the database. */
export interface Egress {
  readonly net: VenueNet;
  /** Names the route, and so its IP address: `direct`, or a proxy without its credentials. */
  via(): string;
  readonly pauses: VenuePauses;
  /** Reads the database now. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface EgressDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly config: Pick<WorkerConfig, 'venue' | 'addresses' | 'secret'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** ms since 1970. */
  now(): number;
}

/**
 * Opens the network access of a worker to its venue, for public and signed requests. Reads proxies and pauses before the first
 * request. Saves each pause that the exchange demands of this process, for other processes and for the next start.
 *
 * @throws Error when the venue has no addresses, or the database is unavailable
 */
export async function openEgress(deps: EgressDeps): Promise<Egress> {
  const { database, config, env, log, now } = deps;
  const { venue, secret } = config;
  const isExternal = environmentOf(venue) !== 'demo';
  const listeners = new Set<(pause: Pause | null) => void>();
  let announced: Pause | null = null;
  let set: SetProxies = { venue: null, installation: null };
  const net = openWorkerNet(config, {
    now,
    proxies: { ...set, env },
    onPause(pause, hosts) {
      announce();
      savePause(database, pausedOf(hosts), pause).catch((error: unknown) =>
        log.error({ err: error }, 'a pause of the exchange could not be saved'),
      );
    },
  });

  /** Names the pause of a group of hosts. Hosts of another venue that report key permissions share the pause of that venue. */
  function pausedOf(hosts: PausedHosts, given = set) {
    if (hosts === 'own') return { venue, via: via(given) };
    return { venue: net.hosts.permissionsVenue ?? venue, via: via(given, net.hosts.permissions) };
  }

  function settingsOf(given: SetProxies): ProxySettings {
    return isExternal ? { ...given, env } : NO_PROXIES;
  }

  /** Names a route. Each route has its own IP address, and a ban of one does not affect the others. */
  function via(given: SetProxies, [origin = 'http://localhost']: readonly string[] = net.hosts.rest): string {
    return routeName(origin, settingsOf(given));
  }

  /** Describes the routes to all hosts, for comparison only. The text contains credentials and must never be shown. */
  function routes(given: SetProxies): string {
    return JSON.stringify(
      addressesOf(net.hosts).map(({ hostname, port }) => egressOf(hostname, Number(port) || 443, settingsOf(given))),
    );
  }

  function announce(): void {
    const pause = net.pause();
    if (pause?.until === announced?.until) return;
    announced = pause;
    for (const listener of listeners) listener(pause);
  }

  async function refresh(): Promise<void> {
    const next = isExternal ? await readProxies(database, { venue, secret }) : set;
    const groups = net.hosts.permissionsVenue === undefined ? OWN : ALL_HOSTS;
    const pauses = await Promise.all(
      groups.map((hosts) => readPause(database, { ...pausedOf(hosts, next), now: now() })),
    );
    const isOther = routes(next) !== routes(set);
    set = next;
    // Connections are kept while the route stays the same.
    if (isOther) {
      net.changeProxies(settingsOf(set));
      log.info({ via: via(set) }, 'the proxy of the venue has changed');
    }
    for (const [index, hosts] of groups.entries()) {
      const pause = pauses[index] ?? null;
      if (pause !== null) net.applyPause(pause, hosts);
    }
    announce();
  }

  try {
    await refresh();
  } catch (error) {
    await net.close();
    throw error;
  }
  let reading = false;
  const timer = setInterval(() => {
    if (reading) return;
    reading = true;
    refresh()
      .catch((error: unknown) => log.warn({ err: error }, 'proxies and pauses could not be read'))
      .finally(() => {
        reading = false;
      });
  }, READ_MS);
  timer.unref();
  return {
    net,
    via: () => via(set),
    pauses: {
      current: net.pause,
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    refresh,
    async close() {
      clearInterval(timer);
      await net.close();
    },
  };
}
