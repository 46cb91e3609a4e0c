import { DAYS_A_YEAR } from './dailyReturns.ts';

/**
 * Returns the Sortino ratio of daily returns, with target 0: mean / √(mean of squared losses over all days) · √365. The result is
 * 0 without returns, null without a losing day.
 */
export function sortino(returns: readonly number[]): number | null {
  if (returns.length === 0) return 0;
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const downside = returns.reduce((sum, value) => sum + Math.min(0, value) ** 2, 0) / returns.length;
  return downside === 0 ? null : (mean / Math.sqrt(downside)) * Math.sqrt(DAYS_A_YEAR);
}
