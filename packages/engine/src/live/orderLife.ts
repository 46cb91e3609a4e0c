import { handle } from '../bot/handle.ts';
import { forcedPart } from '../ledger/forcedPart.ts';
import { recordHeldSince } from '../ledger/heldSince.ts';
import type { Market } from '../market/market.ts';
import { exact } from '../money/units.ts';
import { findLiveOrder } from '../orders/findParentOrder.ts';
import { adjustedTooEarly } from '../reconcile/fills.ts';
import { accountOf } from '../state/accountOf.ts';
import type { OrderEvent } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { clientOrderId, type ParentOrder } from '../state/parentOrder.ts';
import type { EventContext } from './eventContext.ts';
import { recordExternalChange } from './externalChange.ts';
import { onForcedClose } from './forcedClose.ts';
import { ORDER_LIFETIME_MS, type OrderRequest, orderKind } from './orderRequest.ts';
import { onStopGone } from './protectiveStops.ts';
import type { OrderReport, OwnFill } from './report.ts';
import { recordFlat } from './settlement.ts';
import { type TrackedOrder, trackedOrder } from './trackedOrder.ts';

/** A request without a reply after this time is queried. */
const REPORT_TIMEOUT_MS = 15_000;
/** A query without a reply is repeated after this time. */
const QUERY_AGAIN_MS = 3_000;
const CANCEL_AGAIN_MS = 1_000;
/** Fills that the stream does not deliver this long after the report that counts them are queried. */
const FILLS_MS = 500;
const FILLS_AGAIN_MS = 2_000;
/** Two replies "no such order", this far apart, mean that the order does not exist. @see docs/orders.md#unknown-outcome */
const NOT_FOUND_TWICE_MS = 2_000;
/** Allowance for the difference of the clocks of exchange and host beyond the measured one. */
const CLOCK_SKEW_MS = 1_000;
/** Number of ended orders to remember; reading a snapshot takes seconds. */
const MAX_ENDED = 200;
/** Fills of a pair are read from this long before its first order, because the clock of the venue may be wrong. */
const FILLS_BEFORE_FIRST_MS = 86_400_000;

/** Turns the effects of the bot into tracked orders and requests. */
export function sendEffects(context: EventContext): void {
  const { effects, requests, session, at } = context;
  const { state } = session;
  if (effects.length > 0) context.durable = true;
  for (const { type, pair, parent, order } of effects) {
    const name = clientOrderId(state.bot.id, parent, order);
    if (type === 'place') {
      const { price, quantity, trigger } = order;
      const exit = parent.kind === 'exit';
      const request: OrderRequest = {
        ...{ clientOrderId: name, pair: pair.pair, side: parent.side, type: order.type, price, quantity },
        ...(trigger === undefined ? {} : { trigger }),
        ...(session.bot.rules.future && !exit ? marginTerms(pair, parent) : {}),
        ...{ exit, decidedAt: at },
      };
      state.orders.push(trackedOrder(request, at + REPORT_TIMEOUT_MS));
      // The cursor is saved with the order: a snapshot after a long absence must begin before the order.
      state.cursors[pair.pair] ??= { at: at - FILLS_BEFORE_FIRST_MS, id: '' };
      const { assetDecimals } = pair.market as Market;
      requests.push({ type: 'place', order: { ...request, assetDecimals } });
    } else {
      const tracked = findTrackedOrder(context, name);
      if (tracked !== undefined) requestCancel(context, tracked);
    }
  }
  effects.length = 0;
}

/** Returns the contract settings that an entry on futures needs. */
function marginTerms(
  { holding, orderPlan }: PairState,
  { planKey }: ParentOrder,
): Pick<OrderRequest, 'margin' | 'nets'> {
  const { leverage, isolated, quantity } = holding;
  return {
    // An open position keeps its settings.
    ...(quantity === 0 ? { margin: { leverage, isolated } } : {}),
    ...(planKey !== '' && orderPlan?.kind === 'grid' && orderPlan.side === 0 ? { nets: true } : {}),
  };
}

/** Delays the cancel of an order that the exchange may not have yet, because it would reply "unknown order". */
function requestCancel(context: EventContext, order: TrackedOrder): void {
  if (order.end !== null) return;
  if (!order.known) {
    order.cancel = 'wanted';
    return;
  }
  order.cancel = 'sent';
  order.cancelAt = context.at;
  order.askAt = context.at + REPORT_TIMEOUT_MS;
  const { pair, clientOrderId } = order;
  context.requests.push({ type: 'cancel', pair, clientOrderId, kind: orderKind(order) });
}

/** Sends a cancel again that had no effect, after a pause. */
function retryCancel(context: EventContext, order: TrackedOrder): void {
  if (context.at - order.cancelAt >= CANCEL_AGAIN_MS) requestCancel(context, order);
  else order.askAt = order.cancelAt + CANCEL_AGAIN_MS;
}

/** Returns the tracked order of a client order id; undefined when it is finished or unknown. */
export function findTrackedOrder({ session }: EventContext, name: string): TrackedOrder | undefined {
  return session.state.orders.find(({ clientOrderId: own }) => own === name);
}

