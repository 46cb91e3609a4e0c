import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail, JournalEntry } from '@heron/contract/bots/entities.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type BotHost, until } from './botHost.ts';
import { addKey, createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { fillsOf, statementOf, units, wholeJournal } from './statement.ts';
import { isStop, openIntents } from './stops.ts';
import { BINANCE } from './venues.ts';

const PAIR = 'BTC-USDT';
const CAPITAL = '20000';
const ORDER = 'POST /api/v3/order';

let testbed: LiveTestbed;
let host: BotHost;
let id: string;

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCE, 'faults', { seed: 71, faults: true });
  host = await testbed.startHost({ logLevel: 'fatal' });
  const { id: key } = await addKey(host, testbed, BINANCE);
  const options = { order_adjust_time: 1_000, markdown_buy_pct: -0.1 };
  id = await createLiveBot(host, { venue: BINANCE, name: 'unlucky', key, allotment: CAPITAL, options });
  await startLive(host, id, 'unlucky');
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

const detail = async () => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;

async function script(method: 'POST' | 'DELETE', fault?: object): Promise<void> {
  const answer = await fetch(`${testbed.sandbox.binance.rest}/faults`, {
    method,
    ...(fault === undefined
      ? {}
      : {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ probability: 0.5, seed: 1, ...fault }),
        }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Places manual taker and maker orders as fast as the bot accepts them. */
async function trade(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const given = { requestId: randomUUID(), pair: PAIR, type: n % 2 === 0 ? 'taker' : 'maker' };
    const body = n % 3 === 2 ? { ...given, side: 'sell', percent: 50 } : { ...given, side: 'buy', value: '200' };
    await host.call('POST', `/bot/bots/${id}/orders`, { body });
    await delay(150);
  }
}

/** Returns whether every fault of the script was injected; a skewed clock does not count its injections. */
async function allMet(): Promise<boolean> {
  const met = (await (await fetch(`${testbed.sandbox.binance.rest}/faults`)).json()) as {
    kind: string;
    struck: number;
  }[];
  return met.every(({ kind, struck }) => kind === 'skew' || struck > 0);
}

/** Returns the bot's fills from the account's own list. */
async function statement() {
  const trades = await testbed.owner.ownTrades(PAIR, { at: Date.now() - 1_800_000, id: '' });
  return trades.filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`));
}

const FAULTS: readonly (readonly [string, ...object[]])[] = [
  ['orders are lost on the way', { kind: 'drop', at: 'before', match: ORDER }],
  ['responses to orders are lost', { kind: 'drop', at: 'after', match: ORDER }],
  ['responses to orders are late', { kind: 'delay', at: 'after', delayMs: 700, match: ORDER }],
  ['orders are delayed beyond their lifetime', { kind: 'delay', at: 'before', delayMs: 5_500, match: ORDER, count: 2 }],
  ['responses to orders are 503', { kind: 'answer', at: 'after', status: 503, code: -1001, match: ORDER }],
  ['orders time out inside the exchange', { kind: 'answer', at: 'after', status: 408, code: -1007, match: ORDER }],
  ['cancels are lost', { kind: 'drop', at: 'before', match: 'DELETE /api/v3/order' }],
  ['responses to cancels are lost', { kind: 'drop', at: 'after', match: 'DELETE /api/v3/order' }],
  ['account events are lost', { kind: 'lose', match: 'EVENT user *' }],
  ['account events are duplicated', { kind: 'duplicate', match: 'EVENT user *' }],
  ['account events arrive in another order', { kind: 'reorder', by: 2, match: 'EVENT user *' }],
  ['account events are late', { kind: 'delay', delayMs: 900, match: 'EVENT user *' }],
  ['the account stream is cut', { kind: 'cut', match: 'CONNECT /ws-api*', probability: 1, forMs: 1_500 }],
  ['orders are partially filled', { kind: 'partial', part: 0.4, match: 'BTCUSDT', probability: 1 }],
  ['queries get no response', { kind: 'drop', at: 'before', match: 'GET /api/v3/*' }],
  [
    'there are too many requests',
    { kind: 'answer', at: 'before', status: 429, code: -1003, retryAfter: 2, match: ORDER },
  ],
  [
    'the address is banned for a while',
    { kind: 'answer', at: 'before', status: 418, code: -1003, retryAfter: 3, match: '* /api/v3/*', count: 1 },
  ],
  ["the exchange's clock is ahead", { kind: 'skew', skewMs: 8_000, match: '*', probability: 1 }],
  ["the exchange's clock is behind", { kind: 'skew', skewMs: -8_000, match: '*', probability: 1 }],
  [
    'responses and events are lost, and queries are rejected',
    { kind: 'drop', at: 'after', match: ORDER },
    { kind: 'lose', match: 'EVENT user *' },
    { kind: 'answer', at: 'before', status: 503, code: -1001, match: 'GET /api/v3/order' },
  ],
];

test.each(FAULTS.map(([name, ...faults]) => ({ name, faults })))(
  '$name: no order twice, no fill lost, the ledger exact',
  { timeout: 200_000 },
  async ({ faults }) => {
    // A pause from the previous test may still be active.
    await until(async () => (await detail()).pause === null, 'the exchange to accept requests');
    const before = fillsOf(await wholeJournal(host, id)).length;
    for (const fault of faults) await script('POST', fault);
    try {
      await trade(10);
      // Every fault must be injected. Some need a query that the bot sends only at intervals.
      await until(allMet, 'each fault to be injected', 90_000);
    } finally {
      await script('DELETE');
    }
    if (fillsOf(await wholeJournal(host, id)).length === before) {
      // A pause outlasted the orders. Trading goes on after it.
      await until(async () => (await detail()).pause === null, 'the end of the pause');
      await trade(3);
    }
    await until(
      async () => {
        if (openIntents(await wholeJournal(host, id)) > 0) return false;
        const fills = fillsOf(await wholeJournal(host, id));
        return fills.length === (await statement()).length;
      },
      'the journal to contain every fill',
      60_000,
    );
    const journal = await wholeJournal(host, id);
    const fills = fillsOf(journal);
    expect(fills.map((fill) => fill.id).sort()).toEqual((await statement()).map((fill) => fill.id).sort());
    expect(fills.length).toBeGreaterThan(before);
    const { cash, held } = statementOf(CAPITAL, fills);
    const bot = await detail();
    expect(units(bot.performance.cash)).toBe(cash);
    const holding = bot.pairViews[0]?.position?.quantity;
    if (holding !== undefined) expect(units(holding)).toBe(held.get(PAIR));
    const open = await testbed.owner.openOrders([PAIR]);
    expect(open.filter((order) => order.clientOrderId.startsWith(`${id}-`) && !isStop(order))).toEqual([]);
    const surprises = journal.filter(
      ({ kind, data }) => kind === 'external' && ['adjust', 'transfer', 'late_fill'].includes(String(data.what)),
    );
    expect(surprises).toEqual([]);
    expect(bot.status).toBe('working');
  },
);

test('a bot shows its account connection, and external changes can be filtered', {
  timeout: 240_000,
}, async () => {
  onTestFinished(() => script('DELETE'));
  const account = async () => (await detail()).account;
  const becomes = (connection: string) =>
    until(async () => (await account())?.connection === connection, `the connection to be ${connection}`, 60_000);
  await becomes('streaming');
  await script('POST', { kind: 'cut', match: 'CONNECT /ws-api*', probability: 1 });
  await becomes('polling');
  await script('POST', { kind: 'drop', at: 'before', match: 'GET /api/v3/account', probability: 1 });
  await becomes('unreachable');
  expect((await detail()).problem?.en).toContain('Cannot reach');
  await script('DELETE');
  await becomes('streaming');
  const seen = await account();
  expect(seen).toMatchObject({ allotment: CAPITAL, key: expect.any(String) });
  expect(Date.now() - (seen?.comparedAt ?? 0)).toBeLessThan(60_000);
  const { body } = await host.call<{ entries: JournalEntry[] }>('GET', `/bot/bots/${id}/journal?kind=external&limit=5`);
  expect(new Set(body.entries.map(({ kind }) => kind))).toEqual(new Set(['external']));
  expect((await host.call('GET', `/bot/bots/${id}/journal?kind=gossip`)).status).toBe(422);
});

test('a pair halted during a take-over is traded again after the halt', {
  timeout: 240_000,
}, async () => {
  await script('POST', { kind: 'halt', match: 'BTCUSDT', probability: 1 });
  await host.kill();
  host = await testbed.startHost({ logLevel: 'fatal' });
  await until(
    async () => (await detail()).pairViews[0]?.flag === 'unknown',
    'the pair to be marked as not listed',
    60_000,
  );
  await script('DELETE');
  await until(async () => (await detail()).pairViews[0]?.flag === null, 'the pair to be watched again', 150_000);
  const before = fillsOf(await wholeJournal(host, id)).length;
  await until(
    async () => {
      await trade(1);
      return fillsOf(await wholeJournal(host, id)).length > before;
    },
    'the bot to trade',
    30_000,
  );
});
