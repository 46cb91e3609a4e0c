import { randomUUID } from 'node:crypto';
import * as table from '@heron/database/schema/bots.ts';
import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { takeOver } from '../src/runner/botJournal.ts';
import { createEquityWriter, EQUITY_MS } from '../src/runner/equitySamples.ts';
import { equityHistory, recentProfits, thinEquity } from '../src/store/botEquity.ts';
import { makeBot, PAIR, quoting, stored, testFleet, until, working } from './testFleet.ts';

const setup = databaseFixture();

const HOUR = 3_600_000;
const VENUE = 'binance-demo';
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 22, 3);

const samples = async (bot: string) =>
  setup.database.orm.select().from(table.equity).where(eq(table.equity.botId, bot)).orderBy(asc(table.equity.at));

/** Stores equity samples of a bot that started with 100. */
const keep = async (botId: string, worth: readonly (readonly [at: number, total: number])[], start = '100') => {
  const rows = worth.map(([at, total]) => ({ botId, venue: VENUE, at, total: `${total}`, start }));
  await setup.database.orm.insert(table.equity).values(rows);
};

test('a running bot samples its equity at start, after a closed position, and at end', async () => {
  const id = await makeBot(setup.database);
  // The clock starts at a full quarter of an hour, so that no periodic sample is taken during the test.
  const sinceQuarter = Date.now() % EQUITY_MS;
  const on = testFleet(setup.database, { databaseUrl: setup.url, now: () => Date.now() - sinceQuarter });
  await on.fleet.start(id);
  await working(on, id);
  const first = await until(async () => (await samples(id)).at(0), 'a first sample');
  expect(first).toMatchObject({ total: '10000', start: '10000' });
  const by = { pair: PAIR, order: 'taker', requestId: randomUUID() } as const;
  await on.fleet.order(id, { type: 'buy', ...by, value: toUnits(1_000) });
  await quoting(on, async () => (await stored(setup.database, id)).fills.length === 1, 'a purchase');
  const before = (await samples(id)).length;
  await on.fleet.order(id, { type: 'sell', ...by, requestId: randomUUID(), percent: 100 });
  const closed = await quoting(
    on,
    async () => {
      const known = await samples(id);
      return known.length > before && known.at(-1);
    },
    'a sample of the result',
  );
  const { performance } = await on.fleet.stop(id);
  expect(closed.total).toBe(performance.totalCapital);
  expect(Number(closed.total)).toBeLessThan(10_000);
  const last = await until(async () => (await samples(id)).length > before + 1 && (await samples(id)).at(-1), 'an end');
  expect(last.total).toBe(performance.totalCapital);
  await on.close();
});

test('deposits and withdrawals change the start capital of a sample and are no result', async () => {
  const id = await makeBot(setup.database);
  const [{ session: saved } = { session: '' }] = await setup.database.orm
    .select()
    .from(table.snapshot)
    .where(eq(table.snapshot.botId, id));
  const state = JSON.parse(saved);
  Object.assign(state.bot.wallet, { quote: toUnits(9_000), transfers: toUnits(-1_000) });
  await setup.database.orm
    .update(table.snapshot)
    .set({ session: JSON.stringify(state) })
    .where(eq(table.snapshot.botId, id));
  const on = testFleet(setup.database, { databaseUrl: setup.url });
  await on.fleet.start(id);
  await working(on, id);
  const first = await until(async () => (await samples(id)).at(0), 'a first sample');
  expect(first).toMatchObject({ total: '9000', start: '9000' });
  const { performance } = await on.fleet.stop(id);
  expect(performance).toMatchObject({ startCapital: '9000', profitPercent: 0 });
  await on.close();
});

test('samples of a worker without the lease, or of a deleted bot, are not stored', async () => {
  const [mine, theirs] = [await makeBot(setup.database), await makeBot(setup.database)];
  const write = createEquityWriter(setup.database);
  const taken = await takeOver(setup.database, mine, null);
  const lost = await takeOver(setup.database, theirs, null);
  await takeOver(setup.database, theirs, null);
  if (taken === null || lost === null) throw new Error('there is no bot');
  const sample = (bot: string, fence: number, at: number) => write({ bot, fence, at, total: '101.5', start: '100' });
  await Promise.all([
    sample(mine, taken.fence, 1),
    // Two samples with the same time become one row.
    sample(mine, taken.fence, 1),
    sample(theirs, lost.fence, 1),
    sample('gone00', 1, 1),
  ]);
  expect(await samples(mine)).toEqual([{ botId: mine, venue: VENUE, at: 1, total: '101.5', start: '100' }]);
  expect(await samples(theirs)).toEqual([]);
});

