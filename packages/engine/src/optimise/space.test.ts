import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allCombinations } from './allCombinations.ts';
import { rangeOf } from './range.ts';
import { sampleOf } from './sample.ts';
import { pointAt, setupAt, sizeOf, spaceOf } from './space.ts';

const lengths = fc.uniqueArray(fc.integer({ min: 2, max: 40 }), { minLength: 1, maxLength: 6 });
const space = fc
  .record({ fast: lengths, slow: lengths, buy: fc.uniqueArray(fc.constantFrom(-1, 10, 50, 101), { minLength: 1 }) })
  .map(({ fast, slow, buy }) =>
    spaceOf({ options: { strategy: 'ema_cross' }, params: {} }, [
      { kind: 'option', name: 'buy_pct', values: buy },
      { kind: 'param', name: 'fast', values: fast },
      { kind: 'param', name: 'slow', values: slow },
    ]),
  );

describe('the grid of a space', () => {
  test('has every valid combination once, and counts the others', () => {
    fc.assert(
      fc.property(space, (given) => {
        const { indices, refused } = allCombinations(given);
        const [fasts = [], slows = [], buys = []] = given.axes.map(({ values }) => values as number[]);
        const wanted: string[] = [];
        for (const fast of fasts) {
          for (const slow of slows) {
            for (const buy of buys) {
              // A valid bot has a slow mean of at least 3, longer than the fast one, and percents from 0 to 100.
              if (slow >= 3 && fast < slow && buy >= 0 && buy <= 100) wanted.push(`${fast} ${slow} ${buy}`);
            }
          }
        }
        const got = indices.map((index) => {
          const { params, options } = pointAt(given, index);
          return `${params.fast} ${params.slow} ${options.buy_pct}`;
        });
        expect(got).toEqual(wanted);
        expect(indices.length + refused).toBe(sizeOf(given));
      }),
    );
  });

  test('varies options fastest, in any given order, and shows the first rejection', () => {
    const given = spaceOf({ options: { strategy: 'ema_cross' }, params: { band: 0.5 } }, [
      { kind: 'option', name: 'buy_pct', values: [10, 20] },
      { kind: 'param', name: 'fast', values: [5, 30] },
      { kind: 'option', name: 'period', values: ['1h', '4h'] },
    ]);
    const { indices, refused, faults } = allCombinations(given);
    expect(indices.map((index) => pointAt(given, index))).toEqual([
      { params: { fast: 5 }, options: { buy_pct: 10, period: '1h' } },
      { params: { fast: 5 }, options: { buy_pct: 10, period: '4h' } },
      { params: { fast: 5 }, options: { buy_pct: 20, period: '1h' } },
      { params: { fast: 5 }, options: { buy_pct: 20, period: '4h' } },
    ]);
    expect(refused).toBe(4);
    expect(faults[0]?.code).toBe('fast_not_below_slow');
    expect(setupAt(given, 0)).toMatchObject({ ok: true, params: { fast: 5, slow: 21, band: 0.5 } });
  });
});

describe('a sample of a space', () => {
  test('is a part of its grid, each combination once, and the same for the same seed', () => {
    fc.assert(
      fc.property(space, fc.nat({ max: 80 }), fc.integer(), (given, count, seed) => {
        const grid = allCombinations(given);
        const sample = sampleOf(given, count, seed);
        expect(sample.indices).toHaveLength(Math.min(count, grid.indices.length));
        expect(new Set(sample.indices).size).toBe(sample.indices.length);
        expect(sample.indices).toEqual(grid.indices.filter((index) => sample.indices.includes(index)));
        expect(sampleOf(given, count, seed)).toEqual(sample);
        if (count > grid.indices.length) expect(sample.refused).toBe(grid.refused);
      }),
    );
  });

  test('takes every combination about as often as another, over many seeds', () => {
    const given = spaceOf({ options: { strategy: 'ema_cross' }, params: { slow: 100 } }, [
      { kind: 'param', name: 'fast', values: rangeOf(2, 11, 1) },
    ]);
    const times = new Map<number, number>();
    for (let seed = 0; seed < 2_000; seed++) {
      for (const index of sampleOf(given, 3, seed).indices) times.set(index, (times.get(index) ?? 0) + 1);
    }
    // The expected count is 600 each; five standard deviations are about 100.
    expect([...times.values()]).toHaveLength(10);
    for (const count of times.values()) expect(Math.abs(count - 600)).toBeLessThan(100);
  });

  test('is drawn from a space far too large to be listed', () => {
    const percents = rangeOf(0.01, 100, 0.01);
    const given = spaceOf({ options: { strategy: 'ema_cross' }, params: {} }, [
      { kind: 'param', name: 'slow', values: rangeOf(22, 100, 1) },
      { kind: 'option', name: 'buy_pct', values: percents },
      { kind: 'option', name: 'max_slippage_pct', values: rangeOf(0.1, 5, 0.01) },
      { kind: 'option', name: 'markup_sell_pct', values: rangeOf(0, 5, 0.01) },
    ]);
    expect(sizeOf(given)).toBeGreaterThan(2 ** 37);
    const { indices } = sampleOf(given, 50, 7);
    expect(indices).toHaveLength(50);
    expect(Math.max(...indices)).toBeGreaterThan(sizeOf(given) / 2);
  });
});

describe('a range', () => {
  test('is decimal and has both ends', () => {
    expect(rangeOf(0.1, 0.3, 0.1)).toEqual([0.1, 0.2, 0.3]);
    expect(rangeOf(5, 20, 5)).toEqual([5, 10, 15, 20]);
    expect(rangeOf(5, 19, 5)).toEqual([5, 10, 15]);
    expect(rangeOf(-0.2, 0.1, 0.15)).toEqual([-0.2, -0.05, 0.1]);
    expect(rangeOf(3, 3, 1)).toEqual([3]);
    expect(() => rangeOf(1, 2, 0)).toThrow('the step must be above 0');
    expect(() => rangeOf(2, 1, 1)).toThrow('the end lies before the beginning');
  });

  test('has as many values as steps fit, each a whole number of steps from the first', () => {
    const cents = fc.integer({ min: -1_000, max: 1_000 });
    fc.assert(
      fc.property(cents, fc.nat({ max: 1_000 }), fc.integer({ min: 1, max: 300 }), (from, length, step) => {
        const values = rangeOf(from / 100, (from + length) / 100, step / 100);
        expect(values).toHaveLength(Math.floor(length / step) + 1);
        values.forEach((value, i) => {
          expect(value).toBe((from + i * step) / 100);
        });
      }),
    );
  });
});
