import type { PairState } from './botState.ts';

/**
 * Returns whether a pair holds a position or has a working order.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act, docs/bot-lifecycle.md#watched-pairs
 */
export function isBusy({ position, entry, exit, stop, planOrders }: PairState): boolean {
  return position !== null || entry !== null || exit !== null || stop !== null || planOrders.length > 0;
}

/**
 * Returns whether a pair is followed and shown; one that left `watch_pairs` is until it is flat.
 *
 * @see docs/bot-lifecycle.md#watched-pairs
 */
export function isWatched(pair: PairState): boolean {
  return pair.flag !== 'removed' || isBusy(pair);
}

/** Returns whether a pair has quantities in its asset unit: a holding, an order plan or orders. */
export function hasQuantities(pair: PairState): boolean {
  return pair.holding.quantity > 0 || pair.orderPlan !== null || isBusy(pair);
}
