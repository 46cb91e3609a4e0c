import { randomUUID } from 'node:crypto';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { BotNotification } from '@heron/contract/bots/notifications.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, placeManualOrder, until } from './botHost.ts';
import { addKey, createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { units, wholeJournal } from './statement.ts';
import { BINANCE } from './venues.ts';

/** The owner moves money by trading this pair, which no bot trades. */
const OWNERS = 'ETH-USDT';
const UNIT = 100_000_000n;

let testbed: LiveTestbed;
let host: BotHost;
let key: string;
let orders = 0;

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCE, 'money', { seed: 83, faults: true });
  host = await testbed.startHost({ logLevel: 'fatal' });
  ({ id: key } = await addKey(host, testbed, BINANCE));
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

const detail = async (id: string) => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;
const cashOf = async (id: string) => units((await detail(id)).performance.cash);
const externalChanges = async (id: string) =>
  (await wholeJournal(host, id)).filter(({ kind }) => kind === 'external').map(({ data }) => data);

/** Returns the account's total of an asset, in 1e-8. */
async function total(asset: string): Promise<bigint> {
  const balance = (await testbed.owner.balances()).find((each) => each.asset === asset);
  return balance === undefined ? 0n : units(balance.free) + units(balance.locked);
}

async function trade(side: 'buy' | 'sell', quantity: bigint): Promise<void> {
  const step = 10_000n;
  await testbed.owner.place({
    ...{ clientOrderId: `owner-${++orders}`, pair: OWNERS, side, type: 'market', price: 0 },
    ...{ quantity: Number(quantity - (quantity % step)), assetDecimals: 8, exit: false, decidedAt: Date.now() },
  });
}

/** The owner withdraws until at most this balance is left. @param left in 1e-8 */
async function withdraw(left: bigint): Promise<void> {
  for (let there = await total('USDT'); there > left + UNIT; there = await total('USDT')) {
    const [ticker] = await testbed.reading.tickers([OWNERS]);
    const part = there - left < 12_000n * UNIT ? there - left : 12_000n * UNIT;
    await trade('buy', (part * UNIT) / BigInt(ticker?.ask ?? 1));
  }
}

async function working(name: string, pairs: string, allotment: string): Promise<string> {
  const options = { watch_pairs: pairs, strategy: 'manual' };
  const id = await createLiveBot(host, { venue: BINANCE, name, key, allotment, options });
  await startLive(host, id, name);
  return id;
}

test('a withdrawal is shared by all bots in proportion and restored; it is no loss', async () => {
  const before = await total('ETH');
  const ids = [await working('one', 'BTC-USDT', '20000'), await working('two', 'LTC-USDT', '30000')];
  await withdraw(25_000n * UNIT);
  const there = await total('USDT');
  const cent = UNIT / 100n;
  // The money leaves in several steps, and a reading between two steps is not final.
  const [one = 0n, two = 0n] = await until(async () => {
    const both = await Promise.all(ids.map(cashOf));
    return both.reduce((sum, cash) => sum + cash, 0n) <= there + cent ? both : null;
  }, 'both bots to share the withdrawal');
  expect(one + two).toBeGreaterThan(there - 2n * UNIT);
  expect(Number((100n * two) / one) / 100).toBeCloseTo(1.5, 1);
  for (const id of ids) {
    const { performance } = await detail(id);
    expect(performance).toMatchObject({
      profitPercent: 0,
      maxDrawdownPercent: 0,
      totalCapital: performance.startCapital,
    });
  }
  await trade('sell', (await total('ETH')) - before);
  await until(async () => {
    const [first, second] = await Promise.all(ids.map(cashOf));
    return first === 20_000n * UNIT && second === 30_000n * UNIT;
  }, 'both balances to be restored');
  for (const id of ids) {
    expect((await detail(id)).performance).toMatchObject({ profitPercent: 0, maxDrawdownPercent: 0 });
    await host.call('POST', `/bot/bots/${id}/stop`);
  }
});

async function script(method: 'POST' | 'DELETE', fault?: object): Promise<void> {
  const body = fault && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fault) };
  const answer = await fetch(`${testbed.sandbox.binance.rest}/faults`, { method, ...body });
  if (!answer.ok) throw new Error(await answer.text());
}

const REVOKED = {
  ...{ kind: 'answer', at: 'before', status: 401, code: -2015 },
  msg: 'Invalid API-key, IP, or permissions for action.',
};

test('a revoked key is reported once, and the bot continues once the key is valid', async () => {
  const id = await working('revoked', 'SOL-USDT', '5000');
  const order = (body: object) =>
    host.call<{ error?: { details: { gate: string } } }>('POST', `/bot/bots/${id}/orders`, {
      body: { requestId: randomUUID(), pair: 'SOL-USDT', type: 'taker', ...body },
    });
  await placeManualOrder(host, id, { pair: 'SOL-USDT', side: 'buy', value: '1000' });
  await until(async () => (await detail(id)).pairViews[0]?.position?.stop?.resting, 'the open stop');
  for (const match of ['POST /api/v3/order', 'DELETE /api/v3/order', 'GET /api/v3/account', 'GET /api/v3/openOrders'])
    await script('POST', { ...REVOKED, match });
  await until(async () => (await detail(id)).account?.connection === 'key_refused', 'the rejected key to be reported');
  const changes = await externalChanges(id);
  expect(changes.map(({ what }) => what)).not.toContain('order_refused');
  const { problem } = await detail(id);
  expect(problem?.en).toMatch(/rejects this key/);
  for (const body of [
    { side: 'buy', value: '100' },
    { side: 'sell', percent: 100 },
  ])
    expect((await order(body)).body.error?.details.gate).toBe('key_refused');
  await script('DELETE');
  await until(async () => (await detail(id)).account?.connection === 'streaming', 'the key to be accepted');
  await placeManualOrder(host, id, { pair: 'SOL-USDT', side: 'sell', percent: 100 });
  await until(async () => (await detail(id)).openPairs === 0, 'the position to be sold');
  const whats = (await externalChanges(id)).map(({ what }) => what);
  expect(whats.filter((what) => what === 'key_refused' || what === 'key_accepted')).toEqual([
    'key_refused',
    'key_accepted',
  ]);
  const { body: page } = await host.call<{ notices: BotNotification[] }>('GET', `/bot/notices?bot=${id}`);
  expect(page.notices.filter(({ data }) => data.what === 'key_refused')).toHaveLength(1);
});
