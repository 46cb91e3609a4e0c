import { randomUUID } from 'node:crypto';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { ErrorBody } from '@heron/contract/http/errors.ts';
import type { OpenOrder } from '@heron/exchanges/trading.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, createRunningBot, placeManualOrder, until, untilWorking } from './botHost.ts';
import { addKey, createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { fillsOf, wholeJournal } from './statement.ts';
import { isStop } from './stops.ts';
import { BINANCE } from './venues.ts';

const PAIR = 'BTC-USDT';

let testbed: LiveTestbed;
let host: BotHost;
let id: string;

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCE, 'priced', { seed: 71 });
  host = await testbed.startHost();
  const key = (await addKey(host, testbed, BINANCE)).id;
  const options = { watch_pairs: PAIR, stop_sell: [{ profit: 20, stop: 100 }], profit_win: [], profit_callback: [] };
  id = await createLiveBot(host, { venue: BINANCE, name: 'priced', key, allotment: '10000', options });
  await startLive(host, id, 'priced');
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

const detail = async () => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;
const view = async () => (await detail()).pairViews[0];
const position = async () => (await view())?.position ?? null;
/** Open orders of the bot at the exchange itself. */
const atExchange = async () =>
  (await testbed.owner.openOrders([PAIR])).filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`));
const priceOf = ({ price, trigger }: OpenOrder) => (trigger?.price ?? price) / 1e8;

async function askPrice(): Promise<number> {
  const ask = await until(async () => (await view())?.ask, 'a price');
  return Number(ask);
}

test('a limit order waits at the exchange at its price, through a kill of the host, until it is cancelled', async () => {
  const price = Math.floor((await askPrice()) * 0.9);
  await placeManualOrder(host, id, { pair: PAIR, side: 'buy', type: 'limit', price: String(price), value: '500' });
  const [before] = await until(async () => {
    const open = await atExchange();
    return open.length === 1 ? open : null;
  }, 'the order at the exchange');
  expect(before).toMatchObject({ type: 'limit_maker', side: 'buy' });
  expect(priceOf(before as OpenOrder)).toBe(price);

  await host.kill();
  host = await testbed.startHost();
  await untilWorking(host, id);
  expect((await atExchange()).map(({ clientOrderId }) => clientOrderId)).toEqual([before?.clientOrderId]);

  const cancelled = await host.call('POST', `/bot/bots/${id}/orders/cancel`, {
    body: { clientOrderId: before?.clientOrderId },
  });
  expect(cancelled.status).toBe(200);
  await until(async () => (await atExchange()).length === 0, 'the cancel at the exchange');
});

test('a limit order above the market buys at once, and its stop-loss price is the stop at the exchange', async () => {
  const ask = await askPrice();
  const [limit, stopLoss] = [Math.ceil(ask * 1.01), Math.floor(ask * 0.95)];
  const order = {
    pair: PAIR,
    side: 'buy',
    type: 'limit',
    price: String(limit),
    value: '500',
    stopLoss: String(stopLoss),
  };
  await placeManualOrder(host, id, order);
  await until(async () => (await position())?.stop?.resting, 'the protective stop');
  const fills = fillsOf(await wholeJournal(host, id));
  expect(fills.length).toBeGreaterThan(0);
  for (const { price } of fills) expect(Number(price)).toBeLessThanOrEqual(limit);
  const stops = await until(async () => {
    const open = (await atExchange()).filter(isStop);
    return open.length === 1 ? open : null;
  }, 'one stop at the exchange');
  expect(stops.map(priceOf)).toEqual([stopLoss]);
});

test('a price exit moves the stop at the exchange, and its removal moves it back', async () => {
  const { entryPrice } = await until(position, 'the position');
  const stopLoss = Math.floor(Number(entryPrice) * 0.97);
  const requestId = randomUUID();
  const body = { requestId, pair: PAIR, stopLoss: String(stopLoss), percent: 100 };
  // The same request is executed once.
  for (let i = 0; i < 2; i++) expect((await host.call('POST', `/bot/bots/${id}/exits`, { body })).status).toBe(200);
  const exits = (await position())?.levels.filter(({ exit }) => exit !== undefined) ?? [];
  expect(exits.map(({ exit, price }) => [exit, Number(price)])).toEqual([
    [1, expect.any(Number)],
    [2, stopLoss],
  ]);
  const stopAt = (price: number) =>
    until(async () => {
      const stops = (await atExchange()).filter(isStop);
      return stops.length === 1 && priceOf(stops[0] as OpenOrder) === price;
    }, `the stop at ${price}`);
  await stopAt(stopLoss);
  const remove = (exit: number) => host.call('POST', `/bot/bots/${id}/exits/remove`, { body: { pair: PAIR, exit } });
  expect((await remove(2)).status).toBe(200);
  await stopAt(Number(exits[0]?.price));
  expect((await remove(2)).status).toBe(409);
});

test('bad prices get a clear refusal and never an error of the server', async () => {
  const paper = await createRunningBot(host, 'prices', { strategy: 'manual' });
  const send = (path: string, body: object) =>
    host.call<ErrorBody>('POST', `/bot/bots/${paper}/${path}`, {
      body: { requestId: randomUUID(), pair: PAIR, ...body },
    });
  const buy = { side: 'buy', value: '100' };
  const texts = ['0', '-1', '1e5', 'x', '', '0.000000001', '9'.repeat(40), '１', ' 5'];
  const prices = texts.flatMap((price) =>
    ['limit', 'post_only', 'stop'].map((type) => send('orders', { ...buy, type, price })),
  );
  const wrong = [
    ...prices,
    ...texts.map((stopLoss) => send('exits', { stopLoss })),
    ...texts.map((takeProfit) => send('orders', { ...buy, type: 'taker', takeProfit })),
    send('orders', { ...buy, type: 'limit' }),
    send('orders', { side: 'sell', type: 'limit', price: '5', percent: 50 }),
    send('exits', {}),
    send('exits', { stopLoss: '5' }),
    send('exits', { stopLoss: '5', percent: 0 }),
    send('exits', { stopLoss: '5', replaces: 1.5 }),
    send('exits/remove', { exit: 1 }),
  ];
  for (const { status, body } of await Promise.all(wrong)) {
    expect(status, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
    expect(status, JSON.stringify(body)).toBeLessThan(500);
    expect(body.error.message.length).toBeGreaterThan(5);
  }
  expect((await host.call<BotDetail>('GET', `/bot/bots/${paper}`)).body.pairViews[0]?.orders).toEqual([]);
});
