import { setTimeout as delay } from 'node:timers/promises';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { proxy as proxyTable, rateWindow } from '@heron/database/schema/bots.ts';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { openRateBudget, type RateBudget } from '@heron/exchanges/http/rateBudget.ts';
import { venueBudget } from '@heron/exchanges/http/venueBudget.ts';
import { startHttpProxy } from '@heron/exchanges/testing/proxyServers.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { HOSTED, type HostedVenue } from '../src/store/hosted.ts';
import { checkVenue } from '../src/venues/venueStates.ts';
import { countWeight, openSharedCount } from '../src/worker/sharedCount.ts';
import { databaseProxy } from './databaseProxy.ts';

/** This window ends in 2286. A window of one day would end during a test at midnight. */
const WINDOW_MS = 10_000_000_000_000;
/** A budget waits this long for a response of the database. */
const LEASE_TIMEOUT_MS = 250;
const LIMIT = 500;
let temporary: TemporaryDatabase;
/** Each process has a connection pool of its own. */
let databases: Database[];

beforeAll(async () => {
  temporary = await temporaryDatabase();
  databases = [1, 2].map(() => openDatabase(temporary.url));
});

afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await temporary.close();
});

/** @param timeoutFactor factor of the database timeout, so that a slow machine does not count as a failure */
function budgetOf(
  database: Database,
  { venue = 'mexc', via = 'direct', windowMs = WINDOW_MS, timeoutFactor = 40 },
): RateBudget {
  const limits = { weight: LIMIT, header: null, windowMs };
  const shared = openSharedCount(database, venue, () => via);
  const wait = (ms: number) => delay(ms === LEASE_TIMEOUT_MS ? ms * timeoutFactor : ms, undefined, { ref: false });
  return openRateBudget('mexc', limits, { now: Date.now, wait }, shared);
}

/** Sends concurrent orders until one is rejected. */
async function exhaust(budget: RateBudget): Promise<number> {
  let sent = 0;
  const send = async (): Promise<void> => {
    for (;;) {
      await budget.acquire(1, 'order');
      sent += 1;
    }
  };
  await Promise.allSettled(Array.from({ length: 5 }, send));
  return sent;
}

async function usedAt(venue: string): Promise<number | undefined> {
  const [row] = await (databases[0] as Database).orm.select().from(rateWindow).where(eq(rateWindow.venue, venue));
  return row?.used;
}

test('two processes that send at the same time share the limit of their address', async () => {
  const budgets = databases.map((database) => budgetOf(database, {}));
  const sent = await Promise.all(budgets.map(exhaust));
  const sum = (sent[0] ?? 0) + (sent[1] ?? 0);
  expect(sum).toBeLessThanOrEqual(LIMIT);
  // The unused blocks of a process are a small part of the limit.
  expect(sum).toBeGreaterThan(LIMIT * 0.93);
  expect(Math.min(...sent)).toBeGreaterThan(0);
  // Each address and each venue has a limit of its own.
  const [database] = databases as [Database];
  expect(await exhaust(budgetOf(database, { via: 'http://proxy.example:3128' }))).toBeGreaterThan(LIMIT * 0.9);
  expect(await exhaust(budgetOf(database, { venue: 'binance' }))).toBeGreaterThan(LIMIT * 0.9);
});

test('the first lease of an address stays within its limit like any other', async () => {
  const [database] = databases as [Database];
  const wanted = { windowMs: WINDOW_MS, owed: 10, size: 100, minSize: 20, maxTotal: 60 };
  const shared = openSharedCount(database, 'mexc', () => 'http://first.example:3128');
  expect(await shared.lease(wanted)).toMatchObject({ granted: 20, used: 30 });
  expect(await shared.lease(wanted)).toMatchObject({ granted: 20, used: 60 });
  expect(await shared.lease(wanted)).toMatchObject({ granted: 0, used: 70 });
});

test('a new window begins with no used weight, by the clock of the database', async () => {
  const [database] = databases as [Database];
  const windowMs = 2_000;
  const budget = budgetOf(database, { venue: 'mexc-demo', windowMs });
  const at = { venue: 'mexc-demo', via: 'direct' };
  await countWeight(database, at, { weight: 450, windowMs });
  // The call waits for the next window.
  await budget.acquire(100, 'account');
  expect(await usedAt('mexc-demo')).toBe(100);
});

test.each(['swallow', 'cut'] as const)(
  'while the database is away (%s), orders go at once and others soon',
  async (how) => {
    const proxy = await databaseProxy(temporary.url);
    const database = openDatabase(proxy.url, { connections: 1 });
    onTestFinished(async () => {
      await proxy.close();
      await database.close();
    });
    const budget = budgetOf(database, { venue: `binanceusdm-${how}`, timeoutFactor: 1 });
    await budget.acquire(1, 'account');
    proxy[how]();
    const began = performance.now();
    for (let i = 0; i < 100; i++) await budget.acquire(1, 'order');
    await budget.acquire(10, 'account');
    expect(performance.now() - began).toBeLessThan(5_000);
  },
);

test('requests of the control process to a venue count too', async () => {
  const proxy = await startHttpProxy({ route: () => null });
  onTestFinished(() => proxy.close());
  const [database] = databases as [Database];
  const venue = HOSTED.find(({ id }) => id === 'binance-testnet') as HostedVenue;
  const label = `http://127.0.0.1:${proxy.port}`;
  await database.orm.insert(proxyTable).values({ scope: 'all', address: label, changedAt: 1 });
  await checkVenue({ demo: {}, secret: 'secret-between-processes' }, database)(venue);
  const [row] = await database.orm.select().from(rateWindow).where(eq(rateWindow.venue, 'binance-testnet'));
  expect(row).toMatchObject({ via: label, used: 2 });
});

test('each exchange that has bots has a budget with a count', async () => {
  const [database] = databases as [Database];
  for (const { id, exchange } of HOSTED) {
    const shared = openSharedCount(database, id, () => 'counted');
    await venueBudget(exchange, Date.now, { shared }).acquire(1, 'account');
    const [row] = await database.orm.select().from(rateWindow).where(eq(rateWindow.via, 'counted'));
    expect(row?.used).toBeGreaterThan(0);
  }
});
