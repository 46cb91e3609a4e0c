import { randomUUID } from 'node:crypto';
import type { ClosedSums, PortfolioGroup } from '@heron/contract/bots/portfolio.ts';
import * as table from '@heron/database/schema/bots.ts';
import { databaseFixture } from '@heron/database/testing/databaseFixture.ts';
import { sumOf } from '@heron/engine/money/decimalText.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { and, eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { WORKER_PATHS } from '../src/worker/workerApi.ts';
import { control, makeKey, makeLive } from './control.ts';
import { makeBot, PAIR, quoting, stored, testFleet, working } from './testFleet.ts';

const setup = databaseFixture();
const api = () => control(setup.database, null);

/** 23:30 in New York on 7 March 2026, the day before clocks change there. */
const LATE = Date.UTC(2026, 2, 8, 4, 30);
const HOUR = 3_600_000;

type PositionRow = typeof table.position.$inferInsert;
let ids = 0;

/** Stores a closed position of a bot. */
async function close(botId: string, given: Partial<PositionRow> = {}): Promise<void> {
  ids += 1;
  await setup.database.orm.insert(table.position).values({
    ...{ botId, venue: 'binance-demo', id: ids, pair: PAIR, direction: 'long', openedAt: LATE - HOUR, closedAt: LATE },
    ...{ entryPrice: '100', exitPrice: '101', quantity: '1', net: '1', fees: '0.2', funding: '0', reason: 'manual' },
    ...given,
  });
}

const one = (groups: readonly PortfolioGroup[]): PortfolioGroup => {
  expect(groups).toHaveLength(1);
  return groups[0] as PortfolioGroup;
};

test('a user without bots has no groups, and no user sees bots of another', async () => {
  const [mine, theirs] = [randomUUID(), randomUUID()];
  expect(await api().portfolio(mine)).toEqual({ groups: [], uncounted: [] });
  const bot = await makeBot(setup.database, mine);
  await close(bot, { net: '7' });
  await close(await makeBot(setup.database, theirs, { product_currency: 'USDT' }), { net: '1000', pair: 'ETH-USDT' });
  const group = one((await api().portfolio(mine)).groups);
  expect(group.bots.map((row) => row.bot)).toEqual([bot]);
  expect(group.closed).toMatchObject({ positions: 1, net: '7' });
  expect(group.pairs.map(({ pair }) => pair)).toEqual([PAIR]);
});

test('closed positions are divided by pair, reason, strategy and local day, without losing any', async () => {
  const owner = randomUUID();
  const [first, second] = [
    await makeBot(setup.database, owner, { strategy: 'macd' }),
    await makeBot(setup.database, owner, { strategy: 'manual' }),
  ];
  await close(first, { net: '90071992.00000001', fees: '0.10', funding: '-0.01' });
  await close(first, { net: '-2.5', pair: 'ETH-USDT', reason: 'stop_sell', closedAt: LATE + HOUR });
  await close(second, { net: '90071992.1', reason: null, closedAt: LATE + 23 * HOUR });
  await close(second, { net: '0', closedAt: LATE + 24 * HOUR });
  const group = one((await api().portfolio(owner, 'America/New_York')).groups);
  expect(group.closed).toEqual({
    ...{ positions: 4, wins: 2, losses: 1, net: '180143981.60000001', fees: '0.7', funding: '-0.01' },
  });
  const positions = (rows: readonly ClosedSums[]) => rows.map((row) => [row.positions, row.net]);
  for (const list of ['pairs', 'reasons', 'strategies', 'days'] as const) {
    expect(sumOf(group[list].map(({ net }) => net))).toBe(group.closed.net);
    expect(group[list].reduce((all, row) => all + row.positions, 0)).toBe(4);
  }
  expect(group.reasons.map(({ reason }) => reason)).toEqual([null, 'manual', 'stop_sell']);
  expect(group.strategies.map(({ strategy }) => strategy)).toEqual(['manual', 'macd']);
  // On 8 March the day there has 23 hours: from 05:00 to 04:00 UTC.
  expect(group.days.map(({ day }) => day)).toEqual(['2026-03-07', '2026-03-08', '2026-03-09']);
  expect(positions(group.days)).toEqual([
    [1, '90071992.00000001'],
    [2, '90071989.6'],
    [1, '0'],
  ]);
  const utc = one((await api().portfolio(owner)).groups);
  expect(utc.days.map(({ day, positions: count }) => [day, count])).toEqual([
    ['2026-03-08', 2],
    ['2026-03-09', 2],
  ]);
  await expect(api().portfolio(owner, 'Mars/Olympus')).rejects.toMatchObject({ code: 'invalid_request' });
});

test('positions before a reset of the account are not counted', async () => {
  const owner = randomUUID();
  const bot = await makeBot(setup.database, owner);
  await close(bot, { net: '50', openedAt: LATE - HOUR, closedAt: LATE });
  await setup.database.orm.insert(table.journal).values({
    ...{ botId: bot, venue: 'binance-demo', seq: 1, at: LATE + 1, pair: null },
    ...{ kind: 'command', data: { acts: 'flat_reload' } },
  });
  await close(bot, { net: '3', openedAt: LATE + 2, closedAt: LATE + 3 });
  expect(one((await api().portfolio(owner)).groups).closed).toMatchObject({ positions: 1, net: '3' });
});

