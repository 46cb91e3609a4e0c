const DAY = 86_400_000;

/**
 * Computes the returns of UTC days: `equity(end of day)/equity(end of day before) − 1`; the first is relative to `start`. It omits
 * days without a candle, and days that begin without equity.
 *
 * @param time open times of the candles, ms
 * @param start equity before the first candle
 */
export function dailyReturns(time: Float64Array, equity: Float64Array, start: number): number[] {
  const ends: number[] = [];
  for (let i = 0; i < equity.length; i++) {
    const day = Math.floor((time[i] as number) / DAY);
    const isLast = i + 1 === equity.length || Math.floor((time[i + 1] as number) / DAY) !== day;
    if (isLast) ends.push(equity[i] as number);
  }
  return returnsOf(ends, start);
}

/** Computes the daily returns from the equity at the end of each day. */
export function returnsOf(ends: readonly number[], start: number): number[] {
  const returns: number[] = [];
  let before = start;
  for (const end of ends) {
    if (before > 0) returns.push(end / before - 1);
    before = end;
  }
  return returns;
}

/** Crypto trades every day of the year. */
export const DAYS_A_YEAR = 365;
