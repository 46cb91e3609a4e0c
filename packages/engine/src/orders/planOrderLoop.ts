import { gridEnded, gridPlaced } from '../grid/cellOrders.ts';
import type { PlanOrder } from '../grid/planOrder.ts';
import type { Market } from '../market/market.ts';
import { exact, mulDivUp, type Price, powerOfTen, SCALE } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { OrderEnd } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { closeFlat } from '../state/closePosition.ts';
import { isDust } from '../state/dust.ts';
import { knownPrice } from '../state/knownPrice.ts';
import { recordOrder, recordOrderEnd } from '../state/lastOrder.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import {
  createParentOrder,
  type LiveOrder,
  type ParentOrder,
  type ParentOrderEnd,
  PLAN_REASON,
} from '../state/parentOrder.ts';
import { updatePlanPhase } from '../state/planPhase.ts';
import type { Turn } from '../state/turn.ts';
import { usableQuote } from '../state/usableQuote.ts';
import { cancelOrder } from './cancelOrder.ts';
import { ALL } from './planFills.ts';
import { REQUOTE_MS, scheduleAfterReject } from './scheduleAfterReject.ts';

const RETRY_MS = 1_000;
const REFUSED_MS = 60_000;

/**
 * Starts a plan order: post-only, good until cancelled, never re-priced while it is open.
 *
 * @see docs/strategies.md#grid, docs/strategies.md#dca
 */
export function startPlanOrder(turn: Turn, wanted: PlanOrder): void {
  const { bot, pair, at } = turn;
  const direction = (wanted.side === 'buy') === (wanted.kind === 'entry') ? 1 : -1;
  const parent = createParentOrder({
    id: bot.state.nextIntent++,
    kind: wanted.kind,
    direction,
    reason: PLAN_REASON,
    openedAt: at,
    target: wanted.quantity,
    urgency: 'maker',
  });
  parent.planKey = wanted.key;
  parent.firstPrice = wanted.price;
  parent.unguarded = true;
  if (wanted.kind === 'entry') {
    const value = mulDivUp(wanted.price, wanted.quantity, powerOfTen((pair.market as Market).assetDecimals));
    parent.budget = exact(value + mulDivUp(value, bot.rules.makerFee, SCALE));
  }
  pair.planOrders.push(parent);
  if (pair.orderPlan?.kind === 'grid') gridPlaced(pair.orderPlan, wanted.key, wanted.kind);
  bot.observer.parentOrder(at, pair, parent);
  placePlanOrder(turn, parent);
}

/** Places the order of a plan order whose retry is due. */
export function drivePlanOrder(turn: Turn, parent: ParentOrder): void {
  const { at } = turn;
  if (parent.dueAt === 0 || at < parent.dueAt || parent.order !== null) return;
  parent.dueAt = 0;
  placePlanOrder(turn, parent);
}

/** Cancels a plan order; it finishes at once without an open order. */
export function cancelPlanOrder(turn: Turn, parent: ParentOrder, how: ParentOrderEnd): void {
  if (parent.order === null) finishPlanOrder(turn, parent, how);
  else cancelOrder(turn, parent, how);
}

/** Handles the end of an open order. It is placed again unless it is filled or no longer wanted. */
export function onPlanOrderEnd(turn: Turn, parent: ParentOrder, how: OrderEnd): void {
  const { bot, pair, at } = turn;
  const after = parent.afterCancel;
  parent.afterCancel = null;
  parent.dueAt = 0;
  if (parent.filled >= parent.target) {
    finishPlanOrder(turn, parent, 'filled');
  } else if (after !== null && after !== 'reprice' && after !== 'taker') {
    finishPlanOrder(turn, parent, after);
  } else if (how === 'post_only_rejected') {
    scheduleAfterReject(turn, parent);
  } else if (how === 'rejected') {
    bot.observer.alarm(at, pair, 'order_rejected');
    parent.dueAt = at + REFUSED_MS;
  } else {
    parent.dueAt = at + RETRY_MS;
  }
}

