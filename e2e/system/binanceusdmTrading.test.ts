import { toUnits } from '@heron/engine/money/units.ts';
import type { AccountEvent, MarginAccount } from '@heron/exchanges/trading.ts';
import { afterEach, expect, test } from 'vitest';
import { until } from './botHost.ts';
import { signedRequest } from './signedRequest.ts';
import { PAIR, testTradingAdapter } from './tradingTestbed.ts';
import { BINANCEUSDM } from './venues.ts';

const testbed = testTradingAdapter(BINANCEUSDM);
const margin = () => testbed().trading.margin as MarginAccount;
const asOwner = <Answer>(method: string, path: string, parameters: Record<string, string> = {}) =>
  signedRequest<Answer>(testbed().sandbox.binanceusdm, method, path, parameters);

/** Closes all positions that a test leaves open. */
afterEach(async () => {
  for (const { quantity } of await margin().positions()) {
    const side = quantity > 0 ? 'sell' : 'buy';
    await testbed().trading.place(
      await testbed().ticket({ side, type: 'market', price: 0, exit: true, quantity: Math.abs(quantity) }),
    );
  }
});

test('a market order is filled, its trades have realised PnL, and a position exists', async () => {
  const { trading, ticket } = testbed();
  const shorts = await ticket({ side: 'sell', type: 'market', price: 0 });
  expect((await trading.place(shorts)).report).toMatchObject({
    ...{ clientOrderId: shorts.clientOrderId, status: 'filled', filled: shorts.quantity, type: 'market' },
  });
  const [position] = await margin().positions();
  expect(position).toMatchObject({ pair: PAIR, quantity: -shorts.quantity, margin: 0 });
  const covers = await ticket({ type: 'market', price: 0, exit: true });
  await trading.place(covers);
  expect(await margin().positions()).toEqual([]);
  const trades = await trading.ownTrades(PAIR, { at: shorts.decidedAt - 1_000, id: '' });
  const [opened, closed] = [shorts, covers].map(({ clientOrderId }) =>
    trades.filter((fill) => fill.clientOrderId === clientOrderId),
  );
  for (const fill of opened ?? []) expect(fill).toMatchObject({ side: 'sell', feeAsset: 'USDT', exit: false, pnl: 0 });
  for (const fill of closed ?? []) expect(fill).toMatchObject({ side: 'buy', exit: true });
  // The order has several fills where the best price has too little depth, and the exit may fill at the same price.
  const average = (fills: typeof trades = []) =>
    fills.reduce((sum, { price, quantity }) => sum + price * (quantity / shorts.quantity), 0);
  expect(Math.abs((position?.entryPrice ?? 0) - average(opened))).toBeLessThan(1);
  const pnl = (closed ?? []).reduce((sum, fill) => sum + (fill.pnl ?? 0), 0);
  expect(Math.abs(pnl - (average(opened) - average(closed)) * 0.002)).toBeLessThan(1 + (closed ?? []).length);
});

test('reduce-only without a position and post-only that would take are rejected', async () => {
  const { trading, ticket } = testbed();
  await expect(
    trading.place(await ticket({ side: 'sell', type: 'market', price: 0, exit: true })),
  ).rejects.toMatchObject({ kind: 'refused', about: 'other' });
  await expect(trading.place(await ticket({ away: 0.02 }))).rejects.toMatchObject({
    ...{ kind: 'refused', about: 'would_take' },
  });
});

test('leverage and margin mode are set, also repeatedly, or rejected with a reason', async () => {
  await margin().setMarginMode(PAIR, 'isolated');
  await margin().setMarginMode(PAIR, 'isolated');
  await margin().setLeverage(PAIR, 7);
  await margin().setLeverage(PAIR, 7);
  const set = async () => (await margin().settings()).find(({ pair }) => pair === PAIR);
  expect(await set()).toEqual({ pair: PAIR, leverage: 7, isolated: true });
  await testbed().trading.place(await testbed().ticket({ type: 'market', price: 0 }));
  const [position] = await margin().positions();
  expect(position?.margin).toBeGreaterThan(0);
  await expect(margin().setMarginMode(PAIR, 'cross')).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('exists position'),
  });
  await expect(margin().setLeverage(PAIR, 3)).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('Leverage reduction is not supported'),
  });
});

