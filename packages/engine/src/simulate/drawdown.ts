import type { Bot } from '../bot/runtime.ts';
import { equityOf } from '../report/equity.ts';

/** Notes the equity of now in the greatest so far, or in the greatest fall from it. @see accounting.md 6 */
export function sampleDrawdown(bot: Bot, figures: { peakEquity: number; maxDrawdown: number }): void {
  const equity = equityOf(bot);
  if (equity > figures.peakEquity) figures.peakEquity = equity;
  else if (figures.peakEquity > 0) figures.maxDrawdown = Math.max(figures.maxDrawdown, 1 - equity / figures.peakEquity);
}
