import type { Quote } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import { equityOf } from '../state/equity.ts';

/** The figures that a drawdown is sampled into. */
interface DrawdownFigures {
  peakEquity: number;
  maxDrawdown: number;
  /** Sum of transfers that the peak includes; omitted where there are none. */
  peakTransfers?: Quote;
}

/** Records the present equity as the new peak, or its distance from the peak. @see docs/accounting.md#drawdown */
export function sampleDrawdown(bot: Bot, figures: DrawdownFigures): void {
  const equity = equityOf(bot);
  followTransfers(equity, bot.state.wallet.transfers, figures);
  if (equity > figures.peakEquity) figures.peakEquity = equity;
  else if (figures.peakEquity > 0) figures.maxDrawdown = Math.max(figures.maxDrawdown, 1 - equity / figures.peakEquity);
}

/** Money that came or went is no result: the peak moves by the same part as the equity did. */
function followTransfers(equity: Quote, transfers: Quote, figures: DrawdownFigures): void {
  const amount = transfers - (figures.peakTransfers ?? 0);
  if (amount === 0) return;
  const before = equity - amount;
  figures.peakEquity =
    before > 0 ? Math.max(0, Math.round(figures.peakEquity * (equity / before))) : Math.max(0, equity);
  figures.peakTransfers = transfers;
}
