import { randomUUID } from 'node:crypto';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, until } from './botHost.ts';
import { addKey, createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { wholeJournal } from './statement.ts';
import { BINANCE } from './venues.ts';

const PAIR = 'BTC-USDT';
/** Timeout in ms: the bot host reads the state of pairs once a minute. */
const READ_MS = 100_000;
/** This strategy sells at the close of every candle. */
const ALWAYS_SELLS = {
  options: { strategy: 'custom', max_sell_loss_pct: 0 },
  params: {
    parts: [
      {
        ...{ name: 'any', indicator: 'ema', input: { length: 2 } },
        sellPoint: { connect: 'base', source: 'close', op: 'gt', target: 0 },
      },
    ],
  },
};

let testbed: LiveTestbed;
let host: BotHost;

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCE, 'suspended', { port: 0, seed: 91, faults: true });
  host = await testbed.startHost({});
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

test('while the exchange only cancels, the stop stays, and orders and exits wait', async () => {
  const { id: key } = await addKey(host, testbed, BINANCE);
  const id = await createLiveBot(host, {
    venue: BINANCE,
    name: 'held',
    key,
    allotment: '3000',
    options: { strategy: 'manual' },
  });
  await startLive(host, id, 'held');
  const view = async () => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body.pairViews[0];
  const order = (body: object) =>
    host.call('POST', `/bot/bots/${id}/orders`, {
      body: { requestId: randomUUID(), pair: PAIR, type: 'taker', ...body },
    });
  const stops = async () => (await testbed.owner.openOrders([PAIR])).filter(({ trigger }) => trigger !== undefined);
  expect((await order({ side: 'buy', value: '500' })).status).toBe(200);
  const [stop] = await until(async () => {
    const found = await stops();
    return found.length === 1 && found;
  }, 'the stop');
  const faults = `${testbed.sandbox.binance.rest}/faults`;
  await fetch(faults, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'cancelOnly', match: 'BTCUSDT' }),
  });
  await until(async () => (await view())?.flag === 'cancel_only', 'the state of the pair', READ_MS);
  expect((await order({ side: 'buy', value: '100' })).status).toBe(422);
  expect((await order({ side: 'sell', percent: 100 })).status).toBe(422);
  expect((await host.call('POST', `/bot/bots/${id}/options`, { body: ALWAYS_SELLS })).status).toBe(200);
  const kinds = async () =>
    (await wholeJournal(host, id)).map(({ kind, data }) => `${kind} ${data.what ?? data.status ?? ''}`);
  await until(async () => (await kinds()).includes('alarm exit_not_filled'), 'the alarm', READ_MS);
  expect((await stops()).map(({ clientOrderId }) => clientOrderId)).toEqual([stop?.clientOrderId]);
  await fetch(faults, { method: 'DELETE' });
  await until(async () => (await view())?.position === null, 'the position to be sold', READ_MS);
  expect(await stops()).toEqual([]);
  expect((await kinds()).filter((kind) => kind.startsWith('suspension'))).toEqual([
    'suspension cancel_only',
    'suspension trading',
  ]);
});
