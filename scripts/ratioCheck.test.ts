import { expect, test } from 'vitest';
import { figureOf } from '../bench/figures.ts';
import { ratiosBelow } from '../bench/ratioCheck.ts';

const STORED = { backtest: { 'bare loop': 0.1 } };
const measured = (ratio: number) => [figureOf('backtest', 1, 'candles/s', '', { 'bare loop': ratio })];

test('a ratio may fall to 90 % of the stored one and no further', () => {
  expect(ratiosBelow(STORED, measured(0.2))).toEqual([]);
  expect(ratiosBelow(STORED, measured(0.0901))).toEqual([]);
  expect(ratiosBelow(STORED, measured(0.08))).toEqual(['backtest is 0.08 × bare loop, 80 % of the stored 0.1']);
});

test('a stored ratio that was not measured fails the check', () => {
  expect(ratiosBelow(STORED, [])).toEqual(['backtest × bare loop was not measured; stored is 0.1']);
});
