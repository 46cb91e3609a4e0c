import { randomUUID } from 'node:crypto';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, placeManualOrder, until } from './botHost.ts';
import { addKey, createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { fillsOf, statementOf, units, wholeJournal } from './statement.ts';
import { isStop, withoutStops } from './stops.ts';
import { BINANCE } from './venues.ts';

const PAIR = 'BTC-USDT';
const STEP = 1_000;

let testbed: LiveTestbed;
let host: BotHost;
let keyId: string;
let sales = 0;
const earlier: string[] = [];

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCE, 'account', { seed: 61 });
  host = await testbed.startHost();
  keyId = (await addKey(host, testbed, BINANCE)).id;
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

const detail = async (id: string, on = host) => (await on.call<BotDetail>('GET', `/bot/bots/${id}`)).body;
const externalChanges = async (id: string, what: string) =>
  (await wholeJournal(host, id)).filter(({ kind, data }) => kind === 'external' && data.what === what);

async function working(name: string, allotment: string): Promise<string> {
  const id = await createLiveBot(host, { venue: BINANCE, name, key: keyId, allotment });
  await startLive(host, id, name);
  return id;
}

/** Places a manual order and waits until it has finished. */
async function trade(id: string, body: Record<string, unknown>, on = host): Promise<void> {
  const count = async () => withoutStops(await wholeJournal(on, id)).filter(({ kind }) => kind === 'intent_end').length;
  const before = await count();
  await placeManualOrder(on, id, { pair: PAIR, ...body });
  await until(async () => (await count()) > before, 'the order to end');
}

/** The owner sells at market, independently of the bots. @param quantity in 1e-8 */
async function sellByHand(quantity: number): Promise<void> {
  await testbed.owner.place({
    ...{ clientOrderId: `by-hand-${++sales}`, pair: PAIR, side: 'sell', type: 'market', price: 0 },
    ...{ quantity: quantity - (quantity % STEP), assetDecimals: 8, exit: false, decidedAt: Date.now() },
  });
}

/** Returns the account's coins, including those locked by a stop, in 1e-8. */
async function coins(): Promise<number> {
  const { free, locked } = (await testbed.owner.balances()).find(({ asset }) => asset === 'BTC') ?? {
    free: '0',
    locked: '0',
  };
  return Number(units(free) + units(locked));
}

test('two bots on one account have their own ledgers; earlier coins belong to neither', async () => {
  const [one, two] = [await working('one', '4000'), await working('two', '2500')];
  earlier.push(one, two);
  await trade(one, { side: 'buy', value: '1500' });
  await trade(two, { side: 'buy', value: '1000' });
  await until(async () => (await externalChanges(one, 'foreign')).length > 0, 'the earlier coins to be journalled');
  await trade(one, { side: 'sell', percent: 50 });
  for (const [id, share] of [
    [one, '4000'],
    [two, '2500'],
  ] as const) {
    const journal = await wholeJournal(host, id);
    const { cash, held } = statementOf(share, fillsOf(journal));
    const bot = await detail(id);
    expect(bot.performance.startCapital).toBe(share);
    expect(units(bot.performance.cash)).toBe(cash);
    expect(units(bot.pairViews[0]?.position?.quantity ?? '0')).toBe(held.get(PAIR));
    expect([...(await externalChanges(id, 'adjust')), ...(await externalChanges(id, 'transfer'))]).toEqual([]);
  }
  // A bot can spend only its allotment, whatever the account's balance is.
  const greedy = await host.call<{ error: { details: { gate: string } } }>('POST', `/bot/bots/${two}/orders`, {
    body: { requestId: randomUUID(), pair: PAIR, side: 'buy', type: 'taker', value: '2000' },
  });
  expect(greedy.body.error.details.gate).toBe('insufficient_balance');
  for (const id of [one, two]) {
    await trade(id, { side: 'sell', percent: 100 });
    await host.call('POST', `/bot/bots/${id}/stop`);
  }
});

