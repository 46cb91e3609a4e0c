import { describe, expect, test } from 'vitest';
import { stepped } from './stepped.ts';

describe('a number that changes by steps', () => {
  test('stays a multiple of the step, with its decimals', () => {
    expect(stepped(0.2, [0.1, 2, 0.1], 1)).toBe(0.3);
    expect(stepped(0.045, [0, 0.1, 0.005], 1)).toBe(0.05);
    expect(stepped(-0.1, [-2, 2, 0.1], 1)).toBe(0);
    expect(stepped(500, [50, 50_000, 10], -1)).toBe(490);
  });

  test('moves to the next multiple of the step from between two', () => {
    expect(stepped(7.4, [0, 100, 1], 1)).toBe(8);
    expect(stepped(7.4, [0, 100, 1], -1)).toBe(7);
  });

  test('never leaves the range, whatever its value was', () => {
    expect(stepped(100, [0, 100, 1], 1)).toBe(100);
    expect(stepped(0, [0, 100, 1], -1)).toBe(0);
    expect(stepped(1_000, [0, 100, 1], 1)).toBe(100);
    expect(stepped(Number.NaN, [18, 500, 1], 1)).toBe(18);
  });
});
