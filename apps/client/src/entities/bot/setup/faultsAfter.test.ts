import { expect, test } from 'vitest';
import { faultsAfter } from './setupDraft.ts';

const faults = { buy_pct: 'too much', 'params.fast': 'too small', pairs: 'none' };

test('a fault goes when its field is typed in, and the others are the same that they were', () => {
  expect(faultsAfter(faults, { texts: { buy_pct: '2' }, pairs: ['BTC-USDT'] })).toEqual({ 'params.fast': 'too small' });
  expect(faultsAfter(faults, { texts: { period: '1m' } })).toBe(faults);
});

test('faults of parameters go with their strategy, whatever the next one calls its own', () => {
  expect(faultsAfter(faults, { texts: { strategy: 'rsi' } })).toEqual({ buy_pct: 'too much', pairs: 'none' });
});
