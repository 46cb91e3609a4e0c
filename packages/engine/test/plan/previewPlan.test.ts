import { parseUnits, toUnits } from '@heron/engine/money/units.ts';
import { checkSetup, type Setup } from '@heron/engine/options/setup.ts';
import { type PlanPreview, previewPlan } from '@heron/engine/preview/previewPlan.ts';
import { gridView } from '@heron/engine/session/planView.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MARKETS } from '../arbitraries.ts';
import { Desk, START } from '../harness.ts';
import { gridDesk, SIX } from './gridDesk.ts';

const [BTC, ETH] = MARKETS as [(typeof MARKETS)[0], (typeof MARKETS)[0]];

function setupOf(strategy: string, params: Params, given: Readonly<Record<string, unknown>> = {}): Setup {
  const options = {
    watch_pairs: 'BTC-USDT,ETH-USDT',
    buy_pct: 50,
    order_type: 'taker',
    stop_sell: [],
    strategy,
    ...given,
  };
  const setup = checkSetup({ options, params });
  if (!setup.ok) throw new Error(JSON.stringify(setup.faults));
  return setup;
}

const btcAt = (price: number) => ({ market: BTC, price: toUnits(price) });
const first = (previews: readonly PlanPreview[]) => previews[0] as PlanPreview;

describe('the preview of a plan', () => {
  test('has the orders that a grid then places, and the result of its cycles', () => {
    const preview = first(previewPlan(setupOf('grid', SIX), [btcAt(60_000)], START));
    const desk = gridDesk();
    expect(preview).toMatchObject({ kind: 'grid', refused: null, budget: '4995.004995' });
    const placed = desk.pair.planOrders
      .filter(({ kind }) => kind === 'entry')
      .map(({ firstPrice, target }) => [firstPrice, target]);
    const shown = preview.rows.filter(({ enters }) => enters === 'order');
    expect(shown.map(({ price, quantity }) => [parseUnits(price), parseUnits(quantity, BTC.assetDecimals)])).toEqual(
      placed,
    );
    const bought = desk.fills()[0]?.data.quantity;
    const base = preview.rows.filter(({ enters }) => enters === 'base');
    expect(base.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBeCloseTo(Number(bought), 8);
    // A whole cycle of the level from 58,000 to 60,000 earns what the preview says.
    for (const price of [57_999, 60_001]) {
      desk.quote(price);
      desk.wait(300);
    }
    expect(gridView(desk.pair, desk.now)?.profit).toBe(preview.rows[2]?.profit);
  });

  test('has the safety orders that a DCA deal then places', () => {
    const params = { start: 'now', safety_orders: 3 };
    const given = { avg_slippage_pct: 0, period: '15m' };
    const preview = first(previewPlan(setupOf('dca', params, given), [btcAt(60_000)], START));
    const desk = new Desk({ strategy: 'dca', order_type: 'taker', stop_sell: [], buy_pct: 50, ...given }, undefined, {
      params,
    });
    desk.quote(60_000, 60_000);
    desk.wait(300);
    const deal = desk.pair.orderPlan;
    if (deal?.kind !== 'dca') throw new Error('no deal');
    expect(
      preview.rows.slice(1).map(({ price, quantity }) => [parseUnits(price), parseUnits(quantity, BTC.assetDecimals)]),
    ).toEqual(deal.safeties.map(({ price, quantity }) => [price, quantity]));
    const [base, ...rest] = preview.rows.map(({ breakEven, price }) => Number(breakEven) - Number(price));
    // The break-even of the base order is its price with two fees of 0.1 %.
    expect(base).toBeCloseTo(60_000 * (1 / (0.999 * 0.999) - 1), 0);
    expect(rest.every((distance) => distance > 0)).toBe(true);
    expect(preview.rows.every(({ profit }) => Number(profit) > 0)).toBe(true);
  });

  test('gives each pair its share of what the others leave', () => {
    const pairs = [btcAt(60_000), { market: ETH, price: toUnits(3_000) }];
    const share = setupOf('grid', { range_pct: 10 });
    const [btc, eth] = previewPlan(share, pairs, START).map(({ budget }) => Number(budget));
    expect(btc).toBeGreaterThan(Number(eth) * 1.9);
    // An amount for each pair makes them equal.
    const equal = setupOf('grid', { range_pct: 10 }, { buy_pct: 100, max_buy_size: 3_000 });
    expect(previewPlan(equal, pairs, START).map(({ budget }) => budget)).toEqual(['3000', '3000']);
  });

  test('the least money just starts a plan, and a cent less does not', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('grid', 'dca'),
        fc.integer({ min: 2, max: 20 }),
        fc.constantFrom('geometric', 'arithmetic'),
        (strategy, count, spacing) => {
          const params =
            strategy === 'grid' ? { levels: count, spacing } : { safety_orders: Math.min(10, count), step: 1 };
          const of = (max_buy_size: number) =>
            first(
              previewPlan(
                setupOf(strategy, params, { buy_pct: 100, min_buy_size: 0, max_buy_size }),
                [btcAt(60_000)],
                START,
              ),
            );
          const least = Number(of(0).minMoney);
          expect(least).toBeGreaterThan(5);
          expect(of(least).refused).toBeNull();
          expect(of(Math.round(100 * least - 1) / 100).refused?.gate).toBe('below_minimum');
        },
      ),
      { numRuns: 60 },
    );
  });

  test('on futures needs the margin and the fees of its orders, and has shorts', () => {
    const given = { exchange: 'binanceusdm', market: 'both', leverage: 5, margin_mode: 'cross' };
    const preview = first(previewPlan(setupOf('grid', SIX, given), [btcAt(60_000)], START));
    expect(new Set(preview.rows.map(({ direction }) => direction))).toEqual(new Set(['long', 'short']));
    const total = Number(preview.rows.at(-1)?.total);
    expect(Number(preview.needed)).toBeGreaterThan(total / 5);
    expect(Number(preview.needed)).toBeLessThan(total / 5 + 0.003 * total);
    for (const { direction, price, breakEven, exit } of preview.rows) {
      const [low, middle, high] = direction === 'long' ? [price, breakEven, exit] : [exit, breakEven, price];
      expect(Number(low)).toBeLessThan(Number(middle));
      expect(Number(middle)).toBeLessThan(Number(high));
    }
  });

  test('says why a plan would not start, and that no amount would help', () => {
    const narrow = previewPlan(setupOf('grid', { levels: 10 }), [btcAt(60_000)], START);
    expect(first(narrow).refused).toBeNull();
    const poor = first(
      previewPlan(setupOf('grid', { levels: 100, range_pct: 50 }, { currency_capital: 100 }), [btcAt(60_000)], START),
    );
    expect(poor.refused?.gate).toBe('below_minimum');
    expect(poor.rows).toEqual([]);
    expect(Number(poor.minMoney)).toBeGreaterThan(500);
    expect(previewPlan(setupOf('dca', { mode: 'periodic' }), [btcAt(60_000)], START)).toEqual([]);
    expect(previewPlan(setupOf('macd', {}), [btcAt(60_000)], START)).toEqual([]);
  });
});
