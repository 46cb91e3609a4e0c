import { bookClearance } from '../ledger/clearance.ts';
import { bookFundingAmount } from '../ledger/funding.ts';
import { exact, type Quote } from '../money/units.ts';
import { addLateResult } from '../state/closedPositionOf.ts';
import { addFunding } from '../state/positionResult.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Books a change of the wallet without a trade: funding, or the clearance of a forced close. It may arrive after the position
 * is closed.
 *
 * @param amount positive: received
 * @see docs/accounting.md#funding, docs/margin.md#liquidation
 */
export function onIncome({ bot, pair, at }: Turn, type: 'funding' | 'clearance', amount: Quote): void {
  const { holding, position } = pair;
  const recordIncome = type === 'funding' ? bookFundingAmount : bookClearance;
  recordIncome(bot.state.wallet, holding, amount);
  if (type === 'funding') addFunding(bot, pair, amount);
  else if (position === null) addLateResult(bot, pair, { net: amount, fees: -amount });
  else {
    position.realised = exact(position.realised + amount);
    position.feeQuote = exact(position.feeQuote - amount);
  }
  if (type === 'funding') bot.observer.funding(at, pair, amount, null, null);
}
