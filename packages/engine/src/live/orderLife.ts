import { onAdjustment } from '../bot/adjust.ts';
import { handle } from '../bot/handle.ts';
import { onLateFill } from '../bot/lateFill.ts';
import { forcedPart } from '../ledger/forcedPart.ts';
import { recordHeldSince } from '../ledger/heldSince.ts';
import { exact } from '../money/units.ts';
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
import { type TrackedOrder, trackedOrder } from './trackedOrder.ts';

/** An answer that has not come by then is asked for. */
const REPORT_TIMEOUT_MS = 15_000;
/** A question that is not answered is asked again. */
const QUERY_AGAIN_MS = 3_000;
const CANCEL_AGAIN_MS = 1_000;
/** Fills come by the stream a moment after the report that counts them, or else are asked for. */
const FILLS_MS = 500;
const FILLS_AGAIN_MS = 2_000;
/** "No such order" counts when it is said twice, this far apart. @see docs/orders.md#unknown-outcome */
const NOT_FOUND_TWICE_MS = 2_000;
/** What the clocks of exchange and host may differ by beside what is measured. */
const CLOCK_SKEW_MS = 1_000;
/** Ended orders that are remembered; a snapshot takes seconds. */
const MAX_ENDED = 200;
/** Fills of a pair are told from so long before its first order: the venue's clock may be far from ours. */
const FILLS_BEFORE_FIRST_MS = 86_400_000;

/** Turns what the bot wants into orders that are tracked and requests to be sent. */
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
      // Saved with the order: a look at the account after a long absence must begin before it, not when it looks.
      state.cursors[pair.pair] ??= { at: at - FILLS_BEFORE_FIRST_MS, id: '' };
      requests.push({ type: 'place', ticket: request });
    } else {
      const tracked = findTrackedOrder(context, name);
      if (tracked !== undefined) requestCancel(context, tracked);
    }
  }
  effects.length = 0;
}

/** What an entry on futures needs the exchange to know. */
function marginTerms({ holding, ladder }: PairState, { rung }: ParentOrder): Pick<OrderRequest, 'margin' | 'nets'> {
  const { leverage, isolated, quantity } = holding;
  return {
    // An open position keeps what it was opened with.
    ...(quantity === 0 ? { margin: { leverage, isolated } } : {}),
    ...(rung !== '' && ladder?.kind === 'grid' && ladder.side === 0 ? { nets: true } : {}),
  };
}

/** A cancel of an order that the exchange may not have yet would be answered "unknown": it waits. */
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

/** A cancel that has not worked is sent once more, in peace. */
function retryCancel(context: EventContext, order: TrackedOrder): void {
  if (context.at - order.cancelAt >= CANCEL_AGAIN_MS) requestCancel(context, order);
  else order.askAt = order.cancelAt + CANCEL_AGAIN_MS;
}

/** The order of that name, while something may still come of it. */
export function findTrackedOrder({ session }: EventContext, name: string): TrackedOrder | undefined {
  return session.state.orders.find(({ clientOrderId: own }) => own === name);
}

/** What the exchange says of an order. @param wasQueried it was asked for: then a cancel that was sent has not worked */
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

/** The exchange has taken an order and says no more: its state must be asked for. */
export function onAckWithoutReport(context: EventContext, name: string): void {
  const order = findTrackedOrder(context, name);
  if (order === undefined || order.known) return;
  context.durable = true;
  order.askAt = context.at;
}

/** The exchange has not taken an order, and nothing is left of it. @returns false when more is known of it than that */
export function onOrderRejected(context: EventContext, name: string, how: 'rejected' | 'post_only_rejected'): boolean {
  const order = findTrackedOrder(context, name);
  if (order === undefined || order.known) return false;
  context.durable = true;
  order.end = how;
  settle(context, order);
  return true;
}

/** Nobody knows what became of an order or of its cancel. */
export function onOutcomeUnknown(context: EventContext, name: string): void {
  const order = findTrackedOrder(context, name);
  if (order !== undefined) order.askAt = context.at;
}

