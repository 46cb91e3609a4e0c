import { describe, expect, test } from 'vitest';
import { marketOf } from '../market/market.ts';
import { formatUnits, percentRatio, toUnits } from '../money/units.ts';
import { allottedCash, balanceOf, lockedAsset, lockedQuote } from './balance.ts';

const market = marketOf({
  pair: 'BTC-USDT',
  tickSize: 0.01,
  stepSize: 0.00001,
  minQuantity: 0.00001,
  maxQuantity: 9000,
  minNotional: 5,
});
const asset = (value: number) => toUnits(value, market.assetDecimals);
const order = { type: 'limit', price: toUnits(60_000), quantity: asset(0.1), filled: 0, feePaid: 0 } as const;

describe('balances of docs/accounting.md#spot-balances', () => {
  test('a limit buy locks its remaining value with the fee, and nothing of the asset', () => {
    const fee = percentRatio(0.1);
    expect(formatUnits(lockedQuote(market, { ...order, side: 'buy' }, fee))).toBe('6006');
    expect(formatUnits(lockedQuote(market, { ...order, side: 'buy' }, 0))).toBe('6000');
    const half = { ...order, side: 'buy', filled: asset(0.05), feePaid: toUnits(3) } as const;
    expect(formatUnits(lockedQuote(market, half, fee))).toBe('3003');
    expect(lockedAsset(half)).toBe(0);
  });

  test('a sale locks its remaining quantity, a market buy its budget', () => {
    expect(lockedQuote(market, { ...order, side: 'sell' }, 0)).toBe(0);
    expect(lockedAsset({ ...order, side: 'sell', filled: asset(0.04) })).toBe(asset(0.06));
    expect(lockedAsset({ type: 'market', side: 'sell', rest: 7 })).toBe(7);
    expect(lockedQuote(market, { type: 'market', side: 'buy', budget: 123 }, 9)).toBe(123);
    expect(balanceOf(10, 3)).toEqual({ total: 10, free: 7, locked: 3 });
  });

  test('a bot on a shared account may use its allotment, up to the free balance there', () => {
    const own = { start: 1_000, transfers: 50, realised: -20, costs: 300, locked: 100 };
    expect(allottedCash({ ...own, exchangeFree: 5_000 })).toBe(630);
    expect(allottedCash({ ...own, exchangeFree: 200 })).toBe(200);
    expect(allottedCash({ ...own, exchangeFree: 5_000, locked: 900 })).toBe(0);
  });
});
