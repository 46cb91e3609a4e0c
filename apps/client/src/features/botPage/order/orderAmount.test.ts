import { describe, expect, test } from 'vitest';
import { amountFields } from './orderAmount.ts';

describe('the amount of a manual order', () => {
  test('is sent in the unit that was chosen, as plain digits', () => {
    expect(amountFields({ text: '１,000', unit: 'quote', all: false })).toEqual({ value: '1000' });
    expect(amountFields({ text: '0.5', unit: 'base', all: true })).toEqual({ quantity: '0.5', limitToAvailable: true });
  });

  test.each(['', '0', '0.00', 'abc', '-1', '1e3'])('is not sent while it is no number above 0: %j', (text) => {
    expect(amountFields({ text, unit: 'quote', all: false })).toEqual({});
  });
});
