import type { Account } from '../ledger/account.ts';
import { applyLedgerEvent, type LedgerEvent } from '../ledger/events.ts';
import type { Price, Quantity } from '../money/units.ts';
import type { Action, Memory, TheirPair } from './view.ts';

/**
 * Compares what is held. A difference of half a step or more waits for one more reconciliation, since fills may be late.
 * Then what the exchange lacks is taken off at the mark, and what it has more is foreign: flagged, not managed.
 *
 * @param account a copy, with every fill that is known; adjustments are applied to it
 * @param mark 0 while it is not known: nothing can be valued
 * @param settled false while an order of the pair has yet to be asked for
 * @param before what was remembered; @param after what is to be
 * @see docs/accounting.md#quantity-differences
 */
export function reconcileQuantity(
  account: Account,
  theirs: TheirPair,
  mark: Price,
  settled: boolean,
  before: Memory,
  after: Memory,
  at: number,
): Action[] {
  const { pair, market } = theirs;
  const holding = account.holdings[pair];
  if (holding === undefined) return [];
  const ours = holding.side * holding.quantity;
  const difference = theirs.quantity - ours;
  const flagged = before.foreign[pair] ?? 0;
  if (2 * Math.abs(difference) < market.step) return flag(account, pair, 0, flagged, after);
  const surplus = ours === 0 || difference > 0 === ours > 0 ? difference : 0;
  // One that is flagged already is no news.
  if (surplus !== 0 && surplus === flagged) return flag(account, pair, surplus, flagged, after);
  const seenBefore = Math.sign(before.quantities[pair] ?? 0) === Math.sign(difference);
  if (!seenBefore || !settled || mark <= 0) {
    after.quantities[pair] = difference;
    if (flagged !== 0) after.foreign[pair] = flagged;
    return [];
  }
  if (surplus !== 0) return flag(account, pair, surplus, flagged, after);
  const removed = Math.min(holding.quantity, Math.abs(difference));
  const change = { quantityDelta: -removed, price: mark, why: 'external' };
  const event: LedgerEvent = { type: 'adjust', id: `sync-${at}`, at, pair, ...change };
  applyLedgerEvent(account, event);
  // Beyond flat: the exchange holds the other side.
  const other = Math.abs(difference) > removed ? theirs.quantity : 0;
  return [{ type: 'book', event }, ...flag(account, pair, other, flagged, after)];
}

function flag(account: Account, pair: string, surplus: Quantity, flagged: Quantity, after: Memory): Action[] {
  if (surplus !== 0) after.foreign[pair] = surplus;
  if (surplus === flagged) return [];
  return [{ type: 'foreign', pair, surplus, stopsEntries: account.kind === 'futures' && surplus !== 0 }];
}
