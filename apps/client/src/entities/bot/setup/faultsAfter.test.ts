import { expect, test } from 'vitest';
import { faultsAfter, fieldFaults } from './setupDraft.ts';

const faults = { buy_pct: 'too much', 'params.fast': 'too small', pairs: 'none' };

test('an error disappears when its field is edited, and the others stay the same', () => {
  expect(faultsAfter(faults, { texts: { buy_pct: '2' }, pairs: ['BTC-USDT'] })).toEqual({ 'params.fast': 'too small' });
  expect(faultsAfter(faults, { texts: { period: '1m' } })).toBe(faults);
});

test('errors of parameters disappear when the strategy changes', () => {
  expect(faultsAfter(faults, { texts: { strategy: 'rsi' } })).toEqual({ buy_pct: 'too much', pairs: 'none' });
});

test('errors are shown at the parameter or at the option of the same name, as they say', () => {
  const fault = { option: 'mode', message: 'wrong' };
  expect(fieldFaults([{ ...fault, isParam: true }], { mode: 'averaging' })).toEqual({ 'params.mode': 'wrong' });
  expect(fieldFaults([fault], { mode: 'averaging' })).toEqual({ mode: 'wrong' });
  // An older bot host.
  expect(fieldFaults([{ option: 'fast', message: 'wrong' }], { fast: '0' })).toEqual({ 'params.fast': 'wrong' });
});
