import { type Database, openDatabase } from '@heron/database/connect.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openLog } from '../src/log.ts';
import type { Lease } from '../src/ownership/leases.ts';
import { type Ownership, startOwnership } from '../src/ownership/ownership.ts';
import { type RedisServer, redisServer } from '../src/testing/redisServer.ts';
import { databaseProxy } from './databaseProxy.ts';
import { makeBot, until } from './testFleet.ts';

let temporary: TemporaryDatabase;
let redis: RedisServer;
let database: Database;

beforeAll(async () => {
  [temporary, redis] = await Promise.all([temporaryDatabase(), redisServer()]);
  database = openDatabase(temporary.url);
});

afterAll(async () => {
  await database.close();
  await Promise.all([temporary.close(), redis.close()]);
});

/** A worker that keeps its leases and runs no bots. */
interface Worker {
  readonly ownership: Ownership;
  readonly leases: Map<string, Lease>;
  close(): Promise<void>;
}

describe.each(['PostgreSQL', 'Redis'])('with the queue on %s', (backend) => {
  const open: Worker[] = [];
  let current = new Set<string>();

  afterEach(async () => {
    await Promise.all(open.splice(0).map((worker) => worker.close()));
    await database.pool.query('delete from bots.bots');
  });

  function worker(databaseUrl = temporary.url): Worker {
    const own = openDatabase(databaseUrl);
    const leases = new Map<string, Lease>();
    const ownership = startOwnership(
      {
        host: 'test',
        venue: 'binance-demo',
        mode: 'paper',
        url: 'http://127.0.0.1:1',
        queueUrl: backend === 'Redis' ? redis.url : databaseUrl,
        maxBots: 1_000,
      },
      own,
      openLog('test', 'silent'),
      {
        take(lease) {
          // The run belongs to an earlier test.
          if (!current.has(lease.bot)) return void lease.end().catch(() => {});
          leases.set(lease.bot, lease);
          lease.gone.addEventListener('abort', () => leases.delete(lease.bot));
          void ownership.worker().then((id) => claim(lease.bot, id));
        },
        passOn: (lease) => void lease.release().catch(() => {}),
      },
    );
    let closing: Promise<void> | null = null;
    const made: Worker = {
      ownership,
      leases,
      close() {
        closing ??= ownership.close().then(() => own.close());
        return closing;
      },
    };
    open.push(made);
    return made;
  }

  const claim = (bot: string, id: number) =>
    database.pool.query('update bots.snapshots set worker = $2 where bot_id = $1', [bot, id]);

  async function wanted(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await makeBot(database));
    await database.pool.query("update bots.bots set wanted = 'running', run = 1");
    current = new Set(ids);
    return ids;
  }

  test('a bot that should run is claimed by one worker, and by the next when that ends', async () => {
    const [bot = ''] = await wanted(1);
    const workers = [worker(), worker()] as const;
    const owner = await until(() => workers.find(({ leases }) => leases.has(bot)), 'an owner');
    const other = workers.find((candidate) => candidate !== owner) as Worker;
    const lease = owner.leases.get(bot) as Lease;
    expect(lease).toMatchObject({ bot, run: 1 });
    expect(lease.isValid()).toBe(true);
    expect(await lease.confirm()).toBe(true);
    const since = performance.now();
    const closing = owner.close();
    await until(() => other.leases.has(bot), 'the other worker to take it');
    // The lease ends before the lock would expire.
    expect(performance.now() - since).toBeLessThan(8_000);
    expect(lease.isValid()).toBe(false);
    await closing;
  });

  test('after the machine has slept, no earlier confirmation of a lease counts', async () => {
    const [bot = ''] = await wanted(1);
    const one = worker();
    await until(() => one.leases.has(bot), 'the worker to take it');
    const lease = one.leases.get(bot) as Lease;
    const clocks = { wall: Date.now, steady: performance.now.bind(performance) };
    const proven = (wallMs: number, steadyMs: number) => {
      const wall = vi.spyOn(Date, 'now').mockImplementation(() => clocks.wall() + wallMs);
      const steady = vi.spyOn(performance, 'now').mockImplementation(() => clocks.steady() + steadyMs);
      try {
        return lease.isValid();
      } finally {
        wall.mockRestore();
        steady.mockRestore();
      }
    };
    expect(proven(0, 0)).toBe(true);
    // The monotonic clock stops while the machine sleeps.
    expect(proven(60_000, 0)).toBe(false);
    // The wall clock was set back.
    expect(proven(-60_000, 60_000)).toBe(false);
  });

  test('a finished run is claimed by no worker, and a run offered twice is claimed once', async () => {
    const [bot = ''] = await wanted(1);
    const one = worker();
    await until(() => one.leases.has(bot), 'the worker to take it');
    await one.ownership.offer({ bot, run: 1 });
    await database.pool.query("update bots.bots set wanted = 'stopped'");
    await (one.leases.get(bot) as Lease).end();
    const two = worker();
    await database.pool.query("update bots.bots set wanted = 'running', run = 2");
    await one.ownership.offer({ bot, run: 2 });
    const owner = await until(() => [one, two].find(({ leases }) => leases.has(bot)), 'an owner of the second run');
    expect(owner.leases.get(bot)?.run).toBe(2);
    expect([one, two].filter(({ leases }) => leases.has(bot))).toHaveLength(1);
  });

  test('excess bots of a worker go to one that joins later', async () => {
    await wanted(12);
    const first = worker();
    await until(() => first.leases.size === 12, 'all bots on the first worker');
    const second = worker();
    await until(() => second.leases.size >= 4, 'some of them on the second', 40_000);
    await until(() => first.leases.size + second.leases.size === 12, 'every one of them somewhere');
  }, 120_000);

  test('a worker without the database confirms no lease and loses its bots to others', async () => {
    const proxy = await databaseProxy(temporary.url);
    try {
      const [bot = ''] = await wanted(1);
      const cut = worker(proxy.url);
      await until(() => cut.leases.has(bot), 'the worker to take it');
      const lease = cut.leases.get(bot) as Lease;
      const other = worker();
      await other.ownership.worker();
      proxy.cut();
      await until(() => other.leases.has(bot), 'the other to take it');
      proxy.heal();
      await until(() => lease.gone.aborted, 'the first to learn that it has lost the bot');
      expect(lease.isValid()).toBe(false);
      expect(await lease.confirm()).toBe(false);
      await until(() => other.leases.has(bot), 'the other to have it still');
    } finally {
      await Promise.all(open.splice(0).map((each) => each.close()));
      await proxy.close();
    }
  }, 120_000);
});
