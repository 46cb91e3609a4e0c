import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readLocal, storeLocal } from '../../../lib/local.ts';
import { POSITION_COLUMNS, type PositionColumn } from './positionTable.ts';

const KEY = 'heron.positionColumns';

/** Columns that follow from others or matter seldom, which a person chooses. */
const RARE: ReadonlySet<PositionColumn> = new Set(['quantity', 'openedAt', 'fees', 'funding']);
const USUAL = POSITION_COLUMNS.filter((column) => !RARE.has(column));

/** Completes a stored choice. The pair is always shown, because its cell acts for the row. */
export function columnsOf(stored: unknown): readonly PositionColumn[] {
  if (!Array.isArray(stored)) return USUAL;
  return POSITION_COLUMNS.filter((column) => column === 'pair' || stored.includes(column));
}

const store = createStore<readonly PositionColumn[]>(() => columnsOf(readLocal(KEY)));

/** Shows or hides a column on this device. */
export function chooseColumn(column: PositionColumn, shown: boolean): void {
  const others = store.getState().filter((each) => each !== column);
  const columns = columnsOf(shown ? [...others, column] : others);
  store.setState(columns, true);
  storeLocal(KEY, columns);
}

/** Returns the columns to show, in their fixed order. */
export function useColumns(): readonly PositionColumn[] {
  return useStore(store);
}
