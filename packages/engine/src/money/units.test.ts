import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AmountOutOfRange,
  exact,
  formatUnits,
  mulDiv,
  parseUnits,
  type Rounding,
  remainder,
  toUnits,
} from './units.ts';

const whole = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const divisor = fc.oneof(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.constantFrom(1e8, 1e5, 1e4, 3, 7));

describe('mulDiv', () => {
  test('equals integer arithmetic without limits, in every rounding direction', () => {
    fc.assert(
      fc.property(whole, whole, divisor, fc.boolean(), (a, b, d, negative) => {
        const signed = negative ? -a : a;
        const expected = quotients(BigInt(signed) * BigInt(b), BigInt(d));
        for (const rounding of ['down', 'up', 'nearest'] as const) {
          const result = expected[rounding];
          const found = () => mulDiv(signed, b, d, rounding);
          if (isExact(result)) expect(BigInt(found())).toBe(result);
          else expect(found).toThrow(AmountOutOfRange);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  test('is exact at the very edge of the exact range', () => {
    for (let below = 0; below < 300; below++) {
      for (const d of [2, 3, 5, 7, 11, 13, 997, 1e5]) {
        const a = -(Number.MAX_SAFE_INTEGER - below);
        const floor = (BigInt(a) - BigInt(d - 1)) / BigInt(d);
        expect(BigInt(mulDiv(a, 1, d, 'down'))).toBe(floor);
        expect(BigInt(mulDiv(-a, 1, d, 'up'))).toBe(-floor);
      }
    }
  });

  test('is exact where operands are close to money: prices, quantities, 1e8', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e14 }), fc.integer({ min: 1, max: 1e12 }), (price, quantity) => {
        const expected = (BigInt(price) * BigInt(quantity)) / 100_000_000n;
        fc.pre(expected <= BigInt(Number.MAX_SAFE_INTEGER));
        expect(BigInt(mulDiv(price, quantity, 1e8, 'down'))).toBe(expected);
      }),
      { numRuns: 20_000 },
    );
  });

  test('is exact where the quotient is a whole number or a half, or next to one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e14 }),
        fc.oneof(fc.constantFrom(1e8, 2e8, 1e9, 3, 997), fc.integer({ min: 1, max: 2 ** 41 })),
        fc.integer({ min: -2, max: 2 }),
        fc.boolean(),
        fc.boolean(),
        (a, d, beside, half, negative) => {
          const rest = beside + (half ? Math.floor(d / 2) : 0);
          const b = factorWithRest(BigInt(a), BigInt(d), BigInt(rest));
          const signed = negative ? -a : a;
          const expected = quotients(BigInt(signed) * b, BigInt(d));
          fc.pre(isExact(expected.down) && isExact(expected.up));
          for (const rounding of ['down', 'up', 'nearest'] as const) {
            expect(BigInt(mulDiv(signed, Number(b), d, rounding))).toBe(expected[rounding]);
          }
        },
      ),
      { numRuns: 20_000 },
    );
  });
});

describe('remainder', () => {
  test('equals integer arithmetic, also beside multiples and at the edge of exactness', () => {
    fc.assert(
      fc.property(whole, divisor, fc.integer({ min: -1, max: 1 }), (value, step, beside) => {
        const near = Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, value - (value % step) + beside));
        for (const each of [value, near]) expect(BigInt(remainder(each, step))).toBe(BigInt(each) % BigInt(step));
      }),
      { numRuns: 20_000 },
    );
  });
});

/** Returns a quotient in every rounding direction, in integer arithmetic without limits. */
function quotients(product: bigint, divisor: bigint): Record<Rounding, bigint> {
  const down = product / divisor - (product < 0n && product % divisor !== 0n ? 1n : 0n);
  const rest = product - down * divisor;
  const up = rest > 0n ? down + 1n : down;
  return { down, up, nearest: rest > 0n && rest * 2n >= divisor ? up : down };
}

function isExact(amount: bigint): boolean {
  return amount <= BigInt(Number.MAX_SAFE_INTEGER) && amount >= -BigInt(Number.MAX_SAFE_INTEGER);
}

/** Returns a factor whose product with `a` has the given rest modulo `d`. Without an inverse the product is a multiple of `d`. */
function factorWithRest(a: bigint, d: bigint, rest: bigint): bigint {
  const inverse = inverseOf(a, d);
  return inverse === null ? d : (((rest * inverse) % d) + d) % d;
}

/** Returns the inverse of `a` modulo `d`; null when there is none. */
function inverseOf(a: bigint, d: bigint): bigint | null {
  let [r, next, s, after] = [a % d, d, 1n, 0n];
  while (next !== 0n) {
    const q = r / next;
    [r, next] = [next, r - q * next];
    [s, after] = [after, s - q * after];
  }
  return r === 1n ? ((s % d) + d) % d : null;
}

/** Returns the float64 `steps` positions after a value of 0 or more; 0 when it would be negative. */
function nextFloat(value: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigInt64(0) + BigInt(steps);
  view.setBigInt64(0, bits < 0n ? 0n : bits);
  return view.getFloat64(0);
}

describe('exact', () => {
  test('never lets a negative zero, a fraction, NaN or infinity through', () => {
    expect(Object.is(exact(-0), 0)).toBe(true);
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => exact(value)).toThrow(AmountOutOfRange);
    }
  });
});

describe('decimals', () => {
  test('survive the conversion to units and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 1e15 }), fc.integer({ min: 0, max: 8 }), (units, decimals) => {
        const text = formatUnits(units, decimals);
        expect(parseUnits(text, decimals)).toBe(units);
        expect(toUnits(Number(text), decimals)).toBe(units);
      }),
    );
  });

  test('round as Math.round does, also beside halves and where float64 has none left', () => {
    const beside = fc
      .tuple(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), fc.constantFrom(0, 0.5), fc.constantFrom(-1, 0, 1))
      .map(([whole, part, step]) => nextFloat(whole + part, step));
    fc.assert(
      fc.property(
        fc.oneof(beside, fc.double({ min: -1e6, max: 2 ** 52, noNaN: true })),
        fc.boolean(),
        (size, negative) => {
          const value = negative ? -size : size;
          if (Math.abs(Math.round(value)) <= Number.MAX_SAFE_INTEGER)
            expect(toUnits(value, 0)).toBe(Math.round(value) + 0);
          else expect(() => toUnits(value, 0)).toThrow(AmountOutOfRange);
        },
      ),
      {
        numRuns: 20_000,
        examples: [0.5, 0.5 - 2 ** -54, 1.5, 2 ** 52 + 1, 2 ** 53 - 1, 2 ** 53].flatMap((size) => [
          [size, false],
          [size, true],
        ]),
      },
    );
  });

  test('are refused when they are no plain decimal or finer than the unit', () => {
    for (const text of ['', '.', '1e3', ' 1', '1.', '0x1', '1.123456789', 'NaN', '--1'])
      expect(parseUnits(text)).toBeNull();
  });
});
