import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { market as anyMarket, feePercent } from '../../test/arbitraries.ts';
import { marketOf, notional } from '../market/market.ts';
import { formatUnits, mulDiv, percentRatio, SCALE, toUnits } from '../money/units.ts';
import { entrySize } from './entrySize.ts';

const BTC = marketOf({
  pair: 'BTC-USDT',
  tickSize: 0.01,
  stepSize: 0.00001,
  minQuantity: 0.00001,
  maxQuantity: 9000,
  minNotional: 5,
});
const size = (available: number, percent: number, min = 0, max = 0) =>
  entrySize(BTC, toUnits(60_000), {
    available: toUnits(available),
    share: percentRatio(percent),
    fee: percentRatio(0.1),
    leverage: 1,
    min: toUnits(min),
    max: toUnits(max),
  });
const quantityOf = (result: ReturnType<typeof entrySize>) =>
  result.ok ? formatUnits(result.quantity, BTC.assetDecimals) : result.gate;

describe('size of an entry', () => {
  test('offers 20 % of 10,000 with the fee inside: 0.0333 at 60,000', () => {
    expect(quantityOf(size(10_000, 20, 10))).toBe('0.0333');
  });

  test('caps at max_buy_size 1,000: 0.01666', () => {
    expect(quantityOf(size(10_000, 20, 10, 1_000))).toBe('0.01666');
  });

  test('raises 7.99 to min_buy_size 10 when the money allows it: 0.00016', () => {
    expect(quantityOf(size(40, 20, 10))).toBe('0.00016');
  });

  test('rejects an entry when all money is below min_buy_size', () => {
    expect(quantityOf(size(9, 20, 10))).toBe('insufficient_balance');
  });

  test('rejects an order below the minimum order value', () => {
    expect(quantityOf(size(20, 20, 0))).toBe('below_minimum');
  });

  test('I-20, I-40: costs at most budget and cash, grows with both, shrinks with the fee', () => {
    const arbitrary = fc.record({
      market: anyMarket,
      available: fc.integer({ min: 0, max: 1e13 }),
      percent: fc.integer({ min: 1, max: 100 }),
      price: fc.integer({ min: 1, max: 1e7 }),
      fee: feePercent,
    });
    fc.assert(
      fc.property(arbitrary, ({ market, available, percent, price, fee }) => {
        const at = price * market.tick;
        const rate = percentRatio(fee);
        const limits = { available, share: percentRatio(percent), fee: rate, leverage: 1, min: 0, max: 0 };
        const result = entrySize(market, at, limits);
        if (!result.ok) return;
        const cost = notional(market, at, result.quantity);
        expect(cost + mulDiv(cost, rate, SCALE, 'down')).toBeLessThanOrEqual(result.budget);
        expect(result.budget).toBeLessThanOrEqual(available);
        const more = entrySize(market, at, { ...limits, available: available + 1e9 });
        expect(more.ok && more.quantity).toBeGreaterThanOrEqual(result.quantity);
        const dearer = entrySize(market, at, { ...limits, fee: rate + 1_000_000 });
        if (dearer.ok) expect(dearer.quantity).toBeLessThanOrEqual(result.quantity);
      }),
      { numRuns: 2_000 },
    );
  });
});
