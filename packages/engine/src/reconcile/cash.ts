import type { Account } from '../ledger/account.ts';
import { exact } from '../money/units.ts';
import { ownDifference } from './cashClaims.ts';
import type { Action, Memory, OurView, TheirView } from './view.ts';

/**
 * A difference in cash that two reconciliations have seen is a transfer that nobody told of: no result. It is booked as far
 * as both have seen it, since fills of other bots on the account may be saved a moment later than their money moves.
 *
 * @param account a copy, with every event of this reconciliation
 * @param settled false while an order has yet to be asked for
 * @param before what was remembered; @param after what is to be
 * @see docs/accounting.md#cash-differences
 */
export function reconcileCash(
  account: Account,
  { claim }: OurView,
  { cash, otherBots, askedAt: at }: TheirView,
  settled: boolean,
  [before, after]: readonly [before: Memory, after: Memory],
): Action[] {
  if (cash === null) return [];
  const difference = ownDifference(cash, { ...claim, cash: account.wallet.quote }, otherBots);
  after.cash = difference;
  if (!settled || difference === 0 || Math.sign(before.cash) !== Math.sign(difference)) return [];
  const amount = Math.sign(difference) * Math.min(Math.abs(before.cash), Math.abs(difference));
  after.cash = exact(difference - amount);
  const asset = account.currency;
  return [{ type: 'book', event: { type: 'transfer', id: `sync-${at}`, at, asset, amount, source: 'unknown' } }];
}
