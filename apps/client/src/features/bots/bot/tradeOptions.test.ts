import { expect, test } from 'vitest';
import { isAsked, TRADE_DEFAULTS, tradeOptionsOf } from './tradeOptions.ts';

test('options of trades by hand are those of options.md 7 until others are kept, and never such that make no sense', () => {
  expect(tradeOptionsOf({})).toEqual({ slippage: 2, confirm: true });
  expect(tradeOptionsOf({ slippage: 0.5, confirm: false })).toEqual({ slippage: 0.5, confirm: false });
  expect(tradeOptionsOf({ slippage: 51, confirm: 'no' })).toEqual(TRADE_DEFAULTS);
  expect(tradeOptionsOf({ slippage: Number.NaN })).toEqual(TRADE_DEFAULTS);
});

test('orders at an exchange are always shown before they are sent; on paper as one likes', () => {
  const off = { ...TRADE_DEFAULTS, confirm: false };
  expect(isAsked({ mode: 'paper' }, off)).toBe(false);
  expect(isAsked({ mode: 'paper' }, TRADE_DEFAULTS)).toBe(true);
  expect(isAsked({ mode: 'live' }, off)).toBe(true);
});
