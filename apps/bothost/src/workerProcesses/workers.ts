import { CallError } from '@heron/contract/http/errors.ts';
import type { HostConfig, WorkerConfig } from '../config.ts';
import type { Logger } from '../log.ts';
import { HOSTED, type HostedVenue } from '../store/hosted.ts';
import { forkWorker } from './forkWorker.ts';
import { createLazyWorker, type LazyWorker } from './lazyWorker.ts';
import type { AudienceNames, WorkerListener } from './workerConnection.ts';
import { openWorkerLink, type WorkerLink } from './workerLink.ts';

type Mode = WorkerConfig['mode'];

/** The operating system's code for a port that another process listens on. */
const PORT_TAKEN = 'EADDRINUSE';

/** The worker processes of a host: for each venue one of paper bots and one of live bots, each started when first needed. */
export interface Workers {
  /** Venues that this host serves. */
  readonly venues: readonly HostedVenue[];
  isServed(venue: string): boolean;
  /** @throws CallError `venue_disabled` for a venue that this host does not serve */
  of(venue: string, mode: Mode): LazyWorker;
  /** Passed on to all that run, and to those that are started later. */
  setAudience(audience: AudienceNames): void;
  close(): Promise<void>;
}

/** @param host name of this host, any text */
export function openWorkers(config: HostConfig, host: string, log: Logger, listener: WorkerListener): Workers {
  const {
    venues: enabled,
    demo,
    workerPorts,
    vaultKey,
    controlHost: _,
    controlPort: __,
    pairing: ___,
    ...shared
  } = config;
  let audience: AudienceNames = { owners: [], bots: [] };

  async function open(venue: HostedVenue, mode: Mode): Promise<WorkerLink> {
    const { id, exchange, environment, port } = venue;
    const settings = {
      ...{ ...shared, host, venue: id, mode },
      addresses: environment === 'demo' ? addressesOf(demo[exchange]) : null,
      port: mode === 'paper' && workerPorts === 'standard' ? port : 0,
      vaultKey: mode === 'live' ? vaultKey : null,
    };
    const start = (at: number) => openWorkerLink(forkWorker(mode), { ...settings, port: at }, log, listener);
    // A second host on the machine may use the standard port. Any free port works, because only this host connects to it.
    const link = await start(settings.port).catch((error: unknown) => {
      if (settings.port === 0 || (error as { code?: unknown }).code !== PORT_TAKEN) throw error;
      log.warn({ port: settings.port, venue: id }, 'the port of the worker is in use; it takes a free one');
      return start(0);
    });
    link.setAudience(audience);
    return link;
  }

  // A demo worker without the addresses of the demo market cannot work.
  const venues = HOSTED.filter(
    ({ id, exchange, environment }) => enabled.includes(id) && (environment !== 'demo' || demo[exchange] !== undefined),
  );
  const workers = venues.map((venue) => ({
    id: venue.id,
    paper: createLazyWorker(() => open(venue, 'paper')),
    live: createLazyWorker(() => open(venue, 'live')),
  }));
  const all = workers.flatMap(({ paper, live }) => [paper, live]);

  return {
    venues,
    isServed: (venue) => venues.some(({ id }) => id === venue),
    of(venue, mode) {
      const found = workers.find(({ id }) => id === venue);
      if (found === undefined) throw new CallError('venue_disabled');
      return found[mode];
    },
    setAudience(given) {
      audience = given;
      for (const worker of all) worker.current()?.setAudience(given);
    },
    async close() {
      await Promise.all(all.map((worker) => worker.close()));
    },
  };
}

/** A worker gets the addresses only, not the demo key. */
function addressesOf(exchange: HostConfig['demo'][keyof HostConfig['demo']]): WorkerConfig['addresses'] {
  if (exchange === undefined) return null;
  const { apiKey: _, ...addresses } = exchange;
  return addresses;
}
