import type { OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { MarginAccount, TradingExchange } from '@heron/exchanges/trading.ts';
import { beforeEach, expect, test } from 'vitest';
import { createContractSetup } from './contractSetup.ts';

const PAIR = 'BTC-USDT';
/** The entry order of a flat bot. */
const ENTRY = { pair: PAIR, exit: false, margin: { leverage: 7, isolated: true } } as OrderRequest;

let held: number;
let calls: string[];
let trading: TradingExchange;

beforeEach(() => {
  held = 0;
  calls = [];
  const margin = {
    async positions() {
      calls.push('positions');
      return held === 0 ? [] : [{ pair: PAIR, quantity: held }];
    },
    async setLeverage() {
      calls.push('leverage');
    },
    async setMarginMode() {
      calls.push('mode');
    },
    // Implements only the calls of the contract setup.
  } as unknown as MarginAccount;
  trading = { name: 'binanceusdm', margin } as unknown as TradingExchange;
});

/** Creates a setup whose account stream is connected. */
function events() {
  const setup = createContractSetup();
  setup.setStreaming(true);
  return setup;
}

const received = (quantity: number) => [{ pair: PAIR, leverage: 7, isolated: true, quantity }];

test.each([5, -5])('a contract on which the owner holds %d is neither set up nor entered', async (quantity) => {
  const setup = events();
  held = quantity;
  await expect(setup.prepare(trading, ENTRY)).rejects.toMatchObject({
    ...{ kind: 'refused', message: expect.stringContaining('a position is open on this contract') },
  });
  setup.beginObservation()(received(quantity), () => 0);
  await expect(setup.prepare(trading, ENTRY)).rejects.toMatchObject({ kind: 'refused' });
  expect(calls).toEqual(['positions', 'positions']);
});

test('a position that the owner has closed since the snapshot blocks nothing', async () => {
  const setup = events();
  setup.beginObservation()(received(5), () => 0);
  await setup.prepare(trading, ENTRY);
  expect(calls).toEqual(['positions']);
});

test('a snapshot with only the position of the bot allows entries without a request', async () => {
  const setup = events();
  setup.beginObservation()(received(-5), () => -5);
  await setup.prepare(trading, ENTRY);
  expect(calls).toEqual([]);
});

test('after an external trade of a contract its position is requested before an entry', async () => {
  const setup = events();
  setup.beginObservation()(received(0), () => 0);
  held = -5;
  setup.invalidate(PAIR);
  await expect(setup.prepare(trading, ENTRY)).rejects.toMatchObject({ kind: 'refused' });
  expect(calls).toEqual(['positions']);
});

test.each([
  ['while the account stream is down', [false]],
  ['when the account stream was down for a moment', [false, true]],
])('the last snapshot is not trusted %s', async (_, course) => {
  const setup = events();
  setup.beginObservation()(received(0), () => 0);
  for (const isStreaming of course) setup.setStreaming(isStreaming);
  held = -5;
  await expect(setup.prepare(trading, ENTRY)).rejects.toMatchObject({ kind: 'refused' });
});

test('a snapshot without the stream is not trusted', async () => {
  const setup = events();
  setup.setStreaming(false);
  setup.beginObservation()(received(0), () => 0);
  held = -5;
  await expect(setup.prepare(trading, ENTRY)).rejects.toMatchObject({ kind: 'refused' });
});

test('an external trade during an account snapshot keeps the contract unverified', async () => {
  const setup = events();
  const shown = setup.beginObservation();
  setup.invalidate(PAIR);
  shown(received(0), () => 0);
  await setup.prepare(trading, ENTRY);
  expect(calls).toEqual(['positions']);
});
