import { INTERVALS, type Interval } from '../../market/intervals.ts';

/** MEXC's names for candle intervals: in REST, in streams, and the common name. */
const NAMES = [
  ['1m', 'Min1', '1m'],
  ['5m', 'Min5', '5m'],
  ['15m', 'Min15', '15m'],
  ['30m', 'Min30', '30m'],
  ['60m', 'Min60', '1h'],
  ['4h', 'Hour4', '4h'],
  ['8h', 'Hour8', '8h'],
  ['1d', 'Day1', '1d'],
  ['1W', 'Week1', '1w'],
  ['1M', 'Month1', '1M'],
] as const;

function named(column: 0 | 1): ReadonlyMap<string, Interval> {
  return new Map(NAMES.map((row) => [row[column], INTERVALS.get(row[2]) as Interval]));
}

/** Intervals by the names of GET /api/v3/klines. */
export const REST_INTERVALS = named(0);

/** Intervals by the names of the kline channel. */
export const STREAM_INTERVALS = named(1);
