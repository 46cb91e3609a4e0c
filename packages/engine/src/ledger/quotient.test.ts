import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AmountOutOfRange, type Rounding } from '../money/units.ts';
import { quotientDown, quotientNearest, quotientUp } from './quotient.ts';

const QUOTIENTS = { down: quotientDown, up: quotientUp, nearest: quotientNearest };

describe('quotient', () => {
  test('equals integer arithmetic without limits, in every rounding direction', () => {
    const factor = fc.oneof(fc.integer({ min: -1_000, max: 1_000 }), fc.maxSafeInteger());
    const divisor = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));
    const rounding = fc.constantFrom<Rounding>('down', 'up', 'nearest');
    const operands = fc.tuple(factor, factor, factor, divisor, divisor);
    fc.assert(
      fc.property(operands, rounding, ([a, b, c, d, e], how) => {
        const product = BigInt(a) * BigInt(b) * BigInt(c);
        const by = BigInt(d) * BigInt(e);
        const floor = (x: bigint, y: bigint) => (x - (((x % y) + y) % y)) / y;
        const expected =
          how === 'down' ? floor(product, by) : how === 'up' ? -floor(-product, by) : floor(2n * product + by, 2n * by);
        const held = expected <= BigInt(Number.MAX_SAFE_INTEGER) && expected >= -BigInt(Number.MAX_SAFE_INTEGER);
        if (held) expect(QUOTIENTS[how](a, b, c, d, e)).toBe(Number(expected));
        else expect(() => QUOTIENTS[how](a, b, c, d, e)).toThrow(AmountOutOfRange);
      }),
      { numRuns: 5_000 },
    );
  });
});
