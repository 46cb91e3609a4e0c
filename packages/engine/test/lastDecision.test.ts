import { pairView } from '@heron/engine/session/sessionView.ts';
import { describe, expect, test } from 'vitest';
import { altMarket } from './arbitraries.ts';
import { Desk } from './harness.ts';
import { LiveHarness } from './live/liveHarness.ts';

const A = altMarket('AAA');
const AVERAGES = {
  ...{ strategy: 'ema_cross', period: '5m', min_periods: 18, order_type: 'taker', avg_slippage_pct: 0 },
  ...{ max_buy_loss_pct: 0, max_sell_loss_pct: 0, sell_pct: 100 },
};
const START = { params: { fast: 2, slow: 3, band: 0 }, history: 100 };
const deskOf = (given: object = {}) => new Desk({ ...AVERAGES, ...given }, A, START);
const viewOf = (desk: Desk) => pairView(desk.session, A.pair, desk.now);

describe('the newest decision of a pair', () => {
  test('is the entry once it was allowed, in place of an earlier refusal', () => {
    const desk = deskOf({ quarentine_time: 0 });
    desk.feed({ type: 'ticker', at: desk.now, pair: A.pair, last: 0, volume24h: 1e6, suspended: 'cancel_only' });
    desk.close(102);
    expect(viewOf(desk)).toMatchObject({ lastRefusal: { gate: 'not_ready' }, lastOrder: null });
    desk.feed({ type: 'ticker', at: desk.now, pair: A.pair, last: 0, volume24h: 1e6 });
    desk.close(99);
    desk.close(103);
    const seen = viewOf(desk);
    expect(seen).toMatchObject({
      lastRefusal: null,
      lastOrder: { kind: 'entry', direction: 'long', reason: 'signal', price: '103', end: 'filled' },
    });
    expect(seen?.lastOrder?.filled).toBe(seen?.lastOrder?.quantity);
  });

  test('is the exit after it, with its reason', () => {
    const desk = deskOf();
    desk.close(102);
    desk.sell(50);
    expect(viewOf(desk)?.lastOrder).toMatchObject({ kind: 'exit', direction: 'long', reason: 'manual', end: 'filled' });
    desk.close(90);
    expect(viewOf(desk)).toMatchObject({ position: null, lastOrder: { kind: 'exit', end: 'filled' } });
    expect(viewOf(desk)?.lastOrder?.reason).not.toBe('manual');
  });

  test('works until its order has ended', () => {
    const desk = deskOf({ order_type: 'maker' });
    desk.close(102);
    expect(viewOf(desk)?.lastOrder).toMatchObject({ kind: 'entry', filled: '0', end: null });
    desk.command({ type: 'stop' });
    desk.wait(1_000);
    expect(viewOf(desk)?.lastOrder).toMatchObject({ kind: 'entry', filled: '0', end: 'stopped' });
  });

  test('is the stop order once it has triggered at the exchange', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
    harness.buy(1_000);
    const placed = harness.settle().bot.pairs[0];
    expect([placed?.lastOrder?.kind, placed?.stop?.reason]).toEqual(['entry', 'exchange_stop']);
    harness.fall(0.05);
    expect(harness.settle().bot.pairs[0]).toMatchObject({
      ...{ position: null, lastOrder: { kind: 'exit', reason: 'exchange_stop', end: 'filled' } },
    });
  });

  test('has the reason and the quantity of what takes over a working exit', () => {
    const desk = deskOf({ stop_sell: [{ profit: 2, stop: 100 }] });
    desk.quote(99.9, 100);
    desk.buy(1_000);
    desk.sell(50, 'maker');
    expect(viewOf(desk)?.lastOrder).toMatchObject({ kind: 'exit', reason: 'manual', end: null });
    desk.quote(95);
    desk.wait(5_000);
    const seen = viewOf(desk);
    expect(seen).toMatchObject({ position: null, lastOrder: { kind: 'exit', reason: 'stop_sell', end: 'filled' } });
    expect(seen?.lastOrder?.filled).toBe(seen?.lastOrder?.quantity);
  });

  test('stays the exit while the remainders of a grid are cancelled', () => {
    const strategy = { id: 'grid', params: { levels: 6, range_pct: 2 } };
    const harness = new LiveHarness({ maker: false, share: null, stop: null, stopSell: [], strategy });
    harness.settle();
    const [name, { request }] = [...harness.exchange.orders].find(
      ([, { status, request: own }]) => status === 'open' && own.side === 'buy',
    ) as [string, { request: { quantity: number; price: number } }];
    const part = harness.market.step * Math.floor(request.quantity / 3 / harness.market.step);
    for (const update of harness.exchange.fill(name, part, request.price, harness.state.now)) {
      const at = harness.state.now;
      if ('status' in update) harness.feed({ type: 'order_report', at, report: update });
      else harness.feed({ type: 'fills', at, fills: [update] });
    }
    harness.halt(true);
    expect(harness.settle().bot.pairs[0]).toMatchObject({
      ...{ position: null, planOrders: [], lastOrder: { kind: 'exit', reason: 'manual', end: 'filled' } },
    });
  });

  test('is an order of a grid once it is filled', () => {
    const strategy = { id: 'grid', params: { levels: 6, range_pct: 2 } };
    const harness = new LiveHarness({ maker: false, share: null, stop: null, stopSell: [], strategy });
    expect(harness.settle().bot.pairs[0]?.lastOrder).toMatchObject({ kind: 'entry', end: 'filled' });
    const [name, { request }] = [...harness.exchange.orders].find(
      ([, { status, request: own }]) => status === 'open' && own.side === 'sell',
    ) as [string, { request: { quantity: number; price: number } }];
    for (const update of harness.exchange.fill(name, request.quantity, request.price, harness.state.now)) {
      const at = harness.state.now;
      if ('status' in update) harness.feed({ type: 'order_report', at, report: update });
      else harness.feed({ type: 'fills', at, fills: [update] });
    }
    expect(harness.state.bot.pairs[0]?.lastOrder).toMatchObject({
      ...{ kind: 'exit', price: request.price, filled: request.quantity, end: 'filled' },
    });
  });

  test('is no refused order of the user, who has seen why', () => {
    const desk = deskOf();
    desk.close(102);
    const before = viewOf(desk)?.lastOrder;
    expect(desk.buy(0.0001).map(({ kind }) => kind)).toContain('refusal');
    expect(viewOf(desk)).toMatchObject({ lastRefusal: null, lastOrder: before, refusals: { below_minimum: 1 } });
  });
});
