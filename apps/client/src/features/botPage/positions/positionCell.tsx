import type { ReactNode } from 'react';
import { directionLabel, reasonLabel } from '../../../entities/bot/labels.ts';
import { durationText } from '../../../lib/durationText.ts';
import type { Preferences } from '../../../lib/preferences.ts';
import { Moment, MoneyMoved, PercentMoved } from '../../../ui/Figures.tsx';
import { type PositionColumn, type PositionTable, percentOf } from './positionTable.ts';

/** Columns whose cells are numbers, which are aligned to the right. */
export const NUMBERS: ReadonlySet<PositionColumn> = new Set([
  'entryPrice',
  'exitPrice',
  'quantity',
  'net',
  'percent',
  'duration',
  'fees',
  'funding',
]);

interface CellProps {
  readonly table: PositionTable;
  readonly row: number;
  readonly column: PositionColumn;
  readonly currency: string;
  /** With the prices and the plan of the bot. */
  readonly preferences: Preferences;
}

/** Returns the content of one cell. */
export function positionCell({ table, row, column, currency, preferences }: CellProps): ReactNode {
  const { columns } = table;
  const { t, format } = preferences;
  switch (column) {
    case 'pair':
      return columns.pair[row];
    case 'direction':
      return directionLabel(columns.direction[row], preferences);
    case 'openedAt':
    case 'closedAt':
      return <Moment at={columns[column][row] as number} />;
    case 'entryPrice':
      return format.price(columns.entryPrice[row] as string);
    case 'exitPrice':
      return columns.exitPrice[row] == null ? '—' : format.price(columns.exitPrice[row]);
    case 'quantity':
      return format.quantity(columns.quantity[row] as string);
    case 'net':
      return <MoneyMoved value={columns.net[row] as string} currency={currency} />;
    case 'percent':
      return <PercentMoved value={percentOf(table, row)} />;
    case 'duration':
      return durationText((columns.closedAt[row] as number) - (columns.openedAt[row] as number), { t });
    case 'reason':
      return columns.reason[row] == null ? '—' : reasonLabel(columns.reason[row], preferences);
    case 'fees':
      return format.money(columns.fees[row] as string, currency);
    case 'funding':
      return format.signedMoney(columns.funding[row] as string, currency);
  }
}