test('a history begins with the value then, has the requested points, and one account', async () => {
  const id = await makeBot(setup.database);
  const days = Array.from({ length: 40 }, (_, day) => [NOW - (39 - day) * DAY, 100 + day] as const);
  await keep(id, days);
  const historyFrom = (from: number, points = 300) => equityHistory(setup.database, id, { from, points }, NOW);
  const all = await historyFrom(0);
  expect(all.total).toHaveLength(40);
  expect(all.at[0]).toBe(days[0]?.[0]);
  const week = await historyFrom(NOW - 7 * DAY + HOUR);
  expect(week.at[0]).toBe(NOW - 7 * DAY + HOUR);
  expect(week.total).toEqual(['132', '133', '134', '135', '136', '137', '138', '139']);
  for (const points of [2, 3, 4, 7]) {
    for (const from of [0, NOW - 20 * DAY, NOW - 20 * DAY + HOUR]) {
      const few = await historyFrom(from, points);
      expect(few.total).toHaveLength(points);
      // The curve includes the profit or loss of the first days.
      expect(few.total[0]).toBe(from === 0 ? '100' : '119');
      expect(few.total.at(-1)).toBe('139');
    }
  }
  expect((await historyFrom(NOW + DAY)).total).toEqual(['139']);
  await setup.database.orm.insert(table.journal).values({
    ...{ botId: id, venue: VENUE, seq: 1, at: NOW - 2 * DAY - HOUR, pair: null, kind: 'command' },
    data: { command: 'change', option: 'product_currency', from: 'usdt', to: 'usdc', acts: 'flat_reload' },
  });
  expect((await historyFrom(0)).total).toEqual(['137', '138', '139']);
});

test('profit today counts from midnight or the first sample, and only of own bots', async () => {
  const owner = 'recent';
  const [old, young, idle, other] = [
    await makeBot(setup.database, owner),
    await makeBot(setup.database, owner),
    await makeBot(setup.database, owner),
    await makeBot(setup.database, 'somebody'),
  ];
  const midnight = NOW - 3 * HOUR;
  await keep(old, [
    [NOW - 30 * HOUR, 90],
    [midnight - 1_000, 98.75],
    [NOW - HOUR, 103],
  ]);
  // A deposit is no profit.
  await keep(old, [[NOW - HOUR / 2, 203.000001]], '200');
  await keep(young, [
    [NOW - HOUR, 100],
    [NOW - HOUR + 1, 101],
  ]);
  await keep(other, [[NOW - HOUR, 5]]);
  const received = new Map((await recentProfits(setup.database, owner, midnight, NOW)).map((row) => [row.id, row]));
  expect([...received.keys()].sort()).toEqual([old, young].sort());
  expect(received.has(idle)).toBe(false);
  expect(received.get(old)).toMatchObject({ since: midnight, before: '-1.25' });
  expect(received.get(old)?.profit).toEqual(['-10', '-1.25', '3', '3.000001']);
  expect(received.get(young)).toMatchObject({ since: NOW - HOUR, before: '0', profit: ['0', '1'] });
  expect(received.get(old)?.at[0]).toBe(NOW - DAY);
});

test('samples older than a week are kept hourly, older than three months daily', async () => {
  const id = await makeBot(setup.database);
  const every = (from: number, count: number, apart: number) =>
    Array.from({ length: count }, (_, index) => [from + index * apart, index] as const);
  const midnight = Math.floor(NOW / DAY) * DAY;
  await keep(id, every(midnight - 100 * DAY, 48, HOUR));
  await keep(id, every(midnight - 10 * DAY, 8, HOUR / 4));
  await keep(id, every(midnight - DAY, 8, HOUR / 4));
  for (let times = 0; times < 2; times += 1) {
    await thinEquity(setup.database, NOW);
    expect((await samples(id)).map(({ total }) => Number(total))).toEqual([0, 23, 47, 3, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
  }
});

test('the first sample of a bot and of its present account stays, however old it is', async () => {
  const id = await makeBot(setup.database);
  const midnight = Math.floor(NOW / DAY) * DAY;
  const begin = midnight - 100 * DAY;
  await keep(id, [
    [begin, 100],
    [begin + HOUR, 60],
    [begin + 2 * HOUR, 70],
  ]);
  const changed = begin + 2 * DAY;
  await keep(id, [
    [changed - 1, 71],
    [changed, 200],
    [changed + 1, 150],
    [changed + HOUR, 160],
  ]);
  await setup.database.orm.insert(table.journal).values({
    ...{ botId: id, venue: VENUE, seq: 1, at: changed, pair: null, kind: 'command' },
    data: { command: 'change', option: 'product_currency', from: 'usdt', to: 'usdc', acts: 'flat_reload' },
  });
  for (let times = 0; times < 2; times += 1) {
    await thinEquity(setup.database, NOW);
    expect((await samples(id)).map(({ total }) => total)).toEqual(['100', '70', '71', '200', '160']);
  }
  expect((await equityHistory(setup.database, id, { from: 0, points: 300 }, NOW)).total).toEqual(['200', '160']);
});
