import { toUnits } from '@heron/engine/money/units.ts';
import type { AccountEvent } from '@heron/exchanges/trading.ts';
import { expect, test } from 'vitest';
import { until } from './botHost.ts';
import { PAIR, testTradingAdapter } from './tradingTestbed.ts';
import { MEXC } from './venues.ts';

const testbed = testTradingAdapter(MEXC);

test('an order is only accepted at first; its status and trades report its fills', async () => {
  const { trading, ticket } = testbed();
  const sent = await ticket({ type: 'market', price: 0 });
  expect(await trading.place(sent)).toEqual({ report: null, fills: [] });
  expect(await trading.order(PAIR, sent.clientOrderId)).toMatchObject({
    // MEXC documents a quantity only for market sales, so a market purchase is a limit order across the spread.
    ...{ clientOrderId: sent.clientOrderId, status: 'filled', type: 'limit_ioc', filled: sent.quantity },
  });
  const sold = await ticket({ type: 'market', price: 0, side: 'sell' });
  await trading.place(sold);
  expect(await trading.order(PAIR, sold.clientOrderId)).toMatchObject({ status: 'filled', type: 'market', price: 0 });
  const trades = await trading.ownTrades(PAIR, { at: sent.decidedAt - 1_000, id: '' });
  for (const { clientOrderId, side } of [sent, sold]) {
    const fills = trades.filter((fill) => fill.clientOrderId === clientOrderId);
    expect(fills.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(sent.quantity);
    expect(fills[0]).toMatchObject({ feeAsset: 'USDT', liquidity: 'taker', side });
    expect(fills[0]?.fee).toBeGreaterThan(0);
  }
});

test('a working order is listed, found by client id, and reported once cancelled', async () => {
  const { trading, ticket } = testbed();
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

test('the stream sends orders and balances, and fills equal to the list of trades', async () => {
  const { trading, ticket } = testbed();
  const events: AccountEvent[] = [];
  const stream = trading.stream((event) => events.push(event));
  await until(() => events.some(({ type }) => type === 'connected'), 'the stream');
  const limitTicket = await ticket({ away: -0.05 });
  await trading.place(limitTicket);
  await trading.cancel(PAIR, limitTicket.clientOrderId);
  const marketTicket = await ticket({ type: 'market', price: 0 });
  await trading.place(marketTicket);
  const reports = (id: string) =>
    events.flatMap((event) => (event.type === 'order' && event.report.clientOrderId === id ? [event.report] : []));
  const fills = () =>
    events.flatMap((event) =>
      event.type === 'fill' && event.fill.clientOrderId === marketTicket.clientOrderId ? [event.fill] : [],
    );
  await until(() => fills().reduce((sum, { quantity }) => sum + quantity, 0) >= marketTicket.quantity, 'the fills');
  await until(
    () => reports(marketTicket.clientOrderId).some(({ status }) => status === 'filled'),
    'the end of the order',
  );
  expect(reports(limitTicket.clientOrderId).map(({ status }) => status)).toEqual(['open', 'canceled']);
  const trades = await trading.ownTrades(PAIR, { at: marketTicket.decidedAt - 1_000, id: '' });
  for (const fill of fills()) expect(trades).toContainEqual(fill);
  await until(() => events.some((event) => event.type === 'balances'), 'the balances');
  await stream.close();
});

test('a stream without a free listen key uses one that exists', async () => {
  const { trading } = testbed();
  const events: AccountEvent[] = [];
  const streams = Array.from({ length: 61 }, () => trading.stream((event) => events.push(event)));
  await until(
    () => events.filter(({ type }) => type === 'connected').length === streams.length,
    'all streams to connect',
  );
  await Promise.all(streams.map((stream) => stream.close()));
});

test('rejections by the venue are reported with their reason and subject', async () => {
  const { trading, market, ticket, tradingWith } = testbed();
  const crossing = await ticket({ away: 0.02 });
  await trading.place(crossing);
  // MEXC accepts the order and cancels it at once.
  expect(await trading.order(PAIR, crossing.clientOrderId)).toMatchObject({ status: 'post_only_rejected', filled: 0 });
  const expensive = await ticket({ away: -0.02, quantity: toUnits(20, market.assetDecimals) });
  await expect(trading.place(expensive)).rejects.toMatchObject({ kind: 'refused', about: 'no_money' });
  expect(await trading.order(PAIR, expensive.clientOrderId)).toBeNull();
  const stranger = await tradingWith({ key: 'x'.repeat(20) });
  await expect(stranger.balances()).rejects.toMatchObject({ kind: 'refused', about: 'not_allowed' });
  await stranger.close();
});

test('a key reports that it may trade, and that its withdrawal permission is unknown', async () => {
  const { trading } = testbed();
  expect(await trading.permissions()).toEqual({ trade: true, withdraw: null, ipRestricted: null });
  expect(Object.keys(trading)).not.toContain('withdraw');
});