test("a manual sale of a bot's coins is recorded, and the bot continues with the rest", async () => {
  const id = await working('robbed', '3000');
  await trade(id, { side: 'buy', value: '2000' });
  const held = Number(units((await detail(id)).pairViews[0]?.position?.quantity ?? '0'));
  // The owner sells all coins beside the bot's and half of the bot's. The bot's stop locks them, so it is cancelled first.
  const stop = await until(async () => (await testbed.owner.openOrders([PAIR])).find(isStop), 'the stop to be open');
  await testbed.owner.cancel(PAIR, stop.clientOrderId, 'stop');
  await sellByHand((await coins()) - Math.floor(held / 2));
  const [adjustment] = await until(async () => {
    const lines = await externalChanges(id, 'adjust');
    return lines.length > 0 ? lines : null;
  }, 'the adjustment to be journalled');
  expect(Number(adjustment?.data.quantity)).toBeLessThan(0);
  expect(await externalChanges(id, 'stop_gone')).toHaveLength(1);
  const left = await detail(id);
  // The dust of the earlier bots is not attributed to this bot.
  const dust = await Promise.all(
    earlier.map(async (other) => statementOf('0', fillsOf(await wholeJournal(host, other))).held.get(PAIR) ?? 0n),
  );
  const ours = BigInt(await coins()) - dust.reduce((sum, each) => sum + each, 0n);
  expect(units(left.pairViews[0]?.position?.quantity ?? '0')).toBe(ours);
  await trade(id, { side: 'sell', percent: 100 });
  await host.call('POST', `/bot/bots/${id}/stop`);
});

test('a host that was frozen while it sent an order sends nothing after a take-over', async () => {
  const id = await working('frozen', '3000');
  const frozen = host;
  const held = Promise.withResolvers<'pass'>();
  const caught = Promise.withResolvers<void>();
  testbed.proxy.decide = ({ method, path: where }) => {
    if (method !== 'POST' || !where.endsWith('/order')) return 'pass';
    testbed.proxy.decide = null;
    frozen.signal('SIGSTOP');
    caught.resolve();
    return { held: held.promise };
  };
  void frozen
    .call('POST', `/bot/bots/${id}/orders`, {
      body: { requestId: randomUUID(), pair: PAIR, side: 'buy', type: 'taker', value: '700' },
    })
    .catch(() => {});
  await caught.promise;
  host = await testbed.startHost();
  try {
    await until(async () => (await detail(id)).status === 'working', 'the bot to work on the other host');
    held.resolve('pass');
    await until(
      async () => withoutStops(await wholeJournal(host, id)).filter(({ kind }) => kind === 'intent_end').length === 1,
      'the order to be settled',
    );
    await trade(id, { side: 'buy', value: '500' });
    // The other host then places a stop for both buys, which must not be taken for a request of the frozen one.
    await until(async () => {
      const held = Number(units((await detail(id)).pairViews[0]?.position?.quantity ?? '0'));
      const stops = (await testbed.owner.openOrders([PAIR])).filter(isStop);
      return stops.some(({ clientOrderId, quantity }) => clientOrderId.startsWith(`${id}-`) && held - quantity < STEP);
    }, 'the stop to cover both buys');
    const before = testbed.proxy.passed.length;
    frozen.signal('SIGCONT');
    // The bot gets enough time for any pending action.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const writes = testbed.proxy.passed.slice(before).filter(({ method }) => method !== 'GET');
    expect(writes.map(({ method, path, params }) => `${method} ${path} ${params}`)).toEqual([]);
    await trade(id, { side: 'sell', percent: 100 });
    await host.call('POST', `/bot/bots/${id}/stop`);
    const fills = fillsOf(await wholeJournal(host, id));
    const trades = await testbed.owner.ownTrades(PAIR, { at: Date.now() - 600_000, id: '' });
    const own = trades.filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`));
    expect(fills.map((fill) => fill.id).sort()).toEqual(own.map((fill) => fill.id).sort());
    expect(units((await detail(id)).performance.cash)).toBe(statementOf('3000', fills).cash);
  } finally {
    await frozen.kill();
  }
});
