import type { TableItem } from '@heron/engine/options/item.ts';
import { OPTION_TABLE } from '@heron/engine/options/table.ts';
import { expect, test } from 'vitest';
import { exampleRow, faultsAfter, fieldFaults } from './setupDraft.ts';

const tables: readonly TableItem[] = OPTION_TABLE.filter((item) => item.type === 'table');

test('a row that is added to an exit table lies well within its range, so that it does not sell at the first move', () => {
  expect(Object.fromEntries(tables.map((item) => [item.name, exampleRow(item)]))).toEqual({
    stop_sell: { profit: '5', stop: '100' },
    trailing_stop: { profit: '5', stop: '100' },
    profit_callback: { profit: '60', stop: '100' },
    profit_win: { profit: '20', stop: '50' },
  });
});

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
