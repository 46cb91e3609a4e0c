import { describe, expect, test } from 'vitest';
import { shareOf, shownMinimum } from './roundedAmount.ts';

describe('an amount that is filled in', () => {
  test.each([
    ['9021.76842911', 25, 'quote', '2255.44'],
    ['9021.76842911', 100, 'quote', '9021.76'],
    ['0.5', 50, 'quote', '0.25'],
    ['0.09714', 75, 'base', '0.072855'],
    ['0', 100, 'base', '0'],
    ['12', 100, 'base', '12'],
  ] as const)('of a share is never above it: %s, %i %%', (amount, percent, unit, share) => {
    expect(shareOf(amount, percent, unit)).toBe(share);
  });

  test('shows a minimum that suffices', () => {
    expect(shownMinimum('5.03110001', 'quote')).toBe('5.04');
    expect(shownMinimum('5.04', 'quote')).toBe('5.04');
    expect(shownMinimum('0.00005', 'base')).toBe('0.00005');
  });
});
