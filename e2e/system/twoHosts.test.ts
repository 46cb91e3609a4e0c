import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RedisServer, redisServer } from '@heron/bothost/testing/redisServer.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BotHost, placeManualOrder, startBotHost, until } from './botHost.ts';

const QUICK = process.env.HERON_QUICK === '1';
/** `HERON_FAILOVER_BOTS=50 HERON_FREEZE_MS=60000` repeats the figures of docs/reliability.md. */
const BOTS = Number(process.env.HERON_FAILOVER_BOTS ?? 8);
const FREEZE_MS = Number(process.env.HERON_FREEZE_MS ?? 16_000);
/** Save interval of bots in ms, so short that the frozen host has something to write after it resumes. */
const SAVE_MS = 6_000;
/** Heron's limit of bots per owner. */
const BOTS_PER_OWNER = 50;

let folder: string;
let sandbox: Sandbox;
let temporary: TemporaryDatabase;
let database: Database;
/** The queue of runs; null when it is in the database. */
let redis: RedisServer | null = null;
const open: BotHost[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-two-'));
  sandbox = await startSandbox({ port: 0, seed: 4 });
});

beforeEach(async () => {
  temporary = await temporaryDatabase();
  database = openDatabase(temporary.url);
  // Records each write with the connection name of its host and the fencing token.
  await database.pool.query(`
    create table public.writes (at timestamptz default clock_timestamp(), host text, bot text, fence bigint, seq bigint);
    create function public.note_write() returns trigger language plpgsql as $$ begin
      insert into public.writes (host, bot, fence, seq)
        values (current_setting('application_name'), new.bot_id, new.fence, new.seq);
      return new;
    end $$;
    create trigger note_write after update on bots.snapshots for each row execute function public.note_write();`);
});

afterEach(async () => {
  for (const host of open.splice(0)) {
    host.signal('SIGCONT');
    await host.kill();
  }
  await redis?.close();
  redis = null;
  await database.close();
  await temporary.close();
});

afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

async function host(name: string): Promise<BotHost> {
  const databaseUrl = new URL(temporary.url);
  databaseUrl.searchParams.set('application_name', name);
  const started = await startBotHost({
    databaseUrl: databaseUrl.href,
    market: sandbox.binance,
    dataDir: path.join(folder, name),
    logLevel: 'fatal',
    ...(redis !== null && { queueUrl: redis.url }),
  });
  open.push(started);
  return started;
}

const ownerOf = (n: number) => String(1 + Math.floor(n / BOTS_PER_OWNER));

interface OwnedBot {
  readonly id: string;
  readonly user: string;
}

async function startBots(on: BotHost, count: number, saveMs = SAVE_MS): Promise<OwnedBot[]> {
  const bots: OwnedBot[] = [];
  for (let n = 0; n < count; n++) {
    const user = ownerOf(n);
    const options = { watch_pairs: 'BTC-USDT', period: '1m', poll_scan_time: 1_000, save_bot_time: saveMs };
    const made = await on.call<BotDetail>('POST', '/bot/bots', {
      user,
      body: { name: `bot ${n}`, options, params: {} },
    });
    expect(made.status).toBe(200);
    const { id } = made.body;
    expect((await on.call('POST', `/bot/bots/${id}/start`, { user })).status).toBe(200);
    bots.push({ id, user });
  }
  return bots;
}

/** Returns the times in ms from `since` until each bot receives market data again, read through `on`. */
async function quotedAfter(
  on: BotHost,
  bots: readonly OwnedBot[],
  since: number,
  timeoutMs = 40_000,
): Promise<number[]> {
  const times = new Map<string, number>();
  await until(
    async () => {
      for (const { id, user } of bots) {
        if (times.has(id)) continue;
        const { body } = await on.call<BotDetail>('GET', `/bot/bots/${id}`, { user });
        const quoted = body.pairViews?.find(({ quotedAt }) => (quotedAt ?? 0) > since)?.quotedAt;
        if (body.status === 'working' && quoted != null) times.set(id, quoted - since);
      }
      return times.size === bots.length;
    },
    `quotes for ${bots.length} bots`,
    timeoutMs,
  );
  return [...times.values()].sort((a, b) => a - b);
}

function printTimes(what: string, times: readonly number[]): void {
  const at = (part: number) => Math.round(times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0);
  process.stderr.write(`${what}: ${times.length} bots, p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, last ${at(1)} ms\n`);
}

async function workersByBot(): Promise<Map<string, number>> {
  const { rows } = await database.pool.query<{ bot_id: string; worker: number }>(
    'select bot_id, worker from bots.snapshots',
  );
  return new Map(rows.map(({ bot_id, worker }) => [bot_id, worker]));
}

const spread = async () =>
  Object.values(Object.groupBy([...(await workersByBot()).values()], String)).map((each) => each?.length ?? 0);

