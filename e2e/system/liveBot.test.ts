import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { BotDetail, ExchangeKey } from '@heron/contract/bots/entities.ts';
import type { ErrorBody } from '@heron/contract/http/errors.ts';
import { openDatabase } from '@heron/database/connect.ts';
import { SCALE } from '@heron/engine/money/units.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, placeManualOrder, until } from './botHost.ts';
import { createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { fillsOf, statementOf, units, wholeJournal } from './statement.ts';
import { isStop, withoutStops } from './stops.ts';
import { BINANCE } from './venues.ts';

const PAIR = 'BTC-USDT';

let testbed: LiveTestbed;
let host: BotHost;
let key: ExchangeKey;

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCE, 'live', { seed: 31 });
  host = await testbed.startHost();
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

const made = (name: string, options: Record<string, unknown> = {}, allotment?: string) =>
  createLiveBot(host, {
    venue: BINANCE,
    name,
    key: key.id,
    ...(allotment === undefined ? {} : { allotment }),
    options,
  });

const detail = async (id: string) => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;

const order = (id: string, how: object) => placeManualOrder(host, id, { pair: PAIR, ...how });

/** Waits until all parent orders of the bot have finished. */
async function settled(id: string): Promise<void> {
  await until(async () => {
    const entries = withoutStops(await wholeJournal(host, id));
    const begun = entries.filter(({ kind }) => kind === 'intent').length;
    return begun > 0 && begun === entries.filter(({ kind }) => kind === 'intent_end').length;
  }, 'all parent orders to finish');
}

test('a key is stored sealed after its permissions are read, and is never shown again', async () => {
  const { key: apiKey, secret } = testbed.sandbox.binance;
  const wrong = await host.call<ErrorBody>('POST', '/bot/keys', {
    body: { venue: 'binance-demo', label: 'wrong', key: apiKey, secret: 'x'.repeat(64) },
  });
  expect(wrong.body.error.code).toBe('key_refused');
  const added = await host.call<ExchangeKey>('POST', '/bot/keys', {
    body: { venue: 'binance-demo', label: 'mine', key: apiKey, secret },
  });
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  key = added.body;
  expect(key).toMatchObject({ lastFour: apiKey.slice(-4), permissions: { trade: true, withdraw: false } });
  expect(key.warnings[0]?.en).toContain('IP');
  const listed = await host.call<{ keys: ExchangeKey[] }>('GET', '/bot/keys');
  expect(listed.body.keys).toEqual([key]);
  const again = await host.call<ErrorBody>('POST', '/bot/keys', {
    body: { venue: 'binance-demo', label: 'mine', key: apiKey, secret },
  });
  expect(again.body.error.code).toBe('key_label_taken');
  const ofOtherUser = await host.call<{ keys: ExchangeKey[] }>('GET', '/bot/keys', { user: '2' });
  expect(ofOtherUser.body.keys).toEqual([]);
  expect((await host.call('POST', `/bot/keys/${key.id}/test`, { user: '2' })).status).toBe(404);
  expect((await host.call('DELETE', `/bot/keys/${key.id}`, { user: '2' })).status).toBe(404);
  expect((await host.call('POST', `/bot/keys/${key.id}/test`)).status).toBe(200);
  expect(statSync(path.join(testbed.folder, 'vault.key')).mode & 0o777).toBe(0o600);
});

test('a live bot needs a key of its owner, and a confirmation before it starts', async () => {
  const options = { mode: 'live', watch_pairs: PAIR, period: '1m' };
  const without = await host.call<ErrorBody>('POST', '/bot/bots', { body: { name: 'no key', options, params: {} } });
  expect(without.body.error.code).toBe('key_needed');
  const stranger = await host.call<ErrorBody>('POST', '/bot/bots', {
    body: { name: 'not mine', options, params: {}, key: key.id },
    user: '2',
  });
  expect(stranger.body.error.code).toBe('key_needed');
  const id = await made('careful');
  const unconfirmed = await host.call<ErrorBody>('POST', `/bot/bots/${id}/start`);
  expect(unconfirmed.body.error.code).toBe('live_not_confirmed');
  expect((await detail(id)).status).toBe('created');
  expect((await host.call<ErrorBody>('DELETE', `/bot/keys/${key.id}`)).body.error.code).toBe('key_in_use');
  await host.call('DELETE', `/bot/bots/${id}`);
});

