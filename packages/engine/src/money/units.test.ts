import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AmountOutOfRange, exact, formatUnits, mulDiv, parseUnits, toUnits } from './units.ts';

const whole = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const divisor = fc.oneof(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.constantFrom(1e8, 1e5, 1e4, 3, 7));

describe('mulDiv', () => {
  it('equals integer arithmetic without limits, in every rounding direction', () => {
    fc.assert(
      fc.property(whole, whole, divisor, fc.boolean(), (a, b, d, negative) => {
        const signed = negative ? -a : a;
        const product = BigInt(signed) * BigInt(b);
        const d_ = BigInt(d);
        const floor = product >= 0n || product % d_ === 0n ? product / d_ : product / d_ - 1n;
        const rest = product - floor * d_;
        const expected = {
          down: floor,
          up: rest > 0n ? floor + 1n : floor,
          nearest: rest * 2n >= d_ && rest > 0n ? floor + 1n : floor,
        };
        for (const rounding of ['down', 'up', 'nearest'] as const) {
          const result = expected[rounding];
          if (result > BigInt(Number.MAX_SAFE_INTEGER) || result < -BigInt(Number.MAX_SAFE_INTEGER)) {
            expect(() => mulDiv(signed, b, d, rounding)).toThrow(AmountOutOfRange);
          } else {
            expect(BigInt(mulDiv(signed, b, d, rounding))).toBe(result);
          }
        }
      }),
      { numRuns: 20_000 },
    );
  });

  it('is exact at the very edge of the exact range', () => {
    for (let below = 0; below < 300; below++) {
      for (const d of [2, 3, 5, 7, 11, 13, 997, 1e5]) {
        const a = -(Number.MAX_SAFE_INTEGER - below);
        const floor = (BigInt(a) - BigInt(d - 1)) / BigInt(d);
        expect(BigInt(mulDiv(a, 1, d, 'down'))).toBe(floor);
        expect(BigInt(mulDiv(-a, 1, d, 'up'))).toBe(-floor);
      }
    }
  });

  it('is exact where operands are close to money: prices, quantities, 1e8', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e14 }), fc.integer({ min: 1, max: 1e12 }), (price, quantity) => {
        const expected = (BigInt(price) * BigInt(quantity)) / 100_000_000n;
        fc.pre(expected <= BigInt(Number.MAX_SAFE_INTEGER));
        expect(BigInt(mulDiv(price, quantity, 1e8, 'down'))).toBe(expected);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('exact', () => {
  it('never lets a negative zero, a fraction, NaN or infinity through', () => {
    expect(Object.is(exact(-0), 0)).toBe(true);
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => exact(value)).toThrow(AmountOutOfRange);
    }
  });
});

describe('decimals', () => {
  it('survive the way to units and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 1e15 }), fc.integer({ min: 0, max: 8 }), (units, decimals) => {
        const text = formatUnits(units, decimals);
        expect(parseUnits(text, decimals)).toBe(units);
        expect(toUnits(Number(text), decimals)).toBe(units);
      }),
    );
  });

  it('are refused when they are no plain decimal or finer than the unit', () => {
    for (const text of ['', '.', '1e3', ' 1', '1.', '0x1', '1.123456789', 'NaN', '--1'])
      expect(parseUnits(text)).toBeNull();
  });
});
