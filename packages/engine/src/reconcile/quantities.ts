import type { Account } from '../ledger/account.ts';
import { applyLedgerEvent, type LedgerEvent } from '../ledger/events.ts';
import type { Price, Quantity } from '../money/units.ts';
import type { Action, Memory, TheirPair } from './view.ts';

/** Inputs of {@link reconcileQuantity}. */
export interface QuantityComparison {
  /** A copy with every known fill; adjustments are applied to it. */
  readonly account: Account;
  readonly theirs: TheirPair;
  /** 0 while it is unknown: nothing can be valued then. */
  readonly mark: Price;
  /** False while an order of the pair must be queried. */
  readonly settled: boolean;
  readonly before: Memory;
  /** Receives the memory for the next reconciliation. */
  readonly after: Memory;
  readonly at: number;
}

/**
 * Compares the holding with the exchange. A difference of half a step or more waits for one more reconciliation, since fills
 * may be late. Then a missing quantity is removed at the mark, and a surplus is recorded as external and not managed.
 *
 * @see docs/accounting.md#quantity-differences
 */
export function reconcileQuantity({ account, theirs, mark, settled, before, after, at }: QuantityComparison): Action[] {
  const { pair, market } = theirs;
  const holding = account.holdings[pair];
  if (holding === undefined) return [];
  const ours = holding.side * holding.quantity;
  const difference = theirs.quantity - ours;
  const flagged = before.foreign[pair] ?? 0;
  if (2 * Math.abs(difference) < market.step) return flag(account, pair, 0, flagged, after);
  const surplus = ours === 0 || difference > 0 === ours > 0 ? difference : 0;
  // A surplus that is recorded already is not recorded again.
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
  // The exchange holds the other side beyond flat.
  const other = Math.abs(difference) > removed ? theirs.quantity : 0;
  return [{ type: 'book', event }, ...flag(account, pair, other, flagged, after)];
}

function flag(account: Account, pair: string, surplus: Quantity, flagged: Quantity, after: Memory): Action[] {
  if (surplus !== 0) after.foreign[pair] = surplus;
  if (surplus === flagged) return [];
  return [{ type: 'foreign', pair, surplus, stopsEntries: account.kind === 'futures' && surplus !== 0 }];
}
