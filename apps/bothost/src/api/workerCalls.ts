import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { type BotRow, modeOf } from '../store/botRow.ts';
import { ownBot, type StoredBot } from '../store/botStore.ts';
import type { WorkerConnection } from '../workerProcesses/workerConnection.ts';
import type { WorkerLink } from '../workerProcesses/workerLink.ts';
import type { ApiDeps } from './apiDeps.ts';
import type { BotViews } from './botViews.ts';
import { runsNow } from './ownBots.ts';

/** A call that is sent to the worker of a bot. */
export interface BotWorkerCall {
  readonly user: string;
  /** Id of the bot. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** Sends calls to the worker of a bot, or to a worker of this host when no worker has the bot. */
export interface WorkerCalls {
  /** Returns a worker of this host, which is started unless it runs. @throws CallError `unavailable` */
  started(venue: string, mode: 'paper' | 'live'): Promise<WorkerLink>;
  /** Returns the worker of this host for such a bot. @throws CallError `unavailable` */
  own(row: BotRow): Promise<WorkerLink>;
  /** Sends a call to the worker of a bot. The bot may move to another worker meanwhile. */
  call<Answer>(call: BotWorkerCall): Promise<Answer>;
  /** Posts a call to the worker of a bot, then to that of this host. @returns null when neither can be reached */
  tryPost<Answer>(call: Omit<BotWorkerCall, 'method'>): Promise<Answer | null>;
  /** Starts or stops a bot. Its wanted state is recorded first, so it takes effect later if no worker can be reached. */
  startOrStop(user: string, id: string, path: string): Promise<BotDetail>;
}

/** Whether a call may have failed only because the bot moves from the worker that it was sent to. */
function mayHaveMoved(error: unknown): boolean {
  return error instanceof CallError && /^(unavailable|bot_not_running)$/.test(error.code);
}

export function createWorkerCalls(deps: ApiDeps, views: BotViews): WorkerCalls {
  const { database, workers } = deps;

  async function started(venue: string, mode: 'paper' | 'live'): Promise<WorkerLink> {
    const worker = workers.of(venue, mode);
    try {
      return await worker.get();
    } catch {
      throw new CallError('unavailable');
    }
  }

  async function own(row: BotRow): Promise<WorkerLink> {
    return started(row.venue, modeOf(row));
  }

  /** Returns the worker that runs a bot; the one of this host if none runs it, or it cannot be reached. */
  async function connectionTo({ row, worker }: StoredBot, runs: boolean): Promise<WorkerConnection> {
    return (runs ? await deps.connectionOf(worker) : null) ?? (await own(row));
  }

  async function call<Answer>({ user, id, method, path, body }: BotWorkerCall): Promise<Answer> {
    let previous: number | null = null;
    for (;;) {
      const bot = await ownBot(database, user, id);
      const runs = runsNow(bot);
      const connection = await connectionTo(bot, runs);
      try {
        return await connection.call<Answer>(method, path, body);
      } catch (error) {
        if (!runs || !mayHaveMoved(error)) throw error;
        // If its venue is not enabled, no other worker takes the bot over.
        if (bot.worker === previous) {
          throw new CallError(workers.isServed(bot.row.venue) ? 'unavailable' : 'venue_disabled');
        }
        previous = bot.worker;
      }
    }
  }

  async function tryPost<Answer>({ user, id, path, body }: Omit<BotWorkerCall, 'method'>): Promise<Answer | null> {
    const { row, worker } = await ownBot(database, user, id);
    const connections = [await deps.connectionOf(worker), await own(row).catch(() => null)];
    for (const connection of new Set(connections)) {
      try {
        if (connection !== null) return await connection.call<Answer>('POST', path, body);
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== 'unavailable') throw error;
      }
    }
    return null;
  }

  return {
    started,
    own,
    call,
    tryPost,
    async startOrStop(user, id, path) {
      return (await tryPost<BotDetail>({ user, id, path })) ?? views.detail(user, id);
    },
  };
}
