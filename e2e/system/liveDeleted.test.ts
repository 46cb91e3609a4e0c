import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { ErrorBody } from '@heron/contract/http/errors.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import type { OpenOrder } from '@heron/exchanges/trading.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, placeManualOrder, until } from './botHost.ts';
import { addKey, createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { isStop } from './stops.ts';
import { BINANCE } from './venues.ts';

const PAIR = 'BTC-USDT';

let testbed: LiveTestbed;
let database: Database;
let host: BotHost;
let key: string;

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCE, 'deleted', { seed: 73 });
  database = openDatabase(testbed.database.url);
  host = await testbed.startHost();
  ({ id: key } = await addKey(host, testbed, BINANCE));
});

afterAll(async () => {
  testbed.proxy.decide = null;
  await host.stop();
  await database.close();
  await testbed.close();
});

const detail = async (id: string) => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;
const remove = (id: string, query = '') => host.call<ErrorBody>('DELETE', `/bot/bots/${id}${query}`);
const openOrdersOf = async (id: string) =>
  (await testbed.owner.openOrders([PAIR])).filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`));

/** Activates the kill switch. @returns whether the exchange has confirmed it */
const halted = async (id: string) =>
  (await host.call<{ confirmed: boolean }>('POST', `/bot/bots/${id}/halt`, { body: { close: false } })).body.confirmed;
const savedAt = (id: string, at: number) =>
  database.pool.query('update bots.snapshots set saved_at = $2 where bot_id = $1', [id, at]);
const buyOf = async (id: string) => (await openOrdersOf(id)).filter((order) => !isStop(order))[0] as OpenOrder;
/** Places one more buy order with the bot's ID, as if the bot had sent it just before it became unreadable. */
const sendAnother = (id: string, { price, quantity }: OpenOrder) =>
  testbed.owner.place({
    ...{ clientOrderId: `${id}-99-1`, pair: PAIR, side: 'buy', type: 'limit_maker', exit: false },
    ...{ price, quantity, assetDecimals: 8, decidedAt: Date.now() },
  });

/** Creates a live bot with a stop and an open order at the exchange, whose saved state is unreadable. */
async function torn(name: string): Promise<string> {
  const options = { order_adjust_time: 10_000, markdown_buy_pct: 1 };
  const id = await createLiveBot(host, { venue: BINANCE, name, key, allotment: '3000', options });
  await startLive(host, id, name);
  const buy = (order: object) => placeManualOrder(host, id, { pair: PAIR, side: 'buy', ...order });
  await buy({ type: 'taker', value: '500' });
  await until(async () => (await openOrdersOf(id)).some(isStop), 'the open stop');
  await buy({ type: 'maker', value: '400' });
  await until(async () => (await openOrdersOf(id)).length === 2, 'an open order beside it');
  await host.stop();
  await database.pool.query(`update bots.snapshots set session = '{"half":' where bot_id = $1`, [id]);
  host = await testbed.startHost();
  await until(async () => (await detail(id)).status === 'error', 'the bot to report the error');
  return id;
}

test('an unreadable live bot is deleted only if its orders and stops are cancelled too', async () => {
  const id = await torn('unread');
  const refused = await remove(id);
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'orders_rest', details: { count: 2 } } } });
  // The kill switch leaves the protective stop of the coins open.
  await until(() => halted(id), 'the kill switch to be confirmed');
  expect((await openOrdersOf(id)).map(isStop)).toEqual([true]);
  expect(await remove(id)).toMatchObject({ status: 409, body: { error: { details: { count: 1 } } } });
  expect((await remove(id, '?orders=cancel')).body).toEqual({ deleted: true });
  expect(await openOrdersOf(id)).toEqual([]);
  expect((await remove(id)).status).toBe(404);
});

test('an order that is being sent when its bot is deleted is cancelled too', async () => {
  const id = await torn('in a hurry');
  const order = await buyOf(id);
  // Simulates a save at the moment when the host searches for the bot's orders.
  await savedAt(id, Date.now() + 60_000);
  let sent: Promise<unknown> | null = null;
  testbed.proxy.decide = ({ method }) => {
    if (method !== 'DELETE' || sent !== null) return 'pass';
    // The order arrives while the host cancels those that it has found.
    sent = sendAnother(id, order);
    return { held: sent.then(() => 'pass' as const) };
  };
  expect((await remove(id, '?orders=cancel')).body).toEqual({ deleted: true });
  testbed.proxy.decide = null;
  expect(sent).not.toBeNull();
  expect(await openOrdersOf(id)).toEqual([]);
});

test('the kill switch waits for an order that is being sent, and cancels it too', async () => {
  const id = await torn('sent and torn');
  const order = await buyOf(id);
  // Simulates repeated saves first, and then a recent one.
  await savedAt(id, Date.now() + 60_000);
  expect(await halted(id)).toBe(false);
  await sendAnother(id, order);
  await savedAt(id, Date.now());
  await until(() => halted(id), 'the kill switch to be confirmed');
  expect((await openOrdersOf(id)).map(isStop)).toEqual([true]);
});

test('with an unreachable exchange, deletion needs consent that orders may remain', async () => {
  const id = await torn('out of reach');
  testbed.proxy.decide = () => 'lost';
  for (const query of ['', '?orders=cancel']) {
    expect(await remove(id, query)).toMatchObject({ status: 409, body: { error: { code: 'orders_may_rest' } } });
  }
  expect((await remove(id, '?orders=some')).status).toBe(422);
  expect((await remove(id, '?orders=leave')).body).toEqual({ deleted: true });
  testbed.proxy.decide = null;
  expect(await openOrdersOf(id)).toHaveLength(2);
});
