import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stableOrder } from './stableOrder.ts';

const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0, -0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 5e-324, -1e-8, 1.8e12),
);

test('numbers are ordered as by comparison, and equal ones keep their order', () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 200 }), fc.boolean(), (values, descending) => {
      const sign = descending ? -1 : 1;
      const indexes = values.map((_, index) => index);
      const compared = indexes.toSorted((a, b) => {
        const [one, other] = [values[a] as number, values[b] as number];
        return one === other ? a - b : sign * (one < other ? -1 : 1);
      });
      expect([...stableOrder(values, descending)]).toEqual(compared);
    }),
    { numRuns: 1_000 },
  );
});
