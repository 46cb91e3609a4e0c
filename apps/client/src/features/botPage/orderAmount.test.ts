import { describe, expect, test } from 'vitest';
import { amountFields, shareOf, shownMinimum } from './orderAmount.ts';

describe('the amount of a manual order', () => {
  test('is sent in the unit that was chosen, as plain digits', () => {
    expect(amountFields({ text: '１,000', unit: 'quote', all: false })).toEqual({ value: '1000' });
    expect(amountFields({ text: '0.5', unit: 'base', all: true })).toEqual({ quantity: '0.5', limitToAvailable: true });
  });

  test.each(['', '0', '0.00', 'abc', '-1', '1e3'])('is not sent while it is no number above 0: %j', (text) => {
    expect(amountFields({ text, unit: 'quote', all: false })).toEqual({});
  });

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
