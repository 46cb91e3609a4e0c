import type { BacktestDocument } from '@heron/engine/report/document.ts';
import { expect, test } from 'vitest';
import { markedTrades } from './markedTrades.ts';

const fill = (pair: string, time: number, kind: 'entry' | 'exit') => ({
  ...{ pair, time, kind, side: kind === 'entry' ? 'buy' : 'sell', direction: 'long' },
  ...{ quantity: 0.5, price: 100.25, fee: 0.1, feeAsset: 'USDT', liquidity: 'taker', reason: 'signal' },
});

test('only the fills of the pair are marked, each with an id of its own', () => {
  const fills = [fill('A-USDT', 1, 'entry'), fill('B-USDT', 2, 'entry'), fill('A-USDT', 3, 'exit')];
  const marked = markedTrades(fills as BacktestDocument['fills'], 'A-USDT', 4);
  expect(marked.map(({ kind, fills: [first] }) => [kind, first?.at, first?.price])).toEqual([
    ['entry', 1, '100.25'],
    ['exit', 3, '100.25'],
  ]);
  expect(new Set(marked.map(({ fills: [first] }) => first?.id)).size).toBe(2);
});

test('fills after the end of the chart are not marked', () => {
  const fills = [1, 2, 3].map((time) => fill('A-USDT', time, 'entry')) as BacktestDocument['fills'];
  expect(markedTrades(fills, 'A-USDT', 2).map(({ fills: [first] }) => first?.at)).toEqual([1]);
});