/**
 * The exchange says that it has no such order. Believed when it is said twice, and late enough that the order cannot be on
 * its way any more.
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
  recordExternalChange(context, order.pair, { what: 'order_absent', clientOrderId: name });
  settle(context, order);
}

/**
 * Returns whether a fill is not before the cursor of its pair. Earlier ones are booked and no longer remembered; venues that
 * are asked by whole seconds report some of them again.
 */
export function isAfterCursor({ session }: EventContext, { pair, at }: OwnFill): boolean {
  const cursor = session.state.cursors[pair];
  return cursor === undefined || at >= cursor.at;
}

/** A fill of the account. Those of the user's own orders, and those told before, change nothing. */
export function onFill(context: EventContext, reported: OwnFill): void {
  const { state } = context.session;
  const { clientOrderId: name, id } = reported;
  const forced = reported.forced !== undefined;
  if (!forced && !name.startsWith(`${state.bot.id}-`)) return;
  const key = `fill/${reported.pair}/${id}`;
  if (state.applied[key] === true || !isAfterCursor(context, reported)) return;
  const pair = state.bot.pairs.find((candidate) => candidate.pair === reported.pair);
  // What cannot be booked yet is told again by the next look at the account.
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
    onLateFill(context.session.bot, pair, id, booked);
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
  if (pair.holding.quantity === 0) state.flatSince[pair.pair] = fill.at;
  if (order !== undefined) settle(context, order);
}

/** A sale of what an adjustment took away before: it comes back first, so that nothing is sold twice. */
function restoreAdjusted(context: EventContext, pair: PairState, fill: OwnFill): void {
  const { bot } = context.session;
  const reduces = bot.rules.future ? fill.exit : fill.side === 'sell';
  if (!reduces) return;
  const event = adjustedTooEarly(accountOf(bot, {}), fill);
  if (event === null) return;
  recordExternalChange(context, pair.pair, { what: 'late_fill', clientOrderId: fill.clientOrderId, id: fill.id });
  onAdjustment(bot, pair, { ...event, at: context.at });
}

function onAccepted(context: EventContext, order: TrackedOrder): void {
  order.absentSince = 0;
  // Of a cancel that was sent it tells nothing.
  if (order.cancel !== 'sent') order.askAt = 0;
  if (order.known) return;
  order.known = true;
  deliver(context, { type: 'opened', at: context.at, clientOrderId: order.clientOrderId });
}

/** An order that has ended counts as ended when all its fills are booked; fills that are missing are asked for. */
function settle(context: EventContext, order: TrackedOrder): void {
  const { orders } = context.session.state;
  // A report may be lost; the fills tell it as well.
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

/** An order that the exchange never told of is not remembered: should it be listed one day, it must be cancelled. */
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

/** When an order has to be asked for next; 0 for never. */
export function nextQueryAt(orders: readonly TrackedOrder[]): number {
  let next = 0;
  for (const { askAt, fetchAt } of orders) {
    for (const at of [askAt, fetchAt]) if (at > 0 && (next === 0 || at < next)) next = at;
  }
  return next;
}

/** Asks for what is due. */
export function queryDueOrders(context: EventContext): void {
  const { orders, cursors } = context.session.state;
  const fetched = new Set<string>();
  for (const order of orders) {
    const { pair, clientOrderId: name } = order;
    if (order.askAt > 0 && context.at >= order.askAt) {
      order.askAt = context.at + QUERY_AGAIN_MS;
      context.requests.push({ type: 'ask', pair, clientOrderId: name, kind: orderKind(order) });
    }
    if (order.fetchAt > 0 && context.at >= order.fetchAt) {
      order.fetchAt = context.at + FILLS_AGAIN_MS;
      if (!fetched.has(pair)) {
        context.requests.push({
          type: 'trades',
          pair,
          since: cursors[pair] ?? { at: order.decidedAt - 60_000, id: '' },
        });
      }
      fetched.add(pair);
    }
  }
}

/** After a restart nothing is known of what was on its way: every order is asked for. */
export function queryAllOrders(context: EventContext): void {
  for (const order of context.session.state.orders) order.askAt = context.at;
}
