const DAY = 86_400_000;
/** Crypto trades every day. */
const DAYS_A_YEAR = 365;

/**
 * Sharpe ratio of daily returns, risk-free rate 0, annualised by √365: mean / sample standard deviation of
 * `equity(end of day)/equity(end of day before) − 1` over UTC days. 0 with fewer than two returns or no variation.
 *
 * @param start equity before the first candle
 */
export function sharpe(time: Float64Array, equity: Float64Array, start: number): number {
  const returns: number[] = [];
  let before = start;
  for (let i = 0; i < equity.length; i++) {
    const day = Math.floor((time[i] as number) / DAY);
    const isLast = i + 1 === equity.length || Math.floor((time[i + 1] as number) / DAY) !== day;
    if (!isLast) continue;
    if (before > 0) returns.push((equity[i] as number) / before - 1);
    before = equity[i] as number;
  }
  if (returns.length < 2) return 0;
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const variance = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (returns.length - 1);
  return variance === 0 ? 0 : (mean / Math.sqrt(variance)) * Math.sqrt(DAYS_A_YEAR);
}
