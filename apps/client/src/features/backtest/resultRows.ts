import type { ResultSource } from '@heron/contract/bots/entities.ts';
import { formatUnits, toUnits } from '@heron/engine/money/units.ts';
import type { BacktestDocument } from '@heron/engine/report/document.ts';

/**
 * Returns the breakdowns of a run: pairs in their order, reasons from the best to the worst, months from the newest to the
 * oldest. Amounts are exact decimals.
 */
export function resultRows({ pairs, metrics }: Pick<BacktestDocument, 'pairs' | 'metrics'>) {
  return {
    pairs: pairs.map(({ pair, realised, trades, wins, losses, fees, slippage }) => ({
      ...{ pair, trades, wins, losses, fees, slippage },
      net: amountText(realised),
    })),
    reasons: Object.entries(metrics.byReason)
      .sort(([, a], [, b]) => b.net - a.net)
      // The engine only uses the reasons of parent orders and funding as keys.
      .map(([reason, { net, trades }]) => ({ reason: reason as ResultSource, net: amountText(net), trades })),
    months: Object.entries(metrics.byMonth)
      .sort(([a], [b]) => b.localeCompare(a))
      .map(([month, { net, trades }]) => ({ month, net: amountText(net), trades })),
  };
}

/** Returns an amount of a document as an exact decimal. Small numbers print with an exponent otherwise. */
const amountText = (amount: number) => formatUnits(toUnits(amount));