test('the ledger of a live bot matches the exchange exactly, beside its owner’s trades', async () => {
  const [ticker] = await testbed.reading.tickers([PAIR]);
  // The price is in whole units of the quote currency, far from the market.
  const price = Math.round(((ticker?.last ?? 0) * 0.9) / SCALE) * SCALE;
  const theirs = await testbed.owner.place({
    clientOrderId: 'by-hand-1',
    pair: PAIR,
    side: 'buy',
    type: 'limit_maker',
    price,
    quantity: 100_000,
    assetDecimals: 8,
    exit: false,
    decidedAt: Date.now(),
  });
  expect(theirs.report?.status).toBe('open');
  const id = await made('trader', {}, '5000');
  await startLive(host, id, 'trader');
  await order(id, { side: 'buy', type: 'taker', value: '1000' });
  await settled(id);
  await order(id, { side: 'sell', type: 'taker', percent: 40 });
  await settled(id);
  await order(id, { side: 'buy', type: 'maker', value: '500' });
  await settled(id);
  // The owner's order must not affect the bot, even on the same pair.
  await testbed.owner.place({
    ...{ clientOrderId: 'by-hand-2', pair: PAIR, side: 'sell', type: 'market', price: 0 },
    ...{ quantity: 200_000, assetDecimals: 8, exit: false, decidedAt: Date.now() },
  });
  await order(id, { side: 'sell', type: 'taker' });
  await settled(id);
  await host.call('POST', `/bot/bots/${id}/stop`);

  const journal = await wholeJournal(host, id);
  const fills = fillsOf(journal);
  expect(fills.length).toBeGreaterThanOrEqual(3);
  const trades = await testbed.owner.ownTrades(PAIR, { at: journal[0]?.at ?? 0, id: '' });
  const own = trades.filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`));
  expect(fills.map((fill) => fill.id).sort()).toEqual(own.map((fill) => fill.id).sort());
  const { cash, held } = statementOf('5000', fills);
  const after = await detail(id);
  expect(after.performance.startCapital).toBe('5000');
  expect(units(after.performance.cash)).toBe(cash);
  expect(after.performance.realised).not.toBe('0');
  expect(held.get(PAIR)).toBeLessThan(100_000n);
  // The bot has not touched the owner's order.
  expect((await testbed.owner.openOrders([PAIR])).map(({ clientOrderId }) => clientOrderId)).toEqual(['by-hand-1']);
  await testbed.owner.cancel(PAIR, 'by-hand-1');
  expect(after.mode).toBe('live');
});

test('the kill switch cancels and sells, and is confirmed after the exchange confirms', async () => {
  const id = await made('stopped dead', { order_adjust_time: 10_000, markdown_buy_pct: 1 }, '3000');
  await startLive(host, id, 'stopped dead');
  await order(id, { side: 'buy', type: 'taker', value: '500' });
  await settled(id);
  await order(id, { side: 'buy', type: 'maker', value: '400' });
  await until(async () => {
    const open = await testbed.owner.openOrders([PAIR]);
    return open.some(isStop) && open.some((order) => order.clientOrderId.startsWith(`${id}-`) && !isStop(order));
  }, 'an open order, and the stop beside it');
  const cancelled = await host.call<{ confirmed: boolean; bot: BotDetail }>('POST', `/bot/bots/${id}/halt`, {
    body: { pair: PAIR, close: false },
  });
  expect(cancelled.body.confirmed, JSON.stringify(cancelled.body)).toBe(true);
  // The position and its protective stop stay.
  expect((await testbed.owner.openOrders([PAIR])).map(({ type }) => type)).toEqual(['stop_market']);
  expect(cancelled.body.bot.pairViews[0]).toMatchObject({ flag: 'paused', pausedBy: 'manual' });
  expect(cancelled.body.bot.openPairs).toBe(1);
  const all = await host.call<{ bots: { confirmed: boolean; bot: BotDetail }[] }>('POST', '/bot/halt', {
    body: { close: true },
  });
  const answer = all.body.bots.find(({ bot }) => bot.id === id);
  expect(answer).toMatchObject({ confirmed: true });
  expect(answer?.bot.openPairs).toBe(0);
  await host.call('POST', `/bot/bots/${id}/stop`);
});

test('secrets are in no log, response, file or row', async () => {
  const { key: apiKey, secret } = testbed.sandbox.binance;
  const client = openDatabase(testbed.database.url);
  const { rows } = await client.pool.query<{ table_name: string }>(
    "select table_name from information_schema.tables where table_schema = 'bots'",
  );
  let text = '';
  for (const { table_name } of rows) {
    const all = await client.pool.query(`select * from bots."${table_name}"`);
    text += JSON.stringify(all.rows);
  }
  await client.close();
  for (const name of readdirSync(testbed.folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(testbed.folder, name);
    if (statSync(file).isFile()) text += readFileSync(file, 'utf8');
  }
  text += JSON.stringify((await host.call('GET', '/bot/keys')).body);
  text += host.output();
  expect(text.length).toBeGreaterThan(10_000);
  for (const hidden of [apiKey, secret]) expect(text).not.toContain(hidden);
});
