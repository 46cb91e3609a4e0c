import { type CandleColumns, candleColumns, sliceCandles } from './candle.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Candle lengths that a strategy may use, in ms. @see options.md 2.1 `period` */
export const PERIODS = {
  '1m': MINUTE,
  '2m': 2 * MINUTE,
  '3m': 3 * MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': 60 * MINUTE,
  '2h': 120 * MINUTE,
  '4h': 240 * MINUTE,
  '8h': 480 * MINUTE,
  '12h': 720 * MINUTE,
  '1d': DAY,
  '3d': 3 * DAY,
  '1w': 7 * DAY,
} as const;

export type Period = keyof typeof PERIODS;

export function isPeriod(value: unknown): value is Period {
  return typeof value === 'string' && Object.hasOwn(PERIODS, value);
}

/**
 * Open time of the candle of `periodMs` that holds `time`. Aligned to the Unix epoch in UTC, weeks to Monday.
 *
 * @see options.md 4.4
 */
export function periodStart(time: number, periodMs: number): number {
  // 1970-01-01 was a Thursday: the first Monday is day 4.
  const offset = periodMs === PERIODS['1w'] ? 4 * DAY : 0;
  return Math.floor((time - offset) / periodMs) * periodMs + offset;
}

/**
 * Merges candles into longer ones. A first candle that begins in the middle and a last one whose end is missing are left
 * out: they would not be the exchange's candles. Gaps inside are merged over, as exchanges do.
 *
 * @param sourceMs length of the given candles; must divide `targetMs`
 */
export function mergeCandles(candles: CandleColumns, sourceMs: number, targetMs: number): CandleColumns {
  if (sourceMs === targetMs) return candles;
  if (targetMs % sourceMs !== 0) throw new RangeError(`${sourceMs} ms candles cannot be merged to ${targetMs} ms`);
  if (candles.length === 0) return candles;
  const span = (candles.time[candles.length - 1] as number) - (candles.time[0] as number);
  const merged = candleColumns(Math.min(candles.length, Math.floor(span / targetMs) + 2));
  const { time, open, high, low, close, volume } = candles;
  // The candle that is being made stays in local variables: writing it for every source candle takes twice as long.
  let at = -1;
  let start = Number.NEGATIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  let highest = 0;
  let lowest = 0;
  let traded = 0;
  for (let i = 0; i < candles.length; i++) {
    const top = high[i] as number;
    const bottom = low[i] as number;
    if ((time[i] as number) < end) {
      if (top > highest) highest = top;
      if (bottom < lowest) lowest = bottom;
      traded += volume[i] as number;
      continue;
    }
    if (at >= 0) finish(merged, at, highest, lowest, close[i - 1] as number, traded);
    start = periodStart(time[i] as number, targetMs);
    end = start + targetMs;
    at += 1;
    merged.time[at] = start;
    merged.open[at] = open[i] as number;
    highest = top;
    lowest = bottom;
    traded = volume[i] as number;
  }
  finish(merged, at, highest, lowest, close[candles.length - 1] as number, traded);
  const lastClosed = (candles.time[candles.length - 1] as number) + sourceMs === start + targetMs;
  const firstWhole = candles.time[0] === merged.time[0];
  return sliceCandles(merged, firstWhole ? 0 : 1, Math.max(firstWhole ? 0 : 1, at + (lastClosed ? 1 : 0)));
}

function finish(merged: CandleColumns, at: number, high: number, low: number, close: number, volume: number): void {
  merged.high[at] = high;
  merged.low[at] = low;
  merged.close[at] = close;
  merged.volume[at] = volume;
}
