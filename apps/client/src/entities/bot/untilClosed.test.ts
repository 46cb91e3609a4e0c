import { expect, test } from 'vitest';
import { untilClosed } from './untilClosed.ts';

test('closed candles are requested 3 s after the next close, and once an hour at least', () => {
  const noon = Date.UTC(2026, 0, 5, 12);
  expect(untilClosed('1m', noon)).toBe(63_000);
  expect(untilClosed('1m', noon + 59_999)).toBe(3_001);
  expect(untilClosed('15m', noon + 14 * 60_000)).toBe(63_000);
  expect(untilClosed('1w', noon)).toBe(3_600_000);
});
