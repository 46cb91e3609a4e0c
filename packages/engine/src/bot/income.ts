import { bookClearance } from '../ledger/clearance.ts';
import { bookFundingAmount } from '../ledger/funding.ts';
import type { Quote } from '../money/units.ts';
import { addResult } from '../state/addResult.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Books a change of the wallet without a trade: funding, or the clearance of a forced close. It may arrive after the position
 * is closed.
 *
 * @param amount positive: received
 * @see docs/accounting.md#funding, docs/margin.md#liquidation
 */
export function onIncome({ bot, pair, at }: Turn, type: 'funding' | 'clearance', amount: Quote): void {
  const { wallet } = bot.state;
  if (type === 'funding') {
    bookFundingAmount(wallet, pair.holding, amount);
    addResult(bot, pair, { net: amount, funding: amount });
    bot.observer.funding(at, pair, amount, null, null);
  } else {
    bookClearance(wallet, pair.holding, amount);
    addResult(bot, pair, { net: amount, fees: -amount });
  }
}
