import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail, JournalEntry } from '@heron/contract/bots/entities.ts';
import type { OwnIncome } from '@heron/engine/live/report.ts';
import type { MarginAccount } from '@heron/exchanges/trading.ts';
import { type Clock, wallClock } from '@heron/sandbox/clock.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, placeManualOrder, until } from './botHost.ts';
import { addKey, createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { fillsOf, fundingsOf, marginBooks, units, wholeJournal } from './statement.ts';
import { isStop } from './stops.ts';
import { BINANCEUSDM } from './venues.ts';

/** Some of these pairs rise and some fall. */
const PAIRS = ['BTC-USDT', 'ETH-USDT', 'BNB-USDT', 'SOL-USDT', 'XRP-USDT'];
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let testbed: LiveTestbed;
let host: BotHost;
let key: string;

/** Offset of the exchange's clock from the machine's, in ms. After an increase, the market catches up at once. */
let ahead = 0;
const clock: Clock = { ...wallClock, now: () => Date.now() + ahead };

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCEUSDM, 'liquidation', { seed: 67, clock });
  host = await testbed.startHost();
  ({ id: key } = await addKey(host, testbed, BINANCEUSDM));
});

afterAll(async () => {
  testbed.proxy.decide = null;
  await host.stop();
  await testbed.close();
});

const detail = async (id: string) => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;
const margin = () => testbed.owner.margin as MarginAccount;
const ofKind = async (id: string, kind: JournalEntry['kind']) =>
  (await wholeJournal(host, id)).filter((entry) => entry.kind === kind);
const entries = async (id: string) => (await ofKind(id, 'intent')).filter(({ data }) => data.kind === 'entry').length;

/** Advances the exchange's clock until the exchange has liquidated a position. @returns the liquidated pairs */
async function liquidated(): Promise<string[]> {
  for (let days = 1; days < 40; days++) {
    ahead += DAY_MS;
    await delay(2_000);
    const left = new Set((await margin().positions()).map(({ pair }) => pair));
    if (left.size < PAIRS.length) return PAIRS.filter((pair) => !left.has(pair));
  }
  throw new Error('no price has reached a liquidation');
}