/** Applies an execution report. @param wasQueried reply to a query: a cancel that was sent before had no effect */
export function onOrderReport(context: EventContext, report: OrderReport, wasQueried: boolean): void {
  const order = findTrackedOrder(context, report.clientOrderId);
  if (order === undefined) return;
  context.durable = true;
  const ended = report.status !== 'open';
  if (report.status !== 'rejected' && report.status !== 'post_only_rejected') onAccepted(context, order);
  order.reported = Math.max(order.reported, report.filled);
  if (ended && order.end === null) onEnded(context, order, report);
  else if (order.cancel === 'wanted') requestCancel(context, order);
  else if (!ended && wasQueried && order.cancel === 'sent') retryCancel(context, order);
  settle(context, order);
}

function onEnded(context: EventContext, order: TrackedOrder, { status, expiry }: OrderReport): void {
  if (status === 'open') return;
  order.end = status;
  if (expiry === undefined) return;
  recordExternalChange(context, order.pair, { what: 'order_expired', clientOrderId: order.clientOrderId, why: expiry });
}

/** Marks an order as accepted; its state must be queried, because the reply holds none. */
export function onAckWithoutReport(context: EventContext, name: string): void {
  const order = findTrackedOrder(context, name);
  if (order === undefined || order.known) return;
  context.durable = true;
  order.askAt = context.at;
}

/** Ends an order that the exchange rejected. @returns false when later events of the order are known already */
export function onOrderRejected(context: EventContext, name: string, how: 'rejected' | 'post_only_rejected'): boolean {
  const order = findTrackedOrder(context, name);
  if (order === undefined || order.known) return false;
  context.durable = true;
  order.end = how;
  settle(context, order);
  return true;
}

/** Queries an order whose outcome, or that of its cancel, is unknown. */
export function onOutcomeUnknown(context: EventContext, name: string): void {
  const order = findTrackedOrder(context, name);
  if (order !== undefined) order.askAt = context.at;
}

/**
 * Ends an order that the exchange does not have. Two such replies are needed, late enough that the order cannot arrive any
 * more.
 *
 * @see docs/orders.md#unknown-outcome
 */
export function onOrderNotFound(context: EventContext, name: string, askedAt: number): void {
  const order = findTrackedOrder(context, name);
  if (order === undefined || order.end !== null) return;
  context.durable = true;
  if (order.absentSince === 0) order.absentSince = askedAt;
  const certainAt = Math.max(
    order.absentSince + NOT_FOUND_TWICE_MS,
    order.known ? 0 : order.decidedAt + ORDER_LIFETIME_MS + CLOCK_SKEW_MS,
  );
  if (askedAt < certainAt) {
    order.askAt = Math.max(context.at, certainAt);
    return;
  }
  order.end = order.known ? 'canceled' : 'rejected';
  endEntry(context, name);
  recordExternalChange(context, order.pair, { what: 'order_absent', clientOrderId: name });
  settle(context, order);
}

/** Lets an entry end with an order that disappeared: its fills may still arrive, so that another order could spend twice. */
function endEntry({ session }: EventContext, name: string): void {
  const parent = findLiveOrder(session.bot, name)?.parent;
  if (parent?.kind === 'entry') parent.afterCancel ??= 'unfilled';
}

/**
 * Returns whether a fill is not before the cursor of its pair. Earlier fills are booked and forgotten; venues that are
 * queried by whole seconds report some of them again.
 */
export function isAfterCursor({ session }: EventContext, { pair, at }: OwnFill): boolean {
  const cursor = session.state.cursors[pair];
  return cursor === undefined || at >= cursor.at;
}

/** Books a fill of the account. Fills of the user's own orders and repeated fills change nothing. */
export function onFill(context: EventContext, reported: OwnFill): void {
  const { state } = context.session;
  const { clientOrderId: name, id } = reported;
  const forced = reported.forced !== undefined;
  if (!forced && !name.startsWith(`${state.bot.id}-`)) return;
  const key = `fill/${reported.pair}/${id}`;
  if (state.applied[key] === true || !isAfterCursor(context, reported)) return;
  const pair = state.bot.pairs.find((candidate) => candidate.pair === reported.pair);
  // The next account snapshot includes a fill that cannot be booked yet.
  if (pair === undefined || pair.market === null) return;
  const fill = forced ? forcedPart(pair.holding, state.heldSince[reported.pair] ?? 0, reported) : reported;
  if (fill === null) return;
  const before = { ...pair.holding };
  context.durable = true;
  state.applied[key] = true;
  const cash = state.bot.wallet.quote;
  if (!forced) restoreAdjusted(context, pair, fill);
  const order = findTrackedOrder(context, name);
  const { side, price, quantity, fee, feeAsset, liquidity, thirdFeeValue, pnl } = fill;
  const booked = {
    ...{ at: context.at, side, price, quantity, fee, feeAsset, liquidity },
    ...(thirdFeeValue === undefined ? {} : { thirdFeeValue }),
    ...(pnl === undefined ? {} : { pnl }),
  };
  if (forced) {
    onForcedClose(context, pair, fill, booked);
  } else if (order === undefined) {
    recordExternalChange(context, fill.pair, { what: 'late_fill', clientOrderId: name, id });
    handle(context.session.bot, { type: 'late_fill', pair: pair.pair, id, ...booked }, context.effects);
  } else {
    onAccepted(context, order);
    order.booked = exact(order.booked + quantity);
    order.reported = Math.max(order.reported, order.booked);
    deliver(context, { type: 'filled', clientOrderId: name, id, ...booked });
  }
  if (state.bot.spendable !== undefined) {
    state.bot.spendable = exact(state.bot.spendable + state.bot.wallet.quote - cash);
  }
  recordHeldSince(state.heldSince, pair.pair, before, pair.holding, fill.at);
  if (pair.holding.quantity === 0) recordFlat(context, pair.pair, fill.at);
  if (order !== undefined) settle(context, order);
}

