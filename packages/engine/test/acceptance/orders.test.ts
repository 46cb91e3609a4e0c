import { describe, expect, test } from 'vitest';
import { altMarket } from '../arbitraries.ts';
import { Desk } from '../harness.ts';
import { type RequestedOrder, Wire } from '../wire.ts';

/** Creates a wire that has sent a maker buy of 10 at 100. */
function placing() {
  const wire = new Wire(altMarket());
  wire.quote(100e8, 100.5e8, 1_000);
  wire.enter(1_001, 'maker');
  return { wire, order: wire.asked[0] as RequestedOrder };
}
const trades = (wire: Wire) => wire.notes.filter(({ kind }) => kind === 'intent_end').map(({ data }) => data.filled);

describe('an order that the exchange no longer finds', () => {
  test('engine: a cancel that found its order filled makes one trade and no second order', () => {
    const { wire, order } = placing();
    wire.opened(order);
    wire.quote(100.2e8, 100.7e8, 4_000);
    wire.wait(1_000);
    expect(wire.asked.map(({ type }) => type)).toEqual(['place', 'cancel']);
    // The cancel failed with "unknown order"; the query reports that the order is filled.
    wire.deliver(wire.fillOf(order, order.quantity));
    wire.ended(order, 'filled');
    wire.wait(60_000);
    expect(wire.placed()).toHaveLength(1);
    expect(trades(wire)).toEqual(['10']);
    expect(wire.pair.phase).toBe('bought');
  });

  test('engine: the same fill reported twice, and its order ended twice, are one trade', () => {
    const { wire, order } = placing();
    const fill = wire.fillOf(order, order.quantity / 2);
    wire.deliver(fill);
    wire.deliver(fill);
    expect(wire.pair.entry?.filled).toBe(order.quantity / 2);
    wire.deliver(wire.fillOf(order, order.quantity / 2));
    wire.ended(order, 'filled');
    wire.ended(order, 'filled');
    wire.deliver(fill);
    expect(trades(wire)).toEqual(['10']);
    expect(wire.bot.state.trades).toBe(1);
  });

  test('engine: a parent order sends no order while the last one has an unknown outcome', () => {
    const { wire, order } = placing();
    for (let i = 0; i < 40; i++) wire.quote(100e8 + i * 1e6, 100.5e8 + i * 1e6, 5_000);
    expect(wire.placed()).toEqual([order]);
    // The exchange never received the order: only now may the bot send the next one.
    wire.ended(order, 'rejected');
    wire.enter(1_001, 'maker');
    wire.wait(2_000);
    const names = wire.placed().map(({ clientOrderId }) => clientOrderId);
    expect(names).toHaveLength(2);
    expect(new Set(names).size).toBe(2);
  });
});

test('a rest below the minimum order value ends the parent order with its fills', () => {
  const desk = new Desk({ markdown_buy_pct: -0.1 }, altMarket());
  desk.quote(100, 100.5);
  desk.buy(1_000, 'maker');
  const price = desk.pair.entry?.order?.price ?? 0;
  const target = (desk.pair.entry?.target ?? 0) / 10 ** desk.market.assetDecimals;
  // The order improves the bid, so its queue is empty; 0.04 of it, worth 4, remains.
  desk.trade(price / 1e8, target - 0.04);
  desk.quote(100.2, 100.7, 4_000);
  desk.wait(2_000);
  expect(desk.pair.entry).toBeNull();
  expect(desk.notes.filter(({ kind }) => kind === 'intent_end').map(({ data }) => data.how)).toEqual(['filled']);
  expect(desk.notes.filter(({ data }) => data.status === 'placing')).toHaveLength(1);
  expect(desk.pair.phase).toBe('bought');
});

test('a strategy exit whose price falls 2 % as a maker turns taker after 0.5 %', () => {
  const desk = new Desk(
    { strategy: 'ema_cross', period: '5m', min_periods: 18, max_sell_loss_pct: 0, avg_slippage_pct: 0 },
    altMarket(),
    { params: { fast: 2, slow: 3, band: 0 }, history: 100 },
  );
  desk.close(102);
  desk.quote(101.99, 102);
  desk.close(99);
  expect(desk.pair.exit?.order).toMatchObject({ type: 'limit_maker', price: 99.01e8 });
  // The order follows a bid 0.3 % lower, and becomes a taker order 2 % lower.
  desk.quote(98.7, undefined, 4_000);
  desk.wait(1_200);
  expect(desk.pair.exit?.order).toMatchObject({ type: 'limit_maker', price: 98.71e8 });
  desk.quote(97.02, undefined, 4_500);
  desk.wait(1_200);
  expect(desk.fills().at(-1)?.data).toMatchObject({
    side: 'sell',
    reason: 'signal',
    liquidity: 'taker',
    price: '97.02',
  });
  expect(desk.pair.position).toBeNull();
});
