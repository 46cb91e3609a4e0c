import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';
import { type Merged, mergedColumns } from './mergedColumns.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Candles of several sources that are merged into one set of columns: parts in order of time, without overlaps. */
export type ColumnParts = CandleColumns[];

/**
 * Adds candles in order of time. A new candle replaces one of the same time. Only overlapped parts are copied, so that many
 * files of separate spans cost as much as one file of all.
 *
 * @returns the number of new times, and of others whose prices or volume changed
 */
export function addPart(parts: ColumnParts, part: CandleColumns): Pick<Merged, 'added' | 'changed'> {
  if (part.length === 0) return { added: 0, changed: 0 };
  const from = firstPart(parts, (last) => last >= (part.time[0] as number));
  const end = part.time[part.length - 1] as number;
  let to = from;
  while (to < parts.length && (parts[to]?.time[0] as number) <= end) to += 1;
  const { candles, added, changed } = mergedColumns(joinedColumns(parts.slice(from, to)), part);
  parts.splice(from, to - from, candles);
  return { added, changed };
}

/** Returns all parts as one. */
export function joinedColumns(parts: Readonly<ColumnParts>): CandleColumns {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const whole = candleColumns(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    for (const name of COLUMNS) whole[name].set(part[name], at);
    at += part.length;
  }
  return whole;
}

/** Returns the index of the first part whose last time fulfils the condition; the number of parts when there is none. */
function firstPart(parts: Readonly<ColumnParts>, isWanted: (lastTime: number) => boolean): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { time } = parts[middle] as CandleColumns;
    if (isWanted(time[time.length - 1] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}
