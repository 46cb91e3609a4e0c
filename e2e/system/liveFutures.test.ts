import type { BotDetail, JournalEntry } from '@heron/contract/bots/entities.ts';
import type { MarginAccount } from '@heron/exchanges/trading.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotHost, placeManualOrder, until } from './botHost.ts';
import { addKey, createLiveBot, type LiveTestbed, startLive, startLiveTestbed } from './liveTestbed.ts';
import { signedRequest } from './signedRequest.ts';
import { fillsOf, fundingsOf, units, wholeJournal } from './statement.ts';
import { BINANCEUSDM } from './venues.ts';

const PAIR = 'BTC-USDT';
/** Funding interval in ms, instead of eight hours, so that payments occur during the test. */
const FUNDING_MS = 15_000;

let testbed: LiveTestbed;
let host: BotHost;
let key: string;

beforeAll(async () => {
  testbed = await startLiveTestbed(BINANCEUSDM, 'live-futures', { seed: 61, fundingMs: FUNDING_MS });
  host = await testbed.startHost();
  ({ id: key } = await addKey(host, testbed, BINANCEUSDM));
});

afterAll(async () => {
  await host.stop();
  await testbed.close();
});

const OPTIONS = {
  leverage: 3,
  margin_mode: 'isolated',
  market: 'both',
  strategy: 'manual',
};
const made = (name: string, options: Record<string, unknown> = {}) =>
  createLiveBot(host, { venue: BINANCEUSDM, name, key, options: { ...OPTIONS, ...options } });
const detail = async (id: string) => (await host.call<BotDetail>('GET', `/bot/bots/${id}`)).body;
const held = async (id: string) => (await detail(id)).pairViews[0]?.position ?? null;
const margin = () => testbed.owner.margin as MarginAccount;
const ofKind = async (id: string, kind: JournalEntry['kind']) =>
  (await wholeJournal(host, id)).filter((entry) => entry.kind === kind);
const asOwner = <Answer>(method: string, path: string, parameters: Record<string, string> = {}) =>
  signedRequest<Answer>(testbed.sandbox.binanceusdm, method, path, parameters);

/** Places a manual order until it is accepted, and waits until its parent order has finished. */
async function order(id: string, body: Record<string, unknown>): Promise<void> {
  // A stop that is cancelled for a sale finishes before the sale does, so it is not counted.
  const ended = async () =>
    (await ofKind(id, 'intent_end')).filter(({ data }) => data.reason !== 'exchange_stop').length;
  const ends = await ended();
  await placeManualOrder(host, id, { pair: PAIR, ...body });
  await until(async () => (await ended()) > ends, 'the parent order to end');
}

async function stopped(id: string): Promise<void> {
  await host.call('POST', `/bot/bots/${id}/stop`);
  await until(async () => (await detail(id)).status === 'finished', 'the bot to end');
}

/** Stops and deletes a bot, which releases its allotment for the next bot. */
async function stopAndDelete(id: string): Promise<void> {
  await stopped(id);
  expect((await host.call('DELETE', `/bot/bots/${id}`)).status).toBe(200);
}

async function paid(id: string, more: number): Promise<void> {
  const before = (await ofKind(id, 'funding')).length;
  await until(async () => (await ofKind(id, 'funding')).length >= before + more, 'funding', 4 * FUNDING_MS);
}

test('a live futures bot sets up contracts first and matches the exchange exactly', async () => {
  const id = await made('both ways');
  await startLive(host, id, 'both ways');
  await order(id, { side: 'buy', value: '700' });
  expect((await margin().settings()).find(({ pair }) => pair === PAIR)).toMatchObject({ leverage: 3, isolated: true });
  const [long] = await margin().positions();
  expect(long?.quantity).toBeGreaterThan(0);
  expect(await held(id)).toMatchObject({ direction: 'long' });
  await paid(id, 1);
  await order(id, { side: 'sell', percent: 40 });
  await order(id, { side: 'sell', percent: 100 });
  expect(await held(id)).toBeNull();
  await order(id, { side: 'buy', short: true, value: '700' });
  expect(await held(id)).toMatchObject({ direction: 'short' });
  const [short] = await margin().positions();
  expect(short?.quantity).toBeLessThan(0);
  await paid(id, 1);
  await order(id, { side: 'sell', percent: 100 });
  expect(await margin().positions()).toEqual([]);
  // The bot books the newest payment only at its next account snapshot.
  const wallet = async () => (await testbed.owner.balances()).find(({ asset }) => asset === 'USDT')?.free ?? '';
  await until(async () => units((await detail(id)).performance.cash) === units(await wallet()), 'the books to agree');
  await stopped(id);

  const journal = await wholeJournal(host, id);
  const trades = await testbed.owner.ownTrades(PAIR, { at: (journal[0]?.at ?? 0) - 60_000, id: '' });
  expect(
    fillsOf(journal)
      .map((fill) => fill.id)
      .sort(),
  ).toEqual(trades.map((fill) => fill.id).sort());
  const incomes = await margin().incomes((journal[0]?.at ?? 0) - 60_000);
  const fundings = fundingsOf(journal);
  expect(fundings).toEqual(incomes.map(({ amount }) => BigInt(amount)));
  expect(fundings.length).toBeGreaterThanOrEqual(2);
  const surprises = journal.filter(
    ({ kind, data }) => kind === 'external' && (data.what === 'adjust' || data.what === 'transfer'),
  );
  expect(surprises).toEqual([]);
  await stopAndDelete(id);
});

