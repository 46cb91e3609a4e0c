import { toUnits } from '@heron/engine/money/units.ts';
import type { AccountEvent } from '@heron/exchanges/trading.ts';
import { expect, test } from 'vitest';
import { until } from './botHost.ts';
import { PAIR, testTradingAdapter } from './tradingTestbed.ts';
import { BINANCE } from './venues.ts';

const testbed = testTradingAdapter(BINANCE);

test('a market order reports its fills in exact units, and its trades are those fills', async () => {
  const { trading, ticket } = testbed();
  const sent = await ticket({ type: 'market', price: 0 });
  const { report, fills } = await trading.place(sent);
  expect(report).toMatchObject({ clientOrderId: sent.clientOrderId, status: 'filled', filled: sent.quantity });
  expect(fills.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(sent.quantity);
  const trades = await trading.ownTrades(PAIR, { at: sent.decidedAt, id: '' });
  expect(trades.filter(({ clientOrderId }) => clientOrderId === sent.clientOrderId)).toEqual(fills);
  expect(fills[0]).toMatchObject({ feeAsset: 'BTC', liquidity: 'taker', side: 'buy' });
});

test('a working order is listed, found by client id, and reported once cancelled', async () => {
  const { trading, ticket } = testbed();
  const sent = await ticket({ away: -0.05 });
  expect((await trading.place(sent)).report).toMatchObject({ status: 'open', filled: 0 });
  const listed = (await trading.openOrders([PAIR])).filter(({ clientOrderId }) => clientOrderId === sent.clientOrderId);
  expect(listed).toMatchObject([{ price: sent.price, quantity: sent.quantity, type: 'limit_maker' }]);
  expect(await trading.order(PAIR, sent.clientOrderId)).toMatchObject({ status: 'open' });
  expect(await trading.cancel(PAIR, sent.clientOrderId)).toMatchObject({
    clientOrderId: sent.clientOrderId,
    status: 'canceled',
  });
  expect(await trading.order(PAIR, sent.clientOrderId)).toMatchObject({ status: 'canceled' });
  await expect(trading.cancel(PAIR, sent.clientOrderId)).rejects.toMatchObject({
    kind: 'refused',
    about: 'unknown_order',
  });
});

test.each(['stop_market', 'stop_limit'] as const)(
  'a %s waits at its trigger, is listed with it, and is cancelled like any order',
  async (type) => {
    const { trading, ticket, market } = testbed();
    expect(market.stop).toBe('market');
    const { price, ...rest } = await ticket({ type, side: 'sell', away: -0.03 });
    const trigger = { price, by: 'last' } as const;
    const limit = type === 'stop_limit' ? price - (price % (100 * market.tick)) - 100 * market.tick : 0;
    const sent = { ...rest, price: limit, trigger };
    expect((await trading.place(sent)).report).toMatchObject({ status: 'open', type, filled: 0 });
    const listed = (await trading.openOrders([PAIR])).filter(
      ({ clientOrderId }) => clientOrderId === sent.clientOrderId,
    );
    expect(listed).toMatchObject([{ type, trigger, price: limit, quantity: sent.quantity, side: 'sell' }]);
    expect(await trading.order(PAIR, sent.clientOrderId, 'stop')).toMatchObject({ status: 'open', trigger });
    expect(await trading.cancel(PAIR, sent.clientOrderId, 'stop')).toMatchObject({ status: 'canceled' });
    const reached = await ticket({ type, side: 'sell', away: 0.02 });
    const late = { ...reached, price: limit, trigger: { price: reached.price, by: 'last' } as const };
    await expect(trading.place(late)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('trigger immediately'),
    });
  },
);

test('the stream sends orders, fills and balances, and a fill before its order report', async () => {
  const { trading, ticket } = testbed();
  const events: AccountEvent[] = [];
  const stream = trading.stream((event) => events.push(event));
  await until(() => events.some(({ type }) => type === 'connected'), 'the stream');
  const limitTicket = await ticket({ away: -0.05 });
  await trading.place(limitTicket);
  await trading.cancel(PAIR, limitTicket.clientOrderId);
  const marketTicket = await ticket({ type: 'market', price: 0 });
  const { fills } = await trading.place(marketTicket);
  const reports = (id: string) =>
    events.flatMap((event) => (event.type === 'order' && event.report.clientOrderId === id ? [event.report] : []));
  await until(() => reports(marketTicket.clientOrderId).some(({ status }) => status === 'filled'), 'the fill');
  expect(reports(limitTicket.clientOrderId).map(({ status }) => status)).toEqual(['open', 'canceled']);
  const streamed = events.flatMap((event) => (event.type === 'fill' ? [event.fill] : []));
  expect(streamed).toEqual(fills);
  const at = (wanted: (event: AccountEvent) => boolean) => events.findIndex(wanted);
  expect(at(({ type }) => type === 'fill')).toBeLessThan(
    at((event) => event.type === 'order' && event.report.status === 'filled'),
  );
  await until(() => events.some((event) => event.type === 'balances'), 'the balances');
  await stream.close();
});

test('rejections by the venue are reported with their reason and subject', async () => {
  const { trading, market, ticket, tradingWith } = testbed();
  const crossing = await ticket({ away: 0.02 });
  await expect(trading.place(crossing)).rejects.toMatchObject({ kind: 'refused', about: 'would_take' });
  const expensive = await ticket({ away: -0.02, quantity: toUnits(50, market.assetDecimals) });
  await expect(trading.place(expensive)).rejects.toMatchObject({ kind: 'refused', about: 'no_money' });
  expect(await trading.order(PAIR, crossing.clientOrderId)).toBeNull();
  const stranger = await tradingWith({ key: 'x'.repeat(64) });
  await expect(stranger.balances()).rejects.toMatchObject({ kind: 'refused', about: 'not_allowed' });
  await stranger.close();
});

test('the key may trade but not withdraw, and the library offers no withdrawal', async () => {
  const { trading } = testbed();
  expect(await trading.permissions()).toEqual({ trade: true, withdraw: false, ipRestricted: false });
  expect(Object.keys(trading)).not.toContain('withdraw');
});
