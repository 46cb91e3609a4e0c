import { expect, test } from 'vitest';
import { worthOf } from './worth.ts';

const drawdowns = (total: string[], start: string[]) =>
  worthOf({ at: total.map((_, index) => index), total, start }).map(({ drawdown }) => Math.round(drawdown * 100) / 100);

test('drawdown counts from the high-water mark', () => {
  expect(drawdowns(['100', '120', '90', '120', '132'], ['100', '100', '100', '100', '100'])).toEqual([0, 0, 25, 0, 0]);
});

test('deposits and withdrawals are neither gain nor loss', () => {
  expect(drawdowns(['100', '1100', '1045', '45'], ['100', '1100', '1100', '100'])).toEqual([0, 0, 5, 5]);
});

test('a bot that lost everything has a drawdown of 100, and no data gives no points', () => {
  expect(drawdowns(['100', '0', '0'], ['100', '100', '100'])).toEqual([0, 100, 100]);
  expect(drawdowns([], [])).toEqual([]);
});
