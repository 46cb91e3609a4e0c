import { type CandleColumns, candleColumns, sliceCandles } from './candle.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Candle lengths that a strategy may use, in ms. @see docs/options.md#strategy */
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
 * Returns the open time of the candle of `periodMs` that contains `time`. Candles align to the Unix epoch in UTC, weeks to Monday.
 *
 * @see docs/bot-lifecycle.md#market-data
 */
export function periodStart(time: number, periodMs: number): number {
  // 1970-01-01 was a Thursday: the first Monday is day 4.
  const offset = periodMs === PERIODS['1w'] ? 4 * DAY : 0;
  return Math.floor((time - offset) / periodMs) * periodMs + offset;
}

/**
 * Merges candles into longer ones. It omits a first or last candle that is incomplete, since it would differ from the candle of
 * the exchange. Gaps inside a candle are ignored, as exchanges do.
 *
 * @param sourceMs length of the given candles; must divide `targetMs`
 */
export function mergeCandles(candles: CandleColumns, sourceMs: number, targetMs: number): CandleColumns {
  if (sourceMs === targetMs) return candles;
  if (targetMs % sourceMs !== 0) throw new RangeError(`${sourceMs} ms candles cannot be merged to ${targetMs} ms`);
  if (candles.length === 0) return candles;
  const span = (candles.time[candles.length - 1] as number) - (candles.time[0] as number);
  const merged = candleColumns(Math.min(candles.length, Math.floor(span / targetMs) + 2));
  const { time, open, close } = candles;
  const perTarget = targetMs / sourceMs;
  let at = -1;
  let start = Number.NEGATIVE_INFINITY;
  for (let from = 0; from < candles.length; ) {
    start = periodStart(time[from] as number, targetMs);
    const to = endWithin(time, from, perTarget, start + targetMs);
    at += 1;
    merged.time[at] = start;
    merged.open[at] = open[from] as number;
    merged.close[at] = close[to - 1] as number;
    mergeInto(merged, at, candles, from, to);
    from = to;
  }
  const lastClosed = (candles.time[candles.length - 1] as number) + sourceMs === start + targetMs;
  const firstWhole = candles.time[0] === merged.time[0];
  return sliceCandles(merged, firstWhole ? 0 : 1, Math.max(firstWhole ? 0 : 1, at + (lastClosed ? 1 : 0)));
}

/** Returns the first candle after `from` that opens at `end` or later. It tries `from + max` first, which is right without a gap. */
function endWithin(time: Float64Array, from: number, max: number, end: number): number {
  let to = Math.min(from + max, time.length);
  while ((time[to - 1] as number) >= end) to -= 1;
  while (to < time.length && (time[to] as number) < end) to += 1;
  return to;
}

/** Merges high, low and volume of the candles from `from` to before `to`. In a separate loop V8 keeps them in registers. */
function mergeInto(
  merged: CandleColumns,
  at: number,
  { high, low, volume }: CandleColumns,
  from: number,
  to: number,
): void {
  let highest = high[from] as number;
  let lowest = low[from] as number;
  let traded = volume[from] as number;
  for (let i = from + 1; i < to; i++) {
    // This avoids a branch, since the processor cannot predict which candle has a new extreme.
    highest = Math.max(highest, high[i] as number);
    lowest = Math.min(lowest, low[i] as number);
    traded += volume[i] as number;
  }
  merged.high[at] = highest;
  merged.low[at] = lowest;
  merged.volume[at] = traded;
}
