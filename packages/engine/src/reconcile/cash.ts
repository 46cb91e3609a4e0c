import type { Account } from '../ledger/account.ts';
import { type Quote, SCALE } from '../money/units.ts';
import type { Action, Memory, TheirView } from './view.ts';

/** A difference up to this is left alone: 0.01 of the currency. @see accounting.md 5 (5) */
const TOLERANCE: Quote = SCALE / 100;

/**
 * A difference in cash beyond 0.01 that two reconciliations have seen is a transfer that nobody told of: no result.
 *
 * @param account a copy, with every event of this reconciliation
 * @param settled false while an order has yet to be asked for
 * @param before what was remembered; @param after what is to be
 * @see accounting.md 5 (5)
 */
export function reconcileCash(
  account: Account,
  { cash, shared, askedAt: at }: TheirView,
  settled: boolean,
  before: Memory,
  after: Memory,
): Action[] {
  if (cash === null) return [];
  const amount = cash - account.wallet.quote;
  if (Math.abs(amount) <= TOLERANCE || (shared === true && amount > 0)) return [];
  if (!settled || Math.sign(before.cash) !== Math.sign(amount)) {
    after.cash = amount;
    return [];
  }
  const asset = account.currency;
  return [{ type: 'book', event: { type: 'transfer', id: `sync-${at}`, at, asset, amount, source: 'unknown' } }];
}