test('a stop is listed beside the orders, found by client id, and cancelled', async () => {
  const { trading, ticket } = testbed();
  await trading.place(await ticket({ type: 'market', price: 0 }));
  const { price, ...far } = await ticket({ side: 'sell', away: -0.1, exit: true });
  const stop = { ...far, type: 'stop_market', price: 0, trigger: { price, by: 'mark' } } as const;
  expect((await trading.place(stop)).report).toMatchObject({ clientOrderId: stop.clientOrderId, status: 'open' });
  const listed = (await trading.openOrders([PAIR])).filter(({ clientOrderId }) => clientOrderId === stop.clientOrderId);
  expect(listed).toMatchObject([
    { type: 'stop_market', quantity: stop.quantity, exit: true, side: 'sell', trigger: stop.trigger },
  ]);
  expect(await trading.order(PAIR, stop.clientOrderId, 'stop')).toMatchObject({ status: 'open', filled: 0 });
  await trading.cancel(PAIR, stop.clientOrderId, 'stop');
  expect(await trading.order(PAIR, stop.clientOrderId, 'stop')).toMatchObject({ status: 'canceled', filled: 0 });
  await expect(trading.cancel(PAIR, stop.clientOrderId, 'stop')).rejects.toMatchObject({
    ...{ kind: 'refused', about: 'unknown_order' },
  });
  expect(await trading.order(PAIR, 'test01-999-1', 'stop')).toBeNull();
});

