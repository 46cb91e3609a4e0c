import { describe, expect, test } from 'vitest';
import { formatUnits, toUnits } from '../money/units.ts';
import { bracketOf, bracketsOf, effectiveLeverage, FALLBACK_BRACKETS, fallbackBrackets } from './brackets.ts';

describe('margin brackets', () => {
  test('computes what the lower levels save as docs/margin.md#leverage-brackets lists it', () => {
    expect(FALLBACK_BRACKETS.map(({ cum }) => cum / 1e8)).toEqual([
      0, 50, 1_300, 16_300, 266_300, 1_266_300, 2_516_300, 5_016_300, 25_016_300, 100_016_300,
    ]);
  });

  test('takes the level whose cap holds the order value, and the last one beyond', () => {
    const level = (value: number) => FALLBACK_BRACKETS.indexOf(bracketOf(FALLBACK_BRACKETS, value * 1e8));
    expect([0, 50_000, 50_000.01, 250_000, 300_000, 5e8, 6e8].map(level)).toEqual([0, 0, 1, 1, 2, 9, 9]);
  });

  test('lowers the leverage to what the bracket of the wanted order value allows', () => {
    expect(effectiveLeverage(FALLBACK_BRACKETS, toUnits(40_000), 125)).toBe(125);
    expect(effectiveLeverage(FALLBACK_BRACKETS, toUnits(300_000), 125)).toBe(50);
    expect(effectiveLeverage(FALLBACK_BRACKETS, toUnits(300_000), 20)).toBe(20);
  });

  test('assumes a tenth of the caps and the next level for unknown pairs', () => {
    const small = fallbackBrackets('DOGE');
    expect(fallbackBrackets('BTC')).toBe(FALLBACK_BRACKETS);
    expect(small[0]).toEqual({ floor: 0, cap: toUnits(5_000), mmr: 500_000, cum: 0, maxLeverage: 100 });
    expect(small[1]).toEqual({
      floor: toUnits(5_000),
      cap: toUnits(25_000),
      mmr: 1_000_000,
      cum: toUnits(25),
      maxLeverage: 50,
    });
    expect(small.at(-1)).toMatchObject({ mmr: 50_000_000, maxLeverage: 1 });
  });

  test('reads levels of an exchange', () => {
    const [first, second] = bracketsOf([
      [10_000, 1, 50],
      [20_000, 2, 25],
    ]);
    expect(first?.cum).toBe(0);
    expect(formatUnits(second?.cum ?? 0)).toBe('100');
  });
});
