import type { Account } from '../ledger/account.ts';
import { exact } from '../money/units.ts';
import { ownDifference } from './cashClaims.ts';
import type { Action, Memory, OurView, TheirView } from './view.ts';

/**
 * Books as a transfer a cash difference that two reconciliations have found; results exclude it. It books the smaller of both
 * differences, since other bots on the account may save their fills after the money has moved.
 *
 * @param account a copy with every event of this reconciliation
 * @param settled false while an order must be queried
 * @param before memory of the last reconciliation; @param after memory for the next
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
