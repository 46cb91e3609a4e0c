import { expect, test } from 'vitest';
import { worthOf } from './worth.ts';

const drawdowns = (total: string[], start: string[]) =>
  worthOf({ at: total.map((_, index) => index), total, start }).map(({ drawdown }) => Math.round(drawdown * 100) / 100);

test('drawdown counts from the best so far', () => {
  expect(drawdowns(['100', '120', '90', '120', '132'], ['100', '100', '100', '100', '100'])).toEqual([0, 0, 25, 0, 0]);
});

test('money that is paid in or taken out is neither gain nor loss', () => {
  expect(drawdowns(['100', '1100', '1045', '45'], ['100', '1100', '1100', '100'])).toEqual([0, 0, 5, 5]);
});

test('a bot that has lost everything, or has nothing yet, is drawn all the same', () => {
  expect(drawdowns(['100', '0', '0'], ['100', '100', '100'])).toEqual([0, 100, 100]);
  expect(drawdowns([], [])).toEqual([]);
});
