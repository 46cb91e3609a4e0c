import { readFileSync } from 'node:fs';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { ErrorBody } from '@heron/contract/http/errors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, placeManualOrder, until } from './botHost.ts';
import { addKey, createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { fillsOf, statementOf, units, wholeJournal } from './statement.ts';
import { BINANCE } from './venues.ts';

const PAIR = 'BTC-USDT';

let testbed: LiveTestbed;
let host: BotHost;
let key: string;

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCE, 'kill-switch', { port: 0, seed: 71 });
  host = await testbed.startHost({});
  ({ id: key } = await addKey(host, testbed, BINANCE));
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

const detail = async (id: string) => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;

/** Creates a live bot with a position and an open order. */
async function trader(name: string): Promise<string> {
  const options = { order_adjust_time: 10_000, markdown_buy_pct: 1 };
  const id = await createLiveBot(host, { venue: BINANCE, name, key, allotment: '3000', options });
  await startLive(host, id, name);
  await order(id, { type: 'taker', value: '500' });
  await until(async () => {
    const { openPairs, pairViews } = await detail(id);
    return openPairs === 1 && pairViews[0]?.orders.length === 0;
  }, 'a position');
  await order(id, { type: 'maker', value: '400' });
  await until(async () => (await openOrdersOf(id)).some(({ trigger }) => trigger === undefined), 'an open order');
  return id;
}

const order = (id: string, how: object) => placeManualOrder(host, id, { pair: PAIR, side: 'buy', ...how });

async function openOrdersOf(id: string) {
  return (await testbed.owner.openOrders([PAIR])).filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`));
}

/** Waits until no order is open and no position is left, and compares the books with the exchange. */
async function sold(id: string): Promise<void> {
  await until(async () => (await openOrdersOf(id)).length === 0, 'all orders to be cancelled');
  await until(async () => (await detail(id)).openPairs === 0, 'the position to be sold');
  const fills = fillsOf(await wholeJournal(host, id));
  const trades = await testbed.owner.ownTrades(PAIR, { at: Date.now() - 600_000, id: '' });
  const own = trades.filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`));
  expect(fills.map((fill) => fill.id).sort()).toEqual(own.map((fill) => fill.id).sort());
  expect(units((await detail(id)).performance.cash)).toBe(statementOf('3000', fills).cash);
}

test('the kill switch works without further input when the live worker is dead', async () => {
  const id = await trader('orphan');
  const live = (await host.workers()).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('live/process.ts'),
  );
  process.kill(live as number, 'SIGKILL');
  const answer = await host.call('POST', `/bot/bots/${id}/halt`, { body: { close: true } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await sold(id);
  expect((await detail(id)).pairViews).toMatchObject([{ flag: 'paused', pausedBy: 'manual' }]);
  await host.call('POST', `/bot/bots/${id}/stop`);
});

test('the kill switch sells the position of a stopped bot, which then stops again', async () => {
  const id = await trader('rested');
  await host.call('POST', `/bot/bots/${id}/stop`);
  await until(async () => (await detail(id)).status === 'finished', 'the bot to stop');
  expect((await detail(id)).openPairs).toBe(1);
  const unwatched = await host.call<ErrorBody>('POST', `/bot/bots/${id}/halt`, {
    body: { pair: 'ETH-USDT', close: true },
  });
  expect(unwatched.body.error.code).toBe('pair_not_watched');
  const all = await host.call<{ bots: { bot: BotDetail }[] }>('POST', '/bot/halt', { body: { close: true } });
  expect(all.body.bots.map(({ bot }) => bot.id)).toEqual([id]);
  await sold(id);
  await until(async () => (await detail(id)).status === 'finished', 'the bot to stop again');
  // A bot without orders and positions is not started.
  expect((await host.call('POST', '/bot/halt', { body: { close: true } })).body).toEqual({ bots: [] });
});
