import type { ClosedPositions } from '@heron/contract/bots/entities.ts';
import { type PositionTable, percentOf } from './positionTable.ts';

/** Without this mark, spreadsheet programs assume another encoding than UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

const time = (at: number) => new Date(at).toISOString();

/** Titles and cells; times in UTC, amounts as exact decimals. None of them can be read as a formula but a negative amount. */
const COLUMNS: readonly (readonly [title: string, cell: (of: ClosedPositions, row: number) => unknown])[] = [
  ['position', ({ id }, row) => id[row]],
  ['pair', ({ pair }, row) => pair[row]],
  ['direction', ({ direction }, row) => direction[row]],
  ['opened', ({ openedAt }, row) => time(openedAt[row] as number)],
  ['entry price', ({ entryPrice }, row) => entryPrice[row]],
  ['closed', ({ closedAt }, row) => time(closedAt[row] as number)],
  ['exit price', ({ exitPrice }, row) => exitPrice[row] ?? ''],
  ['quantity', ({ quantity }, row) => quantity[row]],
  ['net', ({ net }, row) => net[row]],
  ['fees', ({ fees }, row) => fees[row]],
  ['funding', ({ funding }, row) => funding[row]],
  ['reason', ({ reason }, row) => reason[row] ?? ''],
];

/** Returns some positions as CSV (RFC 4180) with a byte order mark. */
export function positionsCsv(table: PositionTable, rows: Uint32Array): string {
  const lines = [[...COLUMNS.map(([title]) => title), 'percent'].join(',')];
  for (const row of rows)
    lines.push([...COLUMNS.map(([, cell]) => cell(table.columns, row)), percentOf(table, row)].join(','));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}