/** Restores the quantity that reconciliation removed before a late fill of its exit, so that nothing is sold twice. */
function restoreAdjusted(context: EventContext, pair: PairState, fill: OwnFill): void {
  const { bot } = context.session;
  const reduces = bot.rules.future ? fill.exit : fill.side === 'sell';
  if (!reduces) return;
  const event = adjustedTooEarly(accountOf(bot, {}), fill);
  if (event === null) return;
  recordExternalChange(context, pair.pair, { what: 'late_fill', clientOrderId: fill.clientOrderId, id: fill.id });
  handle(bot, { ...event, at: context.at }, context.effects);
}

function onAccepted(context: EventContext, order: TrackedOrder): void {
  order.absentSince = 0;
  // A fill says nothing about a cancel that was sent.
  if (order.cancel !== 'sent') order.askAt = 0;
  if (order.known) return;
  order.known = true;
  deliver(context, { type: 'opened', at: context.at, clientOrderId: order.clientOrderId });
}

/** Ends an order once all its fills are booked; missing fills are queried. */
function settle(context: EventContext, order: TrackedOrder): void {
  const { orders } = context.session.state;
  // The report of the end may be lost; the fills prove it as well.
  if (order.booked >= order.quantity) order.end = 'filled';
  if (order.booked < order.reported) {
    if (order.fetchAt === 0) order.fetchAt = context.at + FILLS_MS;
    return;
  }
  order.fetchAt = 0;
  if (order.end === null || !orders.includes(order)) return;
  orders.splice(orders.indexOf(order), 1);
  rememberEnd(context, order);
  deliver(context, { type: 'ended', at: context.at, clientOrderId: order.clientOrderId, how: order.end });
  if (order.trigger !== undefined && order.cancel === 'none' && order.booked === 0) onStopEndedOutside(context, order);
}

/** Remembers the end of an order, unless the exchange never confirmed it: if it is ever listed, it must be cancelled. */
function rememberEnd({ session, at }: EventContext, { clientOrderId, absentSince }: TrackedOrder): void {
  const { ended } = session;
  if (absentSince > 0) return;
  ended.set(clientOrderId, at);
  const [oldest] = ended.keys();
  if (ended.size > MAX_ENDED && oldest !== undefined) ended.delete(oldest);
}

function onStopEndedOutside(context: EventContext, { pair: name, clientOrderId, end }: TrackedOrder): void {
  const pair = context.session.state.bot.pairs.find((candidate) => candidate.pair === name);
  if (pair !== undefined && (end === 'canceled' || end === 'expired')) onStopGone(context, pair, clientOrderId, end);
}

function deliver(context: EventContext, event: OrderEvent): void {
  handle(context.session.bot, event, context.effects);
  sendEffects(context);
}

/** Returns when the next order must be queried; 0 for never. */
export function nextQueryAt(orders: readonly TrackedOrder[]): number {
  let next = 0;
  for (const { askAt, fetchAt } of orders) {
    for (const at of [askAt, fetchAt]) if (at > 0 && (next === 0 || at < next)) next = at;
  }
  return next;
}

/** Requests the orders and fills that are due. */
export function queryDueOrders(context: EventContext): void {
  const { orders, cursors } = context.session.state;
  const fetched = new Set<string>();
  for (const order of orders) {
    const { pair, clientOrderId: name } = order;
    if (order.askAt > 0 && context.at >= order.askAt) {
      order.askAt = context.at + QUERY_AGAIN_MS;
      context.requests.push({ type: 'query_order', pair, clientOrderId: name, kind: orderKind(order) });
    }
    if (order.fetchAt > 0 && context.at >= order.fetchAt) {
      order.fetchAt = context.at + FILLS_AGAIN_MS;
      if (!fetched.has(pair)) {
        context.requests.push({
          type: 'query_fills',
          pair,
          since: cursors[pair] ?? { at: order.decidedAt - 60_000, id: '' },
        });
      }
      fetched.add(pair);
    }
  }
}

/** Queries every order after a restart, because their outcomes are unknown. */
export function queryAllOrders(context: EventContext): void {
  for (const order of context.session.state.orders) order.askAt = context.at;
}