describe.each(QUICK ? ['PostgreSQL'] : ['PostgreSQL', 'Redis'])('with the queue on %s', (backend) => {
  beforeEach(async () => {
    if (backend === 'Redis') redis = await redisServer();
  });

  test('bots of a killed host continue at the other within fifteen seconds', async () => {
    const first = await host('first');
    const bots = await startBots(first, BOTS);
    await quotedAfter(first, bots, Date.now());
    const second = await host('second');
    await until(async () => (await spread()).length === 2, 'some bots on the second host', 40_000);
    // Both hosts show every bot as running, whichever host owns it, and both accept an order for it.
    await quotedAfter(second, bots, Date.now());
    const [{ id, user }] = bots as [OwnedBot];
    for (const [n, on] of [first, second].entries()) {
      expect(await placeManualOrder(on, id, { pair: 'BTC-USDT', side: 'buy', value: `${100 + n}` }, user)).toBeTruthy();
    }
    const { messages } = await second.stream(user);
    process.stderr.write(`spread before the kill: ${(await spread()).join(' and ')}\n`);
    const since = Date.now();
    const messagesBefore = messages.length;
    await first.kill();
    open.splice(open.indexOf(first), 1);
    const times = await quotedAfter(second, bots, since);
    printTimes('kill -9 to quotes at the other host', times);
    expect(times.at(-1)).toBeLessThan(15_000);
    expect(await spread()).toEqual([BOTS]);
    await until(async () => messages.length > messagesBefore, 'the stream of the other host to continue');
  }, 240_000);

  test('a host that stops in order hands its bots over at once', async () => {
    const first = await host('first');
    const bots = await startBots(first, BOTS);
    const second = await host('second');
    await quotedAfter(second, bots, Date.now());
    const before = await workersByBot();
    const since = Date.now();
    await first.stop();
    open.splice(open.indexOf(first), 1);
    const stopped = Date.now() - since;
    const times = await quotedAfter(second, bots, since);
    process.stderr.write(
      `stopped after ${stopped} ms; moved ${[...(await workersByBot())].filter(([id, at]) => before.get(id) !== at).length}\n`,
    );
    printTimes('SIGTERM to quotes at the other host', times);
    expect(times.at(-1)).toBeLessThan(10_000);
  }, 180_000);

  test('a host that was frozen loses its bots, and writes nothing for them afterwards', async () => {
    const frozen = await host('frozen');
    const bots = await startBots(frozen, BOTS);
    await quotedAfter(frozen, bots, Date.now());
    const awake = await host('awake');
    await quotedAfter(awake, bots, Date.now());
    frozen.signal('SIGSTOP');
    const since = Date.now();
    const times = await quotedAfter(awake, bots, since + 1, FREEZE_MS + 30_000);
    printTimes('SIGSTOP to quotes at the other host', times);
    expect(times.at(-1)).toBeLessThan(18_000);
    await delay(Math.max(0, FREEZE_MS - (Date.now() - since)));
    const taken = await database.pool.query<{ bot: string; fence: string }>(
      'select bot_id as bot, fence from bots.snapshots',
    );
    const { rows } = await database.pool.query<{ now: Date }>('select clock_timestamp() as now');
    frozen.signal('SIGCONT');
    // The delay covers all pending work of the host: timers, saves, and quotes in its sockets.
    await delay(8_000);
    const fences = new Map(taken.rows.map(({ bot, fence }) => [bot, Number(fence)]));
    const writes = await database.pool.query<{ host: string; bot: string; fence: string }>(
      'select host, bot, fence from public.writes where at > $1',
      [rows[0]?.now],
    );
    // The host may write for bots that it takes over with a new fencing token.
    const byOld = writes.rows.filter(
      ({ host: by, bot, fence }) => by === 'frozen' && Number(fence) <= (fences.get(bot) ?? 0),
    );
    const byNew = writes.rows.filter(({ host: by }) => by === 'awake');
    process.stderr.write(
      `after resuming: ${byOld.length} writes by the old fence, ${byNew.length} by the other host\n`,
    );
    expect(byOld).toEqual([]);
    expect(byNew.length).toBeGreaterThan(0);
  }, 300_000);
});

if (!QUICK) {
  test('a hundred idle bots cost the database a few transactions a second', async () => {
    const only = await host('only');
    const bots = await startBots(only, Number(process.env.HERON_IDLE_BOTS ?? BOTS), 600_000);
    await quotedAfter(only, bots, Date.now());
    const count = async () => {
      // PostgreSQL publishes a session's statistics at its end, or about every second while it is active.
      const { rows } = await database.pool.query<{ count: string }>(
        'select xact_commit as count from pg_stat_database where datname = current_database()',
      );
      return Number(rows[0]?.count);
    };
    await delay(3_000);
    const before = await count();
    const since = performance.now();
    await delay(15_000);
    const perSecond = (1_000 * ((await count()) - before)) / (performance.now() - since);
    process.stderr.write(`${bots.length} bots on one host: ${perSecond.toFixed(1)} transactions a second\n`);
    expect(perSecond).toBeLessThan(10 + bots.length);
  }, 180_000);
}
