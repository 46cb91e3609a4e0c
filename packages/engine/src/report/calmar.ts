/** Returns the Calmar ratio: compound yearly return over maximum drawdown; null without a drawdown. */
export function calmar(annualReturn: number, maxDrawdown: number): number | null {
  return maxDrawdown === 0 ? null : annualReturn / maxDrawdown;
}
