import { DAYS_A_YEAR } from './dailyReturns.ts';

/**
 * Returns the Sharpe ratio of daily returns, with risk-free rate 0: mean / sample standard deviation · √365. The result is 0 with
 * fewer than two returns or no variation.
 */
export function sharpe(returns: readonly number[]): number {
  if (returns.length < 2) return 0;
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const variance = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (returns.length - 1);
  return variance === 0 ? 0 : (mean / Math.sqrt(variance)) * Math.sqrt(DAYS_A_YEAR);
}