test('paper and live, environments and currencies are never added', async () => {
  const owner = '1';
  await makeBot(setup.database, owner);
  await makeBot(setup.database, owner, { exchange: 'binance' });
  await makeBot(setup.database, owner, { exchange: 'binance-testnet' });
  await makeBot(setup.database, owner, { product_currency: 'USDC', watch_pairs: 'BTC-USDC' });
  const key = await makeKey(setup.database, null);
  await makeLive(setup.database, 'apart', PAIR, key);
  const { groups } = await api().portfolio(owner);
  expect(groups.map(({ mode, environment, currency }) => `${mode} ${environment} ${currency}`)).toEqual([
    'paper real USDT',
    'paper testnet USDT',
    'paper demo USDC',
    'live demo USDT',
    'paper demo USDT',
  ]);
  for (const { bots } of groups) expect(bots).toHaveLength(1);
  const accounts = groups.flatMap((group) => group.accounts.map(({ key: id, label }) => [group.mode, id, label]));
  expect(accounts).toEqual([['live', key, key]]);
});

test('a bot whose state cannot be read is named and not counted', async () => {
  const owner = randomUUID();
  const [lost, kept] = [await makeBot(setup.database, owner), await makeBot(setup.database, owner)];
  await setup.database.orm
    .update(table.snapshot)
    .set({ session: '{"half":', status: 'error' })
    .where(and(eq(table.snapshot.botId, lost), eq(table.snapshot.venue, 'binance-demo')));
  const { groups, uncounted } = await api().portfolio(owner);
  expect(uncounted.map(({ bot }) => bot)).toEqual([lost]);
  expect(one(groups).bots.map(({ bot }) => bot)).toEqual([kept]);
});

test('daily returns follow the profit, skip gaps, deposits and today, and are correlated over twenty common days', async () => {
  const owner = randomUUID();
  const [first, second] = [await makeBot(setup.database, owner), await makeBot(setup.database, owner)];
  const today = new Date().setUTCHours(0, 0, 0, 0);
  const day = 24 * HOUR;
  const sample = async (botId: string, before: number, total: number, start = 100) => {
    const at = today - before * day + 20 * HOUR;
    await setup.database.orm
      .insert(table.equity)
      .values({ botId, venue: 'binance-demo', at, total: `${total}`, start: `${start}` });
  };
  let worth = 100;
  for (let before = 25; before >= 1; before -= 1) {
    worth += before % 3 === 0 ? -1 : 2;
    // One day is missing, and 50 are deposited.
    if (before !== 20) await sample(first, before, before < 10 ? worth + 50 : worth, before < 10 ? 150 : 100);
    await sample(second, before, 2 * worth, 200);
  }
  await sample(first, 0, 500);
  const group = one((await api().portfolio(owner)).groups);
  const name = (before: number) => new Date(today - before * day).toISOString().slice(0, 10);
  const of = (bot: string) => group.returns.find((row) => row.bot === bot);
  const missing = [20, 19].map(name);
  expect(of(second)?.day).toEqual(Array.from({ length: 24 }, (_, index) => name(24 - index)));
  expect(of(first)?.day).toEqual(of(second)?.day.filter((each) => !missing.includes(each)));
  const deposited = of(first)?.day.indexOf(name(9)) ?? -1;
  const [was] = [of(second)?.value[of(second)?.day.indexOf(name(9)) ?? -1]];
  expect(of(first)?.value[deposited]).toBeCloseTo(was ?? Number.NaN, 12);
  expect(group.correlations).toMatchObject([{ days: 22 }]);
  expect(group.correlations[0]?.value).toBeGreaterThan(0.9);
  expect(new Set(group.correlations[0]?.bots)).toEqual(new Set([first, second]));
});

test('a position of a running bot is shown with its exposure and the loss at its stop', async () => {
  const owner = randomUUID();
  const id = await makeBot(setup.database, owner, { stop_sell: [{ profit: 5, stop: 100 }] });
  const on = testFleet(setup.database, { databaseUrl: setup.url });
  onTestFinished(() => on.close());
  await on.fleet.start(id);
  await working(on, id);
  const order = { type: 'buy', pair: PAIR, order: 'taker', requestId: randomUUID(), value: toUnits(1_000) } as const;
  await on.fleet.order(id, order);
  await quoting(on, async () => (await stored(setup.database, id)).fills.length > 0, 'a purchase');
  const running = control(setup.database, async (path) => {
    expect(path).toBe(WORKER_PATHS.details);
    return [await on.fleet.detail(id)];
  });
  const { money, exposure, risk, assets, positions } = one((await running.portfolio(owner)).groups);
  expect(Number(exposure.long)).toBeGreaterThan(0);
  expect(exposure).toMatchObject({ short: '0', net: exposure.long, gross: exposure.long });
  expect(sumOf(assets.map(({ value }) => value))).toBe(money.equity);
  expect(sumOf([money.cash, money.invested])).toBe(money.equity);
  expect(risk).toMatchObject({ positions: 1, unprotected: 0, withoutStop: '0' });
  // The stop is 5 % below the entry price, which is close to the mark.
  expect(Number(risk.lossAtStops) / Number(exposure.long)).toBeGreaterThan(0.04);
  expect(Number(risk.lossAtStops) / Number(exposure.long)).toBeLessThan(0.06);
  expect(positions).toMatchObject([{ bot: id, pair: PAIR, direction: 'long', liquidationPercent: null }]);
});