test('a triggered stop sells its position; order, fills and trades have its client id', async () => {
  const { trading, ticket, market } = testbed();
  const events: AccountEvent[] = [];
  const stream = trading.stream((event) => events.push(event));
  await until(() => events.some(({ type }) => type === 'connected'), 'the stream');
  await trading.place(await ticket({ type: 'market', price: 0 }));
  // A stop one tick below the market triggers soon. A stop that arrives too late is rejected, and one that the market moves
  // away from is replaced.
  const stop = await until(
    async () => {
      const { price, ...near } = await ticket({ side: 'sell', exit: true });
      const wanted = {
        ...near,
        type: 'stop_market',
        price: 0,
        trigger: { price: price - market.tick, by: 'last' },
      } as const;
      const accepted = await trading.place(wanted).then(
        () => true,
        () => false,
      );
      if (!accepted) return null;
      const status = async () => (await trading.order(PAIR, wanted.clientOrderId, 'stop'))?.status;
      const soon = performance.now() + 5_000;
      await until(async () => (await status()) === 'filled' || performance.now() > soon, 'the fill of the stop');
      if ((await status()) !== 'filled') await trading.cancel(PAIR, wanted.clientOrderId, 'stop').catch(() => {});
      const end = await until(async () => {
        const current = await status();
        return current === undefined || current === 'open' ? null : current;
      }, 'the stop to end');
      return end === 'filled' ? wanted : null;
    },
    'a stop that fills',
    90_000,
  );
  const { clientOrderId } = stop;
  expect(await margin().positions()).toEqual([]);
  const trades = (await trading.ownTrades(PAIR, { at: stop.decidedAt - 1_000, id: '' })).filter(
    (fill) => fill.clientOrderId === clientOrderId,
  );
  expect(trades.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(stop.quantity);
  for (const fill of trades) expect(fill).toMatchObject({ side: 'sell', exit: true });
  await until(
    () =>
      events.some(
        (event) =>
          event.type === 'order' && event.report.clientOrderId === clientOrderId && event.report.status === 'filled',
      ),
    'the report of the stream',
  );
  const fills = events.flatMap((event) =>
    event.type === 'fill' && event.fill.clientOrderId === clientOrderId ? [event.fill] : [],
  );
  expect(fills).toEqual(trades);
  await stream.close();
});

test('brackets cover every contract from zero up, with ever lower leverage', async () => {
  const brackets = (await margin().brackets()).get(PAIR) ?? [];
  expect(brackets.length).toBeGreaterThan(3);
  expect(brackets[0]).toMatchObject({ floor: 0, cum: 0 });
  brackets.forEach(({ floor, maxLeverage }, level) => {
    const below = brackets[level - 1];
    if (below === undefined) return;
    expect(floor).toBe(below.cap);
    expect(maxLeverage).toBeLessThan(below.maxLeverage);
  });
});

test('in hedge mode long and short coexist, and each exit closes only its own side', async () => {
  const { trading, ticket } = testbed();
  expect(await margin().hedged()).toBe(false);
  await asOwner('POST', '/fapi/v1/positionSide/dual', { dualSidePosition: 'true' });
  // The first order is rejected, because the account's owner has changed the position mode that the adapter cached.
  await expect(trading.place(await ticket({ type: 'market', price: 0 }))).rejects.toMatchObject({ kind: 'refused' });
  await trading.place(await ticket({ type: 'market', price: 0 }));
  await trading.place(await ticket({ side: 'sell', type: 'market', price: 0 }));
  const quantities = async () => (await margin().positions()).map(({ quantity }) => quantity).sort();
  const size = toUnits(0.002, testbed().market.assetDecimals);
  expect(await quantities()).toEqual([-size, size]);
  expect(await margin().hedged()).toBe(true);
  const exitTicket = await ticket({ side: 'sell', type: 'market', price: 0, exit: true });
  await trading.place(exitTicket);
  expect(await quantities()).toEqual([-size]);
  const trades = await trading.ownTrades(PAIR, { at: exitTicket.decidedAt - 1_000, id: '' });
  expect(trades.find(({ clientOrderId }) => clientOrderId === exitTicket.clientOrderId)).toMatchObject({ exit: true });
  await trading.place(await ticket({ type: 'market', price: 0, exit: true }));
  await asOwner('POST', '/fapi/v1/positionSide/dual', { dualSidePosition: 'false' });
  await margin().hedged();
});

test('a working order is listed, cancelled, and then reported as cancelled', async () => {
  const { trading, ticket } = testbed();
  const sent = await ticket({ away: -0.05 });
  expect((await trading.place(sent)).report).toMatchObject({ status: 'open', filled: 0 });
  const listed = (await trading.openOrders([PAIR])).filter(({ clientOrderId }) => clientOrderId === sent.clientOrderId);
  expect(listed).toMatchObject([{ price: sent.price, quantity: sent.quantity, type: 'limit_maker', exit: false }]);
  expect(await trading.cancel(PAIR, sent.clientOrderId)).toMatchObject({ status: 'canceled' });
  expect(await trading.order(PAIR, sent.clientOrderId)).toMatchObject({ status: 'canceled', filled: 0 });
  await expect(trading.cancel(PAIR, sent.clientOrderId)).rejects.toMatchObject({
    ...{ kind: 'refused', about: 'unknown_order' },
  });
});

test('an unaffordable order and an unknown key are rejected; our key may only trade', async () => {
  const { trading, market, ticket, tradingWith } = testbed();
  const expensive = await ticket({ away: -0.02, quantity: toUnits(30, market.assetDecimals) });
  await expect(trading.place(expensive)).rejects.toMatchObject({ kind: 'refused', about: 'no_money' });
  const stranger = await tradingWith({ key: 'x'.repeat(64) });
  await expect(stranger.balances()).rejects.toMatchObject({ kind: 'refused', about: 'not_allowed' });
  await stranger.close();
  expect(await trading.permissions()).toEqual({ trade: true, withdraw: false, ipRestricted: false });
});

test('the stream sends orders, fills as listed, and changes without an order', async () => {
  const { trading, ticket } = testbed();
  const events: AccountEvent[] = [];
  const stream = trading.stream((event) => events.push(event));
  await until(() => events.some(({ type }) => type === 'connected'), 'the stream');
  const sent = await ticket({ type: 'market', price: 0 });
  await trading.place(sent);
  await until(() => events.some((event) => event.type === 'order' && event.report.status === 'filled'), 'the fill');
  const reports = events.flatMap((event) => (event.type === 'order' ? [event.report] : []));
  const fills = events.flatMap((event) => (event.type === 'fill' ? [event.fill] : []));
  const trades = await trading.ownTrades(PAIR, { at: sent.decidedAt - 1_000, id: '' });
  expect(trades.filter(({ clientOrderId }) => clientOrderId === sent.clientOrderId)).toEqual(fills);
  for (const report of reports) expect(report).toMatchObject({ clientOrderId: sent.clientOrderId, pair: PAIR });
  await until(() => events.some(({ type }) => type === 'balances'), 'the balances');
  expect(events.some(({ type }) => type === 'changed')).toBe(false);
  await asOwner('POST', '/fapi/v1/leverage', { symbol: 'ETHUSDT', leverage: '3' });
  await until(() => events.some(({ type }) => type === 'changed'), 'the change');
  await stream.close();
});

test('the wallet excludes unrealised PnL, and incomes exclude trades', async () => {
  const before = Date.now() - 1_000;
  await testbed().trading.place(await testbed().ticket({ type: 'market', price: 0 }));
  const rows = await asOwner<{ asset: string; balance: string }[]>('GET', '/fapi/v3/balance');
  expect(await testbed().trading.balances()).toEqual(
    rows.map(({ asset, balance }) => ({ asset, free: balance, locked: '0' })),
  );
  expect(await margin().incomes(before)).toEqual([]);
});
