import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';
import { type Merged, mergedColumns } from './mergedColumns.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Candles of many sources on their way to one set of columns: parts in order of time, of which no two overlap. */
export type ColumnParts = CandleColumns[];

/**
 * Adds candles, in order of time; of two candles of one time the added one counts. Copies only the parts that they overlap,
 * so that many files of one stretch of time each cost no more than one file of all.
 *
 * @returns how many times are new, and how many others got other prices or volume
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

/** All parts as one. */
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

/** Index of the first part whose last time is as wanted; their number when there is none. */
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
