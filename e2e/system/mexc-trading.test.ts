import type { OrderTicket } from '@heron/engine/live/orderTicket.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits, toUnits } from '@heron/engine/money/units.ts';
import { openMexc } from '@heron/exchanges/ccxt/mexc.ts';
import { mexcBudget, openMexcTrading } from '@heron/exchanges/ccxt/mexcTrading.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import type { AccountEvent, TradingExchange } from '@heron/exchanges/trading.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from './botHost.ts';
import { type FaultyDoor, openFaultyDoor } from './faultyDoor.ts';

const PAIR = 'BTC-USDT';

let sandbox: Sandbox;
let door: FaultyDoor;
let reading: PublicExchange;
let trading: TradingExchange;
let market: Market;
let numbers = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, seed: 21 });
  door = await openFaultyDoor(sandbox.mexc.rest);
  const { rest, ws } = sandbox.mexc;
  reading = await openMexc({ redirect: { rest, ws }, now: Date.now });
  trading = await tradingWith({});
  market = (await reading.markets()).find(({ pair }) => pair === PAIR) as Market;
});

afterEach(() => {
  door.fate = null;
});

afterAll(async () => {
  await trading.close();
  await reading.close();
  await door.close();
  await sandbox.close();
});

function tradingWith(key: { key?: string; secret?: string }): Promise<TradingExchange> {
  return openMexcTrading({
    key: { key: sandbox.mexc.key, secret: sandbox.mexc.secret, ...key },
    redirect: { rest: door.url, ws: sandbox.mexc.ws },
    budget: mexcBudget(Date.now),
    markets: () => reading.markets(),
    now: Date.now,
  });
}

/** A ticket at `away` of the last price, for 0.001 BTC. */
async function ticket(given: Partial<OrderTicket> & { away?: number }): Promise<OrderTicket> {
  const { away = 0, ...rest } = given;
  const [ticker] = await reading.tickers([PAIR]);
  const price = toUnits(Math.round(Number(formatUnits(ticker?.last ?? 0)) * (1 + away)));
  return {
    clientOrderId: `test01-${++numbers}-1`,
    pair: PAIR,
    side: 'buy',
    type: 'limit_maker',
    price,
    quantity: toUnits(0.001, market.assetDecimals),
    exit: false,
    decidedAt: Date.now(),
    ...rest,
  };
}

