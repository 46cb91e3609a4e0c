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

test('an error between two values disappears when either is edited', () => {
  const between = { strategy: 'too fast', max_buy_size: 'too small', keep_lookback_periods: 'too few' };
  expect(faultsAfter(between, { params: { fast: '5' } })).toEqual({ max_buy_size: 'too small' });
  expect(Object.keys(faultsAfter(between, { texts: { min_buy_size: '5', min_periods: '20' } }))).toEqual(['strategy']);
});

test('a message of the server loses the identifier of its option', () => {
  const faults = [
    { option: 'exchange', message: 'Exchange (exchange): cannot be changed' },
    { option: 'mode', message: '交易模式（mode）：不能更改' },
  ];
  expect(fieldFaults(faults, {})).toEqual({ exchange: 'Exchange: cannot be changed', mode: '交易模式：不能更改' });
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
