import { marketOf } from '@heron/engine/market/market.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { LARGEST_POSITION } from '@heron/engine/sizing/positionRoom.ts';
import { describe, expect, test } from 'vitest';
import { Desk } from './harness.ts';

const grid = { pair: 'ALT-USDT', tickSize: 0.01, stepSize: 0.001, minQuantity: 0.001, minNotional: 5 };
const SMALL_ORDERS = marketOf({ ...grid, maxQuantity: 10 });
const quantities = (desk: Desk) =>
  desk.notes.flatMap(({ kind, data }) => (kind === 'order' && data.status === 'placing' ? [data.quantity] : []));

describe('an exit above the maximum order size', () => {
  /** Creates a position from consecutive entries, as only averaging strategies have. */
  function holding(parts: readonly number[], order: 'maker' | 'taker') {
    const desk = new Desk({ order_type: order, avg_slippage_pct: 0, stop_sell: [] }, SMALL_ORDERS, { history: 100 });
    for (const part of parts) {
      desk.quote(99.99, 100);
      desk.buy(part * 100.51);
    }
    desk.notes.length = 0;
    return desk;
  }

  test.each(['taker', 'maker'] as const)('by a %s sends order after order until all is sold', (order) => {
    const desk = holding([9.5, 9.5, 5], order);
    desk.quote(100, 100.01);
    desk.sell(100, order);
    for (const bid of [100.1, 100.2, 100.3, 100.4]) {
      desk.quote(bid);
      desk.wait(300);
    }
    expect(quantities(desk).every((quantity) => Number(quantity) <= 10)).toBe(true);
    expect([desk.pair.phase, desk.pair.position]).toEqual(['sold', null]);
  });

  test('leaves no rest that is too small to be sold', () => {
    const desk = holding([9.5, 0.52], 'taker');
    desk.quote(100, 100.01);
    const held = desk.pair.holding.quantity / 10 ** SMALL_ORDERS.assetDecimals;
    expect(held).toBeGreaterThan(10);
    expect(held).toBeLessThan(10.05);
    desk.sell(100);
    desk.wait(3_000);
    expect(quantities(desk)).toEqual(['5', '5.049']);
    expect(desk.pair.holding.quantity).toBeLessThan(SMALL_ORDERS.step);
  });
});

describe('a position that grows entry by entry at the maximum leverage', () => {
  test('stops before its amounts become inexact, reports that, and continues', () => {
    const given = {
      exchange: 'binanceusdm',
      margin_mode: 'cross',
      leverage: 125,
      currency_capital: 1_000_000,
      max_buy_size: 10_000,
      buy_pct: 100,
      strategy: 'dca',
      order_type: 'taker',
      stop_sell: [],
      profit_win: [],
      profit_callback: [],
      avg_slippage_pct: 0,
      poll_scan_time: 1_000,
    };
    const BTC = marketOf({ ...grid, pair: 'BTC-USDT', stepSize: 0.001, maxQuantity: 1_000 });
    const desk = new Desk(given, BTC, { params: { mode: 'periodic', every: 1 } });
    desk.close(60_000);
    const { holding } = desk.pair;
    expect(holding.leverage).toBe(125);
    // The state is that of a very profitable bot after thousands of such entries.
    const { wallet } = desk.session.state.bot;
    // The transfers balance the wallet, since the audit would find money without a source.
    wallet.transfers += toUnits(50_000_000) - wallet.quote;
    wallet.quote = toUnits(50_000_000);
    const times = Math.floor((LARGEST_POSITION - toUnits(4_000)) / holding.cost);
    for (const key of ['quantity', 'cost', 'entryNotional', 'entryQuantity', 'basisCost', 'basisQuantity'] as const)
      holding[key] *= times;
    desk.notes.length = 0;
    desk.close(60_000);
    expect(desk.notes.filter(({ kind }) => kind === 'alarm').map(({ data }) => data.what)).toEqual(['size_limited']);
    for (const price of [60_000, 90_000, 60_000]) desk.close(price);
    const refusals = desk.notes.filter(({ kind }) => kind === 'refusal').map(({ data }) => data.gate);
    expect(refusals).toEqual(['position_limit', 'position_limit', 'position_limit']);
    expect(holding.cost).toBeLessThanOrEqual(LARGEST_POSITION);
  });
});