test('an order is only said to be taken; asked for, it tells what was filled, and its trades are those fills with fees in the quote asset', async () => {
  const sent = await ticket({ type: 'market', price: 0 });
  expect(await trading.place(sent)).toEqual({ report: null, fills: [] });
  expect(await trading.order(PAIR, sent.clientOrderId)).toMatchObject({
    ...{ clientOrderId: sent.clientOrderId, status: 'filled', type: 'market', price: 0 },
    filled: sent.quantity,
  });
  const sold = await ticket({ type: 'market', price: 0, side: 'sell' });
  await trading.place(sold);
  const trades = await trading.ownTrades(PAIR, { at: sent.decidedAt - 1_000, id: '' });
  for (const { clientOrderId, side } of [sent, sold]) {
    const fills = trades.filter((fill) => fill.clientOrderId === clientOrderId);
    expect(fills.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(sent.quantity);
    expect(fills[0]).toMatchObject({ feeAsset: 'USDT', liquidity: 'taker', side });
    expect(fills[0]?.fee).toBeGreaterThan(0);
  }
});

test('an order that rests is listed, told by its client id, cancelled, and then told as cancelled', async () => {
  const sent = await ticket({ away: -0.05 });
  await trading.place(sent);
  const listed = (await trading.openOrders([PAIR])).filter(({ clientOrderId }) => clientOrderId === sent.clientOrderId);
  expect(listed).toMatchObject([{ price: sent.price, quantity: sent.quantity, type: 'limit_maker', status: 'open' }]);
  expect(await trading.cancel(PAIR, sent.clientOrderId)).toBeNull();
  expect(await trading.order(PAIR, sent.clientOrderId)).toMatchObject({ status: 'canceled', filled: 0 });
  await expect(trading.cancel(PAIR, sent.clientOrderId)).rejects.toMatchObject({
    kind: 'refused',
    about: 'unknown_order',
  });
});

test('the stream tells orders and balances, and fills as the list of trades has them', async () => {
  const heard: AccountEvent[] = [];
  const stream = trading.stream((event) => heard.push(event));
  await until(() => heard.some(({ type }) => type === 'connected'), 'the stream');
  const rests = await ticket({ away: -0.05 });
  await trading.place(rests);
  await trading.cancel(PAIR, rests.clientOrderId);
  const takes = await ticket({ type: 'market', price: 0 });
  await trading.place(takes);
  const reports = (id: string) =>
    heard.flatMap((event) => (event.type === 'order' && event.report.clientOrderId === id ? [event.report] : []));
  const fills = () =>
    heard.flatMap((event) =>
      event.type === 'fill' && event.fill.clientOrderId === takes.clientOrderId ? [event.fill] : [],
    );
  await until(() => fills().reduce((sum, { quantity }) => sum + quantity, 0) >= takes.quantity, 'the fills');
  await until(() => reports(takes.clientOrderId).some(({ status }) => status === 'filled'), 'the end of the order');
  expect(reports(rests.clientOrderId).map(({ status }) => status)).toEqual(['open', 'canceled']);
  const trades = await trading.ownTrades(PAIR, { at: takes.decidedAt - 1_000, id: '' });
  for (const fill of fills()) expect(trades).toContainEqual(fill);
  expect(heard.some((event) => event.type === 'balances')).toBe(true);
  await stream.close();
});

test('a stream whose listen keys are used up goes on with one that is there', async () => {
  const heard: AccountEvent[] = [];
  const streams = Array.from({ length: 61 }, () => trading.stream((event) => heard.push(event)));
  await until(() => heard.filter(({ type }) => type === 'connected').length === streams.length, 'all of them');
  await Promise.all(streams.map((stream) => stream.close()));
});

test('what the venue refuses is refused, and what it was about is told', async () => {
  const crossing = await ticket({ away: 0.02 });
  await trading.place(crossing);
  // MEXC takes it and cancels it at once.
  expect(await trading.order(PAIR, crossing.clientOrderId)).toMatchObject({ status: 'post_only_rejected', filled: 0 });
  const dear = await ticket({ away: -0.02, quantity: toUnits(20, market.assetDecimals) });
  await expect(trading.place(dear)).rejects.toMatchObject({ kind: 'refused', about: 'no_money' });
  expect(await trading.order(PAIR, dear.clientOrderId)).toBeNull();
  const stranger = await tradingWith({ key: 'x'.repeat(20) });
  await expect(stranger.balances()).rejects.toMatchObject({ kind: 'refused', about: 'not_allowed' });
  await stranger.close();
});

test('a lost request and a lost answer are both unknown outcomes, and asking by client id tells them apart', async () => {
  const lost = await ticket({ away: -0.05 });
  door.fate = ({ method }) => (method === 'POST' ? 'lost' : 'pass');
  await expect(trading.place(lost)).rejects.toMatchObject({ kind: 'unknown_outcome' });
  const unanswered = await ticket({ away: -0.05 });
  door.fate = ({ method }) => (method === 'POST' ? 'unanswered' : 'pass');
  await expect(trading.place(unanswered)).rejects.toMatchObject({ kind: 'unknown_outcome' });
  door.fate = null;
  expect(await trading.order(PAIR, lost.clientOrderId)).toBeNull();
  expect(await trading.order(PAIR, unanswered.clientOrderId)).toMatchObject({ status: 'open' });
  const posts = door.passed.filter(
    ({ method, params }) => method === 'POST' && params.get('newClientOrderId') === unanswered.clientOrderId,
  );
  expect(posts).toHaveLength(1);
  // The same order once more: what the venue says then does not mean that there is none.
  await expect(trading.place({ ...unanswered, decidedAt: Date.now() })).rejects.toMatchObject({
    kind: 'unknown_outcome',
  });
  await trading.cancel(PAIR, unanswered.clientOrderId);
});

test('an order that was held up for longer than it may live does nothing, wherever it was held', async () => {
  const late = await ticket({ away: -0.05, decidedAt: Date.now() - 5_001 });
  await expect(trading.place(late)).rejects.toMatchObject({ kind: 'unreachable' });
  // Held on the way: the venue itself refuses what it gets too late.
  const held = await ticket({ away: -0.05, decidedAt: Date.now() - 4_000 });
  const release = Promise.withResolvers<'pass'>();
  door.fate = ({ method }) => (method === 'POST' ? { held: release.promise } : 'pass');
  const answer = expect(trading.place(held)).rejects.toMatchObject({ kind: 'unreachable' });
  setTimeout(() => release.resolve('pass'), 1_500);
  await answer;
  expect(await trading.order(PAIR, held.clientOrderId)).toBeNull();
});

test('of the key it is told that it may trade, and that nobody can say whether it may withdraw', async () => {
  expect(await trading.permissions()).toEqual({ trade: true, withdraw: null, ipRestricted: null });
  expect(Object.keys(trading)).not.toContain('withdraw');
});

test('no message, cause or stack of any failure holds key, secret or signature', async () => {
  const { key, secret } = sandbox.mexc;
  const failures: unknown[] = [];
  const caught = (action: Promise<unknown>) => action.catch((error: unknown) => failures.push(error));
  await caught(trading.place(await ticket({ away: -0.02, quantity: toUnits(20, market.assetDecimals) })));
  door.fate = () => 'lost';
  await caught(trading.place(await ticket({ away: -0.05 })));
  await caught(trading.balances());
  await caught(trading.permissions());
  door.fate = () => 'unanswered';
  await caught(trading.cancel(PAIR, 'test01-999-1'));
  const wrong = await tradingWith({ secret: 'wrong'.repeat(12) });
  door.fate = null;
  await caught(wrong.balances());
  await wrong.close();
  expect(failures).toHaveLength(6);
  for (const failure of failures) {
    const { message, stack, cause } = failure as Error;
    const text = [message, stack, JSON.stringify(cause), JSON.stringify(failure)].join('\n');
    for (const hidden of [key, secret, 'signature=']) expect(text).not.toContain(hidden);
  }
});
