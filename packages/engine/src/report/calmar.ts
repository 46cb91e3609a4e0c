/** Calmar ratio: compound return a year over the greatest drawdown; null without a drawdown. */
export function calmar(annualReturn: number, maxDrawdown: number): number | null {
  return maxDrawdown === 0 ? null : annualReturn / maxDrawdown;
}
