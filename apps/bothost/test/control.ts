import { randomUUID } from 'node:crypto';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { saveSession } from '@heron/engine/paper/paperSession.ts';
import { eq } from 'drizzle-orm';
import type { ApiDeps } from '../src/api/apiDeps.ts';
import { createBotApi } from '../src/api/botApi.ts';
import { createBotViews } from '../src/api/botViews.ts';
import { createBot } from '../src/store/botStore.ts';
import type { WorkerLink } from '../src/workerProcesses/workerLink.ts';

const OWNER = '1';
const CALLER = { user: OWNER, language: 'en', query: undefined } as const;

/** Returns the responses of a simulated worker. */
export type Worker = (path: string, body: object | undefined) => Promise<unknown>;

/**
 * Returns the bot calls of one host.
 *
 * @param worker null for a worker that does not start
 * @param served whether the host serves the venues of the bots
 */
export function control(database: Database, worker: Worker | null, served = true) {
  const call = (_: string, path: string, body?: object) => worker?.(path, body);
  // Implements only the calls of the control process to a worker.
  const connection = worker === null ? null : ({ call } as unknown as WorkerLink);
  const late = {
    get: async () => connection ?? Promise.reject(new Error('it does not start')),
    current: () => connection,
    close: async () => {},
  };
  const setup: ApiDeps = {
    ...{ database, now: Date.now, connectionOf: async () => connection, demoKey: () => null },
    venueStates: { of: async () => ({ reachable: null, trading: null, problem: null, pause: null }) },
    workers: {
      ...{ venues: [], isServed: () => served, setAudience() {}, close: async () => {} },
      of() {
        if (!served) throw new CallError('venue_disabled');
        return late;
      },
    },
    streams: () => ({ attach() {}, push() {}, send() {}, countUnseen() {}, renew() {}, close() {} }),
  };
  const api = createBotApi(setup, createBotViews(setup));
  return {
    get: (id: string) => api.get({ ...CALLER, params: { id }, body: undefined }),
    candles: (id: string) => api.candles({ ...CALLER, params: { id }, query: { pair: 'BTC-USDT' }, body: undefined }),
    list: () => api.list({ ...CALLER, params: undefined, body: undefined }),
    start: (id: string, name: string) => api.start({ ...CALLER, params: { id }, body: { confirm: name } }),
    change: (id: string, pairs: string) =>
      api.change({ ...CALLER, params: { id }, body: { options: { watch_pairs: pairs }, params: {} } }),
    portfolio: (user = OWNER, zone = 'UTC') =>
      api.portfolio({ ...CALLER, user, params: undefined, query: { zone }, body: undefined }),
    prepareKeys: () => api.prepareKeys({ ...CALLER, params: undefined, body: { venue: 'binanceusdm-demo' } }),
    remove: (id: string) => api.remove({ ...CALLER, params: { id }, query: {}, body: undefined }),
  };
}

/** Creates a key of the owner. @param account null while it is unknown */
export async function makeKey({ orm }: Database, account: string | null): Promise<string> {
  const id = randomUUID();
  await orm.insert(table.key).values({
    ...{ id, owner: OWNER, venue: 'binanceusdm-demo', label: id, lastFour: '0000', sealed: 'sealed', account },
    permissions: { trade: true, withdraw: false, ipRestricted: true },
    ...{ checkedAt: 0, createdAt: 0 },
  });
  return id;
}

function optionsOn(pairs: string) {
  const checked = validateOptions({
    ...{ exchange: 'binanceusdm-demo', mode: 'live', strategy: 'manual', watch_pairs: pairs },
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.options;
}

/** Creates a live bot on futures that has not started. */
export async function makeLive(database: Database, name: string, pairs: string, key: string): Promise<string> {
  const { row } = await createBot(database, OWNER, { name, options: optionsOn(pairs), params: {}, key }, 0);
  return row.id;
}

/** Saves the bot as its worker commits it. */
export async function saveLive({ orm }: Database, id: string, pairs: string, status = 'created'): Promise<void> {
  const session = createLiveSession({ id, options: optionsOn(pairs), params: {}, allotment: null });
  session.state.bot.status = status as typeof session.state.bot.status;
  await orm
    .update(table.snapshot)
    .set({ session: saveSession(session), status })
    .where(eq(table.snapshot.botId, id));
}

export async function want({ orm }: Database, id: string, wanted: 'running' | 'stopped'): Promise<void> {
  await orm.update(table.bot).set({ wanted }).where(eq(table.bot.id, id));
}
