import type { Locale } from '../../lib/preferences.ts';

/**
 * Says whether fills were worse or better than the first price. A sign alone would not say which.
 *
 * @param slippage positive when adverse
 * @param amount its absolute value as text
 */
export function slippageText(slippage: string | number, amount: string, { t }: Pick<Locale, 't'>): string {
  const value = Number(slippage);
  if (value === 0) return amount;
  return t(value > 0 ? 'trades.slippedWorse' : 'trades.slippedBetter', { amount });
}
