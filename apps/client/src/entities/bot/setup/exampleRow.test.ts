import type { TableItem } from '@heron/engine/options/item.ts';
import { OPTION_TABLE } from '@heron/engine/options/table.ts';
import { expect, test } from 'vitest';
import { exampleRow } from './setupDraft.ts';

const tables: readonly TableItem[] = OPTION_TABLE.filter((item) => item.type === 'table');

test('a row that is added to an exit table lies well within its range, so that it does not sell at the first move', () => {
  expect(Object.fromEntries(tables.map((item) => [item.name, exampleRow(item)]))).toEqual({
    stop_sell: { profit: '5', stop: '100' },
    trailing_stop: { profit: '5', stop: '100' },
    profit_callback: { profit: '60', stop: '100' },
    profit_win: { profit: '20', stop: '50' },
  });
});
