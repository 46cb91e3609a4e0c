import { marketOf } from '@heron/engine/market/market.ts';
import { formatUnits, percentRatio, toUnits } from '@heron/engine/money/units.ts';
import { entrySize } from '@heron/engine/sizing/entrySize.ts';
import { describe, expect, test } from 'vitest';
import { altMarket } from '../arbitraries.ts';
import { Desk } from '../harness.ts';

/** Computes a row of docs/entries.md#size at 60,000 with a fee of 0.1 %: value and quantity, or the reason for none. */
function row(available: number, leverage: number, stepSize: number, min = 0, max = 0) {
  const filters = { tickSize: 0.01, minQuantity: stepSize, maxQuantity: 9_000, minNotional: 5 };
  const market = marketOf({ pair: 'BTC-USDT', stepSize, ...filters });
  const size = entrySize(market, toUnits(60_000), {
    available: toUnits(available),
    share: percentRatio(20),
    fee: percentRatio(0.1),
    leverage,
    min: toUnits(min),
    max: toUnits(max),
  });
  return size.ok ? formatUnits(size.quantity, market.assetDecimals) : size.gate;
}

describe('sizing rows of docs/entries.md#size', () => {
  test('10,000 on spot: 0.0333', () => expect(row(10_000, 1, 0.00001)).toBe('0.0333'));
  test('10,000 at 10×: 0.33', () => expect(row(10_000, 10, 0.001)).toBe('0.33'));
  test('max_buy_size 1,000: 0.01666', () => expect(row(10_000, 1, 0.00001, 0, 1_000)).toBe('0.01666'));
  test('40, raised to min_buy_size 10: 0.00016', () => expect(row(40, 1, 0.00001, 10)).toBe('0.00016'));
  test('9, below min_buy_size 10: rejected', () => expect(row(9, 1, 0.00001, 10)).toBe('insufficient_balance'));
});

/** Creates a bot with ten pairs whose averages cross at the same close. */
function tenPairs(given: ConstructorParameters<typeof Desk>[0] = {}) {
  const markets = Array.from({ length: 10 }, (_, i) => altMarket(`ALT${i}`));
  const desk = new Desk(
    { strategy: 'ema_cross', period: '5m', min_periods: 18, max_buy_loss_pct: 0, ...given },
    markets[0],
    { params: { fast: 2, slow: 3, band: 0 }, history: 100, others: markets.slice(1) },
  );
  desk.close(102);
  // The asks fall to the prices of the working orders.
  for (const market of markets) desk.on(market).quote(101.99, 102, 10);
  return desk;
}

describe('ten pairs that signal at once', () => {
  test('with 10,000 enter for 1,998.00, 1,598.80, … within each budget and in total', () => {
    const desk = tenPairs();
    const budgets = desk.notes.filter(({ kind }) => kind === 'intent').map(({ data }) => Number(data.budget));
    const costs = desk.fills().map(({ data }) => Number(data.price) * Number(data.quantity));
    expect(costs).toHaveLength(10);
    expect(costs.slice(0, 2).map((cost) => cost.toFixed(2))).toEqual(['1998.00', '1598.80']);
    let left = 10_000;
    costs.forEach((cost, i) => {
      expect(cost).toBeLessThanOrEqual(budgets[i] ?? 0);
      // Each entry costs a fifth of the remaining cash, fee included, less at most one step.
      expect((left * 0.2) / 1.001 - cost).toBeLessThan(102 * 0.00001);
      left -= cost;
    });
    expect(left).toBeGreaterThan(0);
    expect(desk.session.state.bot.wallet.quote / 1e8).toBeCloseTo(left, 6);
  });

  test('with max_buy_pair_count 3 seven are rejected by pair_limit', () => {
    const desk = tenPairs({ max_buy_pair_count: 3 });
    expect(desk.fills()).toHaveLength(3);
    const gates = desk.notes.filter(({ kind }) => kind === 'refusal').map(({ data }) => data.gate);
    expect(gates).toEqual(Array.from({ length: 7 }, () => 'pair_limit'));
  });
});
