import type { ClosedPositions } from '@heron/contract/bots/entities.ts';

/** Columns by which closed positions are sorted and shown. */
export const POSITION_COLUMNS = [
  'pair',
  'direction',
  'net',
  'percent',
  'closedAt',
  'duration',
  'reason',
  'entryPrice',
  'exitPrice',
  'quantity',
  'openedAt',
  'fees',
  'funding',
] as const;

export type PositionColumn = (typeof POSITION_COLUMNS)[number];

/** Sort order of a table; the same values keep the order of their ends, newest first. */
export interface PositionSort {
  readonly by: PositionColumn;
  readonly descending: boolean;
}

/** Conditions that a shown position fulfils; null where any value does. */
export interface PositionFilter {
  readonly pair: string | null;
  readonly direction: 'long' | 'short' | null;
  readonly result: 'won' | 'lost' | null;
  readonly reason: string | null;
  /** Bounds of the time at which it was closed, ms; `to` is excluded. */
  readonly from: number | null;
  readonly to: number | null;
}

export const ANY_POSITION: PositionFilter = {
  pair: null,
  direction: null,
  result: null,
  reason: null,
  from: null,
  to: null,
};

/** Closed positions, with numbers by which a hundred thousand of them are sorted and filtered at once. */
export interface PositionTable {
  readonly columns: ClosedPositions;
  readonly size: number;
  /** Result in 1e-8 of the quote currency, exact. */
  readonly net: Float64Array;
}

const UNITS = 1e8;

/** @param columns newest first */
export function createPositionTable(columns: ClosedPositions): PositionTable {
  // A float64 has more digits than an amount below 90 million has units.
  const net = Float64Array.from(columns.net, (text) => Math.round(Number(text) * UNITS));
  return { columns, size: columns.id.length, net };
}

/** Returns the result of a row in percent of its largest size at the entry price. @see docs/accounting.md#closed-positions */
export function percentOf({ columns }: PositionTable, row: number): number {
  const value = Number(columns.entryPrice[row]) * Number(columns.quantity[row]);
  return value === 0 ? 0 : (100 * Number(columns.net[row])) / value;
}

/**
 * Returns all rows in order. Equal values keep the order of their ends, newest first.
 *
 * @param labelOf names reasons and directions, which are sorted by their labels
 */
export function orderOf(
  table: PositionTable,
  { by, descending }: PositionSort,
  labelOf: (value: string) => string,
): Uint32Array {
  const values = valuesOf(table, by, labelOf);
  const sign = descending ? -1 : 1;
  return Uint32Array.from(values, (_, row) => row).sort((a, b) => {
    const [one, other] = [values[a] as number, values[b] as number];
    return one === other ? 0 : one < other ? -sign : sign;
  });
}

/** Returns the rows of an order that pass a filter. */
export function rowsOf({ columns, net }: PositionTable, order: Uint32Array, filter: PositionFilter): Uint32Array {
  const { pair, direction, result, reason, from, to } = filter;
  const rows = new Uint32Array(order.length);
  let count = 0;
  for (const row of order) {
    const at = columns.closedAt[row] as number;
    const value = net[row] as number;
    const fits =
      (pair === null || columns.pair[row] === pair) &&
      (direction === null || columns.direction[row] === direction) &&
      (reason === null || columns.reason[row] === reason) &&
      (from === null || at >= from) &&
      (to === null || at < to) &&
      (result === null || (result === 'won' ? value > 0 : value < 0));
    if (fits) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

function valuesOf(table: PositionTable, by: PositionColumn, labelOf: (value: string) => string): ArrayLike<number> {
  const { columns, net } = table;
  switch (by) {
    case 'net':
      return net;
    case 'percent':
      return Float64Array.from(columns.id, (_, row) => percentOf(table, row));
    case 'openedAt':
    case 'closedAt':
      return columns[by];
    case 'duration':
      return Float64Array.from(columns.closedAt, (at, row) => at - (columns.openedAt[row] as number));
    case 'pair':
      return ranksOf(columns.pair, (pair) => pair);
    case 'direction':
      return ranksOf(columns.direction, labelOf);
    case 'reason':
      return ranksOf(columns.reason, labelOf);
    default:
      // A missing price is the lowest.
      return Float64Array.from(columns[by], (value) => (value === null ? Number.NEGATIVE_INFINITY : Number(value)));
  }
}

/** Returns the rank of each text by its label, so that long lists of texts are compared as numbers. */
function ranksOf(texts: readonly (string | null)[], labelOf: (value: string) => string): Float64Array {
  const labels = [...new Set(texts)].map((text) => [text, text === null ? '' : labelOf(text)] as const);
  labels.sort(([, a], [, b]) => a.localeCompare(b));
  const ranks = new Map(labels.map(([text], rank) => [text, rank]));
  return Float64Array.from(texts, (text) => ranks.get(text) ?? 0);
}

/** Figures of some positions; `net` is exact decimal text. */
export interface PositionSum {
  readonly count: number;
  readonly won: number;
  readonly lost: number;
  readonly net: string;
}

/** Counts and adds up positions. */
export function sumOfRows({ net }: PositionTable, rows: Uint32Array): PositionSum {
  let won = 0;
  let lost = 0;
  // Sums of parts stay exact where the sum of all would leave the exact range.
  let sum = 0n;
  let part = 0;
  for (const row of rows) {
    const value = net[row] as number;
    if (value > 0) won += 1;
    else if (value < 0) lost += 1;
    part += value;
    if (Math.abs(part) > 2 ** 52) {
      sum += BigInt(part);
      part = 0;
    }
  }
  return { count: rows.length, won, lost, net: unitsText(sum + BigInt(part)) };
}

function unitsText(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(9, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** Returns the different texts of a column in the order of their labels. */
export function choicesOf(texts: readonly (string | null)[], labelOf: (value: string) => string): string[] {
  const found = [...new Set(texts)].flatMap((text) => (text === null ? [] : [text]));
  return found.sort((a, b) => labelOf(a).localeCompare(labelOf(b)));
}