test('a contract whose set-up the exchange rejects is not traded, with a journal entry', async () => {
  const id = await made('set up', { margin_mode: 'cross' });
  await startLive(host, id, 'set up');
  const [ticker] = await testbed.reading.tickers([PAIR]);
  await testbed.owner.place({
    ...{ clientOrderId: 'by-hand-1', pair: PAIR, side: 'buy', type: 'limit_maker', exit: false, decidedAt: Date.now() },
    ...{ price: Math.round(((ticker?.last ?? 0) * 0.9) / 1e8) * 1e8, quantity: 5 * 10 ** 6, assetDecimals: 7 },
  });
  await order(id, { side: 'buy', value: '700' });
  const refusals = (await ofKind(id, 'external')).filter(({ data }) => data.what === 'order_refused');
  expect(refusals).toMatchObject([{ data: { why: expect.stringContaining('Margin type cannot be changed') } }]);
  expect(await margin().positions()).toEqual([]);
  await testbed.owner.cancel(PAIR, 'by-hand-1');
  await order(id, { side: 'buy', value: '700' });
  expect((await margin().settings()).find(({ pair }) => pair === PAIR)).toMatchObject({ isolated: false });
  expect(await held(id)).toMatchObject({ direction: 'long' });
  await order(id, { side: 'sell', percent: 100 });
  await stopAndDelete(id);
});

test('manual changes of the owner are recorded: new leverage, and a reduced position', async () => {
  const id = await made('by hand too');
  await startLive(host, id, 'by hand too');
  await order(id, { side: 'buy', value: '700' });
  await asOwner('POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage: '5' });
  const externalChange = async (what: string) => (await ofKind(id, 'external')).find(({ data }) => data.what === what);
  expect((await until(() => externalChange('leverage'), 'the leverage')).data).toMatchObject({ leverage: 5 });
  const { quantity } = (await held(id)) as { quantity: string };
  await asOwner('POST', '/fapi/v1/order', {
    ...{ symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', reduceOnly: 'true', quantity: '0.002' },
  });
  await until(() => externalChange('adjust'), 'the adjustment');
  expect(units((await held(id))?.quantity ?? '')).toBe(units(quantity) - units('0.002'));
  await order(id, { side: 'sell', percent: 100 });
  expect(await margin().positions()).toEqual([]);
  await stopAndDelete(id);
});

test('in hedge mode the funding of the owner’s own short is not booked by the bot', async () => {
  await asOwner('POST', '/fapi/v1/positionSide/dual', { dualSidePosition: 'true' });
  const id = await made('beside its owner');
  await startLive(host, id, 'beside its owner');
  await order(id, { side: 'buy', value: '700' });
  const { quantity } = (await held(id)) as { quantity: string };
  // The position is larger than the bot's long, so that their funding payments differ.
  const short = { symbol: 'BTCUSDT', positionSide: 'SHORT', type: 'MARKET', quantity: '0.05' };
  expect(units(quantity)).toBeLessThan(units('0.04'));
  await asOwner('POST', '/fapi/v1/order', { ...short, side: 'SELL' });
  const since = Date.now();
  await paid(id, 2);
  const own = (await ofKind(id, 'funding'))
    .filter(({ at }) => at > since)
    .map(({ data }) => units(String(data.amount)));
  const paidTo = new Map<number, number[]>();
  for (const { at, amount } of await margin().incomes(since)) paidTo.set(at, [...(paidTo.get(at) ?? []), amount]);
  const both = [...paidTo.values()].filter((amounts) => amounts.length === 2);
  const smaller = both.map((amounts) => BigInt(amounts.reduce((a, b) => (Math.abs(a) < Math.abs(b) ? a : b))));
  expect(own).toEqual(smaller.slice(0, own.length));
  expect(own.length).toBeGreaterThanOrEqual(2);
  await asOwner('POST', '/fapi/v1/order', { ...short, side: 'BUY' });
  await order(id, { side: 'sell', percent: 100 });
  await stopAndDelete(id);
  await asOwner('POST', '/fapi/v1/positionSide/dual', { dualSidePosition: 'false' });
});
