import type { ChildProcess } from 'node:child_process';
import { CallError } from '@heron/contract/http/errors.ts';
import { HOSTED_NAMES, type HostedName, isHosted } from '../bots/hosted.ts';
import type { HostConfig, WorkerConfig } from '../config.ts';
import type { Logger } from '../log.ts';
import { forkWorker } from './forkWorker.ts';
import { type LateWorker, lateWorker } from './lateWorker.ts';
import type { AudienceNames, LineEars } from './workerLine.ts';
import { openWorkerLink, type WorkerLink } from './workerLink.ts';

type Mode = WorkerConfig['mode'];

/** The worker processes of a host: of each exchange one for paper bots and one for live bots, each started when it is needed. */
export interface Workers {
  /** @throws CallError `not_found` for an exchange that this host has no adapter for */
  of(exchange: string, mode: Mode): LateWorker;
  /** Told to all that run, and to those that are started later. */
  tellAudience(audience: AudienceNames): void;
  close(): Promise<void>;
}

/**
 * @param host name of this host, any text
 * @param forked the process of the first life of Binance's paper worker
 */
export function openWorkers(
  config: HostConfig,
  host: string,
  forked: ChildProcess,
  log: Logger,
  ears: LineEars,
): Workers {
  const { binancePort, binanceusdmPort, mexcPort, vaultKey, controlHost: _, controlPort: __, ...shared } = config;
  const ports: Readonly<Record<HostedName, number>> = {
    binance: binancePort,
    binanceusdm: binanceusdmPort,
    mexc: mexcPort,
  };
  let ready: ChildProcess | null = forked;
  let audience: AudienceNames = { owners: [], bots: [] };

  async function open(exchange: HostedName, mode: Mode): Promise<WorkerLink> {
    const first = exchange === 'binance' && mode === 'paper' ? ready : null;
    if (first !== null) ready = null;
    const port = mode === 'paper' ? ports[exchange] : 0;
    const settings = { ...shared, host, exchange, mode, port, vaultKey: mode === 'live' ? vaultKey : null };
    const link = await openWorkerLink(first ?? forkWorker(mode), settings, log, ears);
    link.tellAudience(audience);
    return link;
  }

  const workers = HOSTED_NAMES.map((exchange) => ({
    exchange,
    paper: lateWorker(() => open(exchange, 'paper')),
    live: lateWorker(() => open(exchange, 'live')),
  }));
  const all = workers.flatMap(({ paper, live }) => [paper, live]);

  return {
    of(exchange, mode) {
      const found = isHosted(exchange) ? workers.find((worker) => worker.exchange === exchange) : undefined;
      if (found === undefined) throw new CallError('not_found');
      return found[mode];
    },
    tellAudience(given) {
      audience = given;
      for (const worker of all) worker.current()?.tellAudience(given);
    },
    async close() {
      await Promise.all(all.map((worker) => worker.close()));
    },
  };
}
