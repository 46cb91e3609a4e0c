const DAY = 86_400_000;

/**
 * Returns of whole UTC days: `equity(end of day)/equity(end of day before) − 1`; the first against `start`. Days without
 * a candle are left out; nothing is returned for a day that begins without equity.
 *
 * @param time open times of the candles, ms
 * @param start equity before the first candle
 */
export function dailyReturns(time: Float64Array, equity: Float64Array, start: number): number[] {
  const returns: number[] = [];
  let before = start;
  for (let i = 0; i < equity.length; i++) {
    const day = Math.floor((time[i] as number) / DAY);
    const isLast = i + 1 === equity.length || Math.floor((time[i + 1] as number) / DAY) !== day;
    if (!isLast) continue;
    if (before > 0) returns.push((equity[i] as number) / before - 1);
    before = equity[i] as number;
  }
  return returns;
}

/** Crypto trades every day of the year. */
export const DAYS_A_YEAR = 365;
