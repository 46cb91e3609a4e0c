import type { Trade } from '@heron/contract/bots/entities.ts';
import { expect, test } from 'vitest';
import { marksOf } from './markers.ts';

type Fill = { at: number; side: 'buy' | 'sell' };
const trade = (kind: Trade['kind'], fills: Fill[]) =>
  ({
    kind,
    fills: fills.map((fill) => ({ ...fill, price: '1', quantity: '2', reason: 'signal' })),
  }) as unknown as Trade;
const kinds = (trades: Trade[], from = 0) =>
  marksOf(trades, 60_000, from).map(({ time, kind, fills }) => [time, kind, fills.map(({ at }) => at)]);

test('fills have marks at their candle, one per candle and kind, oldest first', () => {
  const trades = [
    trade('exit', [{ at: 125_000, side: 'sell' }]),
    trade('entry', [
      { at: 119_999, side: 'buy' },
      { at: 61_000, side: 'buy' },
      { at: 120_000, side: 'buy' },
    ]),
  ];
  expect(kinds(trades)).toEqual([
    [60_000, 'buy', [61_000, 119_999]],
    [120_000, 'sell', [125_000]],
    [120_000, 'buy', [120_000]],
  ]);
});

test('a short has an entry mark at a sale and an exit mark at a purchase', () => {
  const trades = [trade('exit', [{ at: 70_000, side: 'buy' }]), trade('entry', [{ at: 1, side: 'sell' }])];
  expect(kinds(trades)).toEqual([
    [0, 'buyShort', [1]],
    [60_000, 'sellShort', [70_000]],
  ]);
});

test('fills before the first candle of the chart are left out', () => {
  expect(kinds([trade('entry', [{ at: 61_000, side: 'buy' }])], 120_000)).toEqual([]);
});