test.each([
  ['while the bot runs but its requests are lost', true],
  ['while its host is down', false],
])('a position liquidated %s is booked once, and its pair waits for the owner', async (_, running) => {
  const name = running ? 'cut off' : 'left alone';
  const options = {
    ...{ leverage: 25, margin_mode: 'isolated', market: 'both', strategy: 'manual', watch_pairs: PAIRS.join(', ') },
    ...{ stop_sell: [], profit_win: [], profit_callback: [] },
  };
  const id = await createLiveBot(host, { venue: BINANCEUSDM, name, key, options });
  await startLive(host, id, name);
  for (const [index, pair] of PAIRS.entries()) {
    await placeManualOrder(host, id, { pair, side: 'buy', value: '150', short: index % 2 === 1 });
  }
  const stops = await until(async () => {
    const open = (await testbed.owner.openOrders(PAIRS)).filter(isStop);
    return open.length === PAIRS.length && (await detail(id)).openPairs === PAIRS.length ? open : null;
  }, 'an open stop for every position, at the liquidation guard');
  if (running) {
    testbed.proxy.decide = ({ method, path }) =>
      method !== 'GET' && /\/(order|algoOrder)$/.test(path) ? 'lost' : 'pass';
  } else {
    await host.kill();
  }
  for (const { pair, clientOrderId } of stops) await testbed.owner.cancel(pair, clientOrderId, 'stop');
  const lost = await liquidated();
  testbed.proxy.decide = null;
  if (!running) host = await testbed.startHost();

  const liquidations = async () => (await ofKind(id, 'external')).filter(({ data }) => data.what === 'liquidated');
  await until(
    async () => {
      const pairs = new Set((await liquidations()).map(({ pair }) => pair));
      return lost.every((pair) => pairs.has(pair));
    },
    'the liquidations to be journalled',
    90_000,
  );
  // The bot's own protection may close the remaining positions; the kill switch closes the rest.
  for (const pair of PAIRS.filter((other) => !lost.includes(other))) {
    await host.call('POST', `/bot/bots/${id}/halt`, { body: { pair, close: true } });
  }
  await until(async () => (await detail(id)).openPairs === 0, 'the other positions to be sold', 60_000);
  const wallet = async () => (await testbed.owner.balances()).find(({ asset }) => asset === 'USDT')?.free ?? '';
  await until(
    async () => units((await detail(id)).performance.cash) === units(await wallet()),
    'the books to agree with the wallet',
    60_000,
  );
  const journal = await wholeJournal(host, id);
  const booked = fillsOf(journal);
  let first = Number.POSITIVE_INFINITY;
  for (const pair of PAIRS) {
    const ids = (fills: readonly { id: string }[]) => fills.map((fill) => Number(fill.id)).sort((a, b) => a - b);
    const own = ids(booked.filter((fill) => fill.pair === pair));
    // The cursor is a trade ID, because the exchange's clock is ahead of the owner's.
    const from = { at: (journal[0]?.at ?? 0) - 60_000, id: String(own[0]) };
    const trades = await testbed.owner.ownTrades(pair, from);
    expect(own).toEqual(ids(trades));
    first = Math.min(first, ...trades.map(({ at }) => at));
    const forced = trades.filter((fill) => fill.forced === 'liquidation');
    expect((await liquidations()).filter((line) => line.pair === pair)).toHaveLength(forced.length);
    if (lost.includes(pair)) expect(forced.length).toBeGreaterThan(0);
  }
  const surprises = journal.filter(
    ({ kind, data }) => kind === 'external' && ['adjust', 'transfer', 'late_fill'].includes(String(data.what)),
  );
  expect(surprises).toEqual([]);
  // Each amount must have its own income type.
  const incomes = await margin().incomes(first);
  const amounts = (type: OwnIncome['type']) =>
    incomes.filter((one) => one.type === type).map(({ amount }) => BigInt(amount));
  const ordered = (list: bigint[]) => list.sort((a, b) => Number(a - b));
  expect(ordered(fundingsOf(journal))).toEqual(ordered(amounts('funding')));
  const clearance = amounts('clearance').reduce((sum, amount) => sum + amount, 0n);
  const start = String(journal.find(({ data }) => data.what === 'capital')?.data.amount);
  expect(marginBooks(start, journal).cash + clearance).toBe(units(await wallet()));
  const views = (await detail(id)).pairViews.filter(({ pair }) => lost.includes(pair));
  for (const view of views) expect(view).toMatchObject({ flag: 'paused', pausedBy: 'liquidation', orders: [] });
  expect(await testbed.owner.openOrders(PAIRS)).toEqual([]);

  // The strategy would enter at once, with less leverage, but stays blocked until the owner resumes the pair.
  const before = await entries(id);
  const eager = { options: { strategy: 'dca', leverage: 2 }, params: { start: 'now' } };
  const changed = await host.call('POST', `/bot/bots/${id}/options`, { body: eager });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const [pair = ''] = lost;
  const quotedAt = async () => (await detail(id)).pairViews.find((view) => view.pair === pair)?.quotedAt ?? 0;
  /** Lets candles close, and waits for quotes after them. */
  const pass = async () => {
    ahead += 2 * MINUTE_MS;
    const since = await quotedAt();
    await until(async () => (await quotedAt()) > since + 5_000, 'some seconds of quotes');
  };
  await pass();
  expect(await entries(id)).toBe(before);
  expect((await host.call('POST', `/bot/bots/${id}/resume`, { body: { pair } })).status).toBe(200);
  await pass();
  await until(async () => (await entries(id)) > before, 'the bot to enter again');
  await host.call('POST', `/bot/bots/${id}/halt`, { body: { close: true } });
  await until(async () => (await detail(id)).openPairs === 0, 'everything to be sold');
  await host.call('POST', `/bot/bots/${id}/stop`);
  await until(async () => (await detail(id)).status === 'finished', 'the bot to end');
  expect((await host.call('DELETE', `/bot/bots/${id}`)).status).toBe(200);
});
