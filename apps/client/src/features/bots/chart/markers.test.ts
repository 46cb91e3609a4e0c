import type { Trade } from '@heron/contract/bots/entities.ts';
import { expect, test } from 'vitest';
import { marksOf } from './markers.ts';

const trade = (fills: { at: number; side: 'buy' | 'sell' }[]) => ({ fills }) as unknown as Trade;

test('fills are marked on the candle that they fell into, once a candle and side, oldest first', () => {
  const trades = [
    trade([{ at: 125_000, side: 'sell' }]),
    trade([
      { at: 61_000, side: 'buy' },
      { at: 119_999, side: 'buy' },
      { at: 120_000, side: 'buy' },
    ]),
  ];
  expect(marksOf(trades, 60_000, 0)).toEqual([
    { time: 60_000, side: 'buy' },
    { time: 120_000, side: 'sell' },
    { time: 120_000, side: 'buy' },
  ]);
});

test('fills before the first candle of the chart are left out', () => {
  expect(marksOf([trade([{ at: 61_000, side: 'buy' }])], 60_000, 120_000)).toEqual([]);
});
