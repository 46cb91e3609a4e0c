import { marginOf } from '../ledger/marginOf.ts';
import { exact, type Quote } from '../money/units.ts';
import type { Action, OurParentOrder, OurView, TheirOrder, TheirView } from './view.ts';

/**
 * Compares the open orders. An unknown order with our prefix is adopted if its parent order is open and has no other open order,
 * else cancelled. An order that we hold as open and the exchange does not list is queried.
 *
 * @see docs/accounting.md#open-orders
 */
export function reconcileOrders({ prefix, intents }: OurView, { askedAt, openOrders }: TheirView): Action[] {
  const actions: Action[] = [];
  const listed = new Set(openOrders.map(({ clientOrderId }) => clientOrderId));
  const known = new Set(intents.flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId)));
  const taken = new Set(intents.filter((parent) => hasLiveOrder(parent, listed, askedAt)).map(({ id }) => id));
  // The newest order of a parent order is adopted first.
  const unknown = openOrders
    .filter(({ clientOrderId }) => clientOrderId.startsWith(prefix) && !known.has(clientOrderId))
    .sort((a, b) => orderNumber(b) - orderNumber(a));
  for (const order of unknown) {
    const { clientOrderId, pair } = order;
    const parent = intents.find(({ id, pair: own }) => own === pair && clientOrderId.startsWith(`${prefix}${id}-`));
    if (parent !== undefined && (parent.isPlanOrder || !taken.has(parent.id))) {
      taken.add(parent.id);
      actions.push({ type: 'adopt', intent: parent.id, order });
    } else {
      actions.push({ type: 'cancel', pair, clientOrderId });
    }
  }
  for (const { pair, orders } of intents) {
    for (const { clientOrderId, sentAt } of orders) {
      if (!listed.has(clientOrderId) && sentAt < askedAt) actions.push({ type: 'query', pair, clientOrderId });
    }
  }
  return actions;
}

/** Returns whether an order of the parent order is listed, or too new to be listed. */
function hasLiveOrder({ orders }: OurParentOrder, listed: ReadonlySet<string>, askedAt: number): boolean {
  return orders.some(({ clientOrderId, sentAt }) => listed.has(clientOrderId) || sentAt >= askedAt);
}

function orderNumber({ clientOrderId }: TheirOrder): number {
  return Number(clientOrderId.slice(clientOrderId.lastIndexOf('-') + 1));
}

/**
 * Returns the amount of the currency that orders of the user lock. These orders stay open and reduce A.
 *
 * @see docs/accounting.md#orders-of-the-owner
 */
export function othersHold({ account, prefix }: OurView, { openOrders, pairs }: TheirView): Quote {
  let held = 0;
  for (const { clientOrderId, pair, side, exit, value } of openOrders) {
    if (clientOrderId.startsWith(prefix) || exit) continue;
    if (account.kind === 'futures') held += marginOf(value, pairs.find((one) => one.pair === pair)?.leverage ?? 1);
    else if (side === 'buy') held += value;
  }
  return exact(held);
}
