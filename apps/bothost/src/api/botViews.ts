import type { BotDetail, BotSummary } from '@heron/contract/bots/entities.ts';
import { listBots, ownBot, type StoredBot } from '../store/botStore.ts';
import { savedDetail } from '../store/botView.ts';
import { readSaved } from '../store/savedBot.ts';
import { isActive } from '../store/status.ts';
import { shouldRun, unservedText } from '../venues/unservedBots.ts';
import { WORKER_PATHS } from '../worker/workerApi.ts';
import type { ApiDeps } from './apiDeps.ts';
import { isLive } from './ownBots.ts';

/** A frozen worker must not delay a list longer than this. */
const DETAILS_TIMEOUT_MS = 2_000;

/** Reads the bots of an owner from their workers, or from their saved state if no worker responds in time. */
export interface BotViews {
  details(owner: string): Promise<BotDetail[]>;
  /** @throws CallError `not_found` */
  detail(owner: string, id: string): Promise<BotDetail>;
}

type ViewDeps = Pick<ApiDeps, 'database' | 'now' | 'workers' | 'connectionOf'>;

export function createBotViews(deps: ViewDeps): BotViews {
  const { database } = deps;

  /** Returns the bots that a worker runs; none when it cannot be reached. */
  async function running(worker: number, ids: string[]): Promise<BotDetail[]> {
    try {
      const connection = await deps.connectionOf(worker);
      return (await connection?.call<BotDetail[]>('POST', WORKER_PATHS.details, { ids }, DETAILS_TIMEOUT_MS)) ?? [];
    } catch {
      return [];
    }
  }

  function saved({ row, session }: StoredBot): BotDetail {
    const detail = savedDetail(row, readSaved(row, session), deps.now());
    const unserved = !deps.workers.isServed(row.venue) && detail.status !== 'error';
    if (unserved && shouldRun(row, detail.status)) {
      const { zh, en } = unservedText(row, isLive(row));
      return { ...detail, status: 'venue_disabled', problem: { zh, en } };
    }
    // The bot was started, and no worker has claimed it yet.
    const starting = row.wanted === 'running' && !isActive(detail.status) && detail.status !== 'error';
    return starting ? { ...detail, status: 'preparing' } : detail;
  }

  async function all(bots: readonly StoredBot[]): Promise<BotDetail[]> {
    const byWorker = new Map<number, string[]>();
    for (const { row, worker } of bots) {
      if (worker !== null) byWorker.set(worker, [...(byWorker.get(worker) ?? []), row.id]);
    }
    const details = await Promise.all([...byWorker].map(([worker, ids]) => running(worker, ids)));
    const known = new Map(details.flat().map((detail) => [detail.id, detail]));
    return bots.map((bot) => known.get(bot.row.id) ?? saved(bot));
  }

  return {
    async details(owner) {
      return all(await listBots(database, owner));
    },
    async detail(owner, id) {
      const [detail] = await all([await ownBot(database, owner, id)]);
      return detail as BotDetail;
    },
  };
}

/** Returns a detail without the parts that only the page of the bot shows. */
export function summaryOf({ options: _, pairViews: __, warnings: ___, ...summary }: BotDetail): BotSummary {
  return summary;
}