function placePlanOrder(turn: Turn, parent: ParentOrder): void {
  const { bot, pair, at, effects } = turn;
  const quote = usableQuote(bot, pair, at);
  // On spot a protective stop holds the asset, so the exit cannot be placed beside it.
  if (parent.kind === 'exit' && pair.stop !== null && !bot.rules.future) {
    parent.dueAt = at + REQUOTE_MS;
    return;
  }
  const price = quote === null ? 0 : limitPriceOf(pair, parent, quote);
  // A quote from before the last fill is outdated, and the price would cross it: wait for a newer quote.
  if (quote !== null && price !== parent.firstPrice && quote.at !== at && parent.attempts === 0) {
    parent.attempts = 1;
    parent.dueAt = at + REQUOTE_MS;
    return;
  }
  if (price === 0) {
    parent.dueAt = at + (quote === null ? RETRY_MS : bot.rules.adjustMs);
    return;
  }
  parent.orders += 1;
  const order: LiveOrder = {
    n: parent.orders,
    type: 'limit_maker',
    price,
    quantity: exact(parent.target - parent.filled),
    filled: 0,
    status: 'placing',
    placedAt: at,
    fillIds: [],
  };
  parent.order = order;
  bot.observer.order(at, pair, parent, order, 'placing');
  effects.push({ type: 'place', pair, parent, order });
}

/**
 * Returns the limit price of a plan order: its own, or the nearest better one when the market has passed it. A safety order
 * and the entry of a short wait instead, because another price would exceed the budget of the order.
 *
 * @returns 0 when it must wait
 */
function limitPriceOf(pair: PairState, parent: ParentOrder, quote: PairQuote): Price {
  const { tick } = pair.market as Market;
  const { firstPrice, side, kind } = parent;
  const hasBook = quote.bid > 0 && quote.ask > 0;
  const best = side === 'buy' ? (hasBook ? quote.ask - tick : quote.last) : hasBook ? quote.bid + tick : quote.last;
  if (side === 'buy' ? firstPrice <= best : firstPrice >= best) return firstPrice;
  return kind === 'entry' && (pair.orderPlan?.kind === 'dca' || side === 'sell') ? 0 : best;
}

function finishPlanOrder(turn: Turn, parent: ParentOrder, how: ParentOrderEnd): void {
  const { bot, pair, at } = turn;
  pair.planOrders.splice(pair.planOrders.indexOf(parent), 1);
  // The remainder of a plan that has ended is no decision.
  if (how === 'filled' && pair.orderPlan !== null && pair.exit === null) {
    recordOrder(pair, parent, at, parent.firstPrice);
    recordOrderEnd(pair, parent, how, at);
  }
  bot.observer.parentOrderEnd(at, pair, parent, how);
  const { orderPlan } = pair;
  if (orderPlan !== null) {
    if (orderPlan.kind === 'grid') gridEnded(orderPlan, pair.market as Market, parent.planKey);
    pair.dirtyOrders = orderPlan.kind === 'dca' || pair.dirtyOrders !== '' ? ALL : parent.planKey;
  }
  // An exit waits until every plan order has ended.
  if (pair.planOrders.length === 0 && pair.exit !== null && pair.exit.order === null && pair.exit.dueAt === 0) {
    pair.exit.dueAt = at;
  }
  closeEmptied(bot, pair, parent, at);
  updatePlanPhase(bot, pair, at);
}

/** Closes a position of which only dust is left, although the plan has orders. @see docs/accounting.md#dust */
function closeEmptied(bot: Bot, pair: PairState, parent: ParentOrder, at: number): void {
  const { position, holding } = pair;
  if (position === null || pair.entry !== null || pair.exit !== null || parent.filled === 0) return;
  // An entry ends a position only where it reduced one (a neutral grid).
  if (parent.kind === 'entry' && holding.quantity > 0) return;
  if (isDust(bot, pair.market as Market, knownPrice(pair, position.direction), holding.quantity)) {
    closeFlat(bot, pair, at);
  }
}
