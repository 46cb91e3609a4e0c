import { expect, test } from 'vitest';
import { isAsked, readableOn, TRADE_DEFAULTS, tradeOptionsOf, tradeUpColor } from './tradeOptions.ts';

test('options of manual trades are the defaults until valid ones are stored', () => {
  expect(tradeOptionsOf({})).toEqual({ slippage: 2, confirm: true, upColor: null });
  expect(tradeOptionsOf({ slippage: 0.5, confirm: false })).toEqual({
    ...{ slippage: 0.5, confirm: false, upColor: null },
  });
  expect(tradeOptionsOf({ upColor: '#AABBCC' }).upColor).toBe('#aabbcc');
  expect(tradeOptionsOf({ upColor: 'red' }).upColor).toBeNull();
  expect(tradeOptionsOf({ slippage: 51, confirm: 'no' })).toEqual(TRADE_DEFAULTS);
  expect(tradeOptionsOf({ slippage: Number.NaN })).toEqual(TRADE_DEFAULTS);
});

test('the buy colour is that of rising candles, unless the user chose another', () => {
  const chart = { colorIntel: false, upColor: '#112233' };
  expect(tradeUpColor({ upColor: null }, chart)).toBe('#112233');
  expect(tradeUpColor({ upColor: '#445566' }, chart)).toBe('#445566');
  expect(tradeUpColor({ upColor: null }, { ...chart, colorIntel: true })).toBeNull();
  expect(tradeUpColor({ upColor: '#445566' }, { ...chart, colorIntel: true })).toBe('#445566');
});

test('text on a chosen colour is black or white, whichever is readable', () => {
  expect(['#ffffff', '#ffff00', '#26a69a', '#000000', '#0000ff', '#7b1fa2'].map(readableOn)).toEqual([
    '#000',
    '#000',
    '#000',
    '#fff',
    '#fff',
    '#fff',
  ]);
});

test('live orders always need a confirmation; for paper orders it is optional', () => {
  const off = { ...TRADE_DEFAULTS, confirm: false };
  expect(isAsked({ mode: 'paper' }, off)).toBe(false);
  expect(isAsked({ mode: 'paper' }, TRADE_DEFAULTS)).toBe(true);
  expect(isAsked({ mode: 'live' }, off)).toBe(true);
});
