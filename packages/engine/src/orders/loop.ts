import { bookFuturesFill } from '../ledger/futures.ts';
import { bookSpotFill } from '../ledger/spot.ts';
import { openingId, turningParts } from '../ledger/turning.ts';
import { ceilTick, floorStep, type Market, meetsMinimums, quantityFor } from '../market/market.ts';
import { exact, KEEP_UNBOXED, type Price, type Quantity, shiftPriceBy } from '../money/units.ts';
import { availableQuote } from '../sizing/availableBalance.ts';
import { orderValue } from '../sizing/entrySize.ts';
import { addResult } from '../state/addResult.ts';
import type { Bot } from '../state/bot.ts';
import type { OrderEnd, OrderEvent, OrderFill } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { closeFlat, rememberExit } from '../state/closePosition.ts';
import { isDust } from '../state/dust.ts';
import { offsetRatio } from '../state/entryOptions.ts';
import { knownPrice } from '../state/knownPrice.ts';
import { recordOrder, recordOrderEnd } from '../state/lastOrder.ts';
import { manualExitOf } from '../state/manualExit.ts';
import { settleEntry } from '../state/openPosition.ts';
import { totalsOf } from '../state/openTotals.ts';
import { setPhase } from '../state/pairPhase.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import {
  createParentOrder,
  type EntryLimit,
  hasOwnPrice,
  type LiveOrder,
  type ParentOrder,
  PLAN_REASON,
  waitsForPrice,
} from '../state/parentOrder.ts';
import { updatePlanPhase } from '../state/planPhase.ts';
import { addEntry, addExit } from '../state/positionTotals.ts';
import { addPriceExit } from '../state/priceExit.ts';
import { makerPrice, middle, slipped, worstTakerPrice, wouldMatch } from '../state/quotePrices.ts';
import { isTradingBlocked } from '../state/tradingBlocked.ts';
import { type BotTurn, type Turn, turnOf } from '../state/turn.ts';
import { usableQuote } from '../state/usableQuote.ts';
import { budgetOrder, continuesSpending, spendsBudget } from './budgetOrder.ts';
import { cancelOrder } from './cancelOrder.ts';
import { findLiveOrder } from './findParentOrder.ts';
import { finishParentOrder } from './finishParentOrder.ts';
import { onPlanFill } from './planFills.ts';
import { onPlanOrderEnd } from './planOrderLoop.ts';
import { scheduleAfterReject } from './scheduleAfterReject.ts';
import { cancelStop, endStop, quantityOfStop, sharesLevels, stopTriggered } from './stop.ts';

/** Rounds of the maker loop before an entry gives up and an exit becomes a taker. @see docs/orders.md#maker-orders */
const MAX_ATTEMPTS = 10;
const RETRY_MS = 1_000;
const ALARM_MS = 60_000;

/**
 * Starts the order loop of a new parent order.
 *
 * @param price price of its first order where the newest quote already gave it, else 0
 * @see docs/orders.md#maker-orders, docs/orders.md#taker-orders
 */
export function startParentOrder(turn: Turn, parent: ParentOrder, price: Price): void {
  const { bot, pair, at } = turn;
  if (parent.kind === 'entry') {
    pair.entry = parent;
    delete pair.lateExits;
  } else pair.exit = parent;
  // The filled part of a working entry counts as bought before an exit (docs/bot-lifecycle.md#pair-phases).
  if (parent.kind === 'exit' && pair.phase === 'buying') setPhase(bot, pair, at, 'bought');
  if (parent.kind === 'exit') setPhase(bot, pair, at, 'selling');
  else if (pair.position === null) setPhase(bot, pair, at, 'buying');
  bot.observer.parentOrder(at, pair, parent);
  recordOrder(pair, parent, at, knownPrice(pair, parent.direction));
  if (!waitsForPrice(parent)) placeNext(turn, parent, price);
}

/** Sends the first order of a stop entry whose price is reached. @see docs/orders.md#stop-entries */
export function releaseStopEntry(turn: Turn, parent: ParentOrder): void {
  if (parent.stopEntry !== undefined) parent.stopEntry.isReached = true;
  placeNext(turn, parent, 0);
}

/**
 * Ends a parent order whose order the exchange removed before a liquidation.
 *
 * @see docs/margin.md#liquidation
 */
export function abandonParentOrder(bot: Bot, pair: PairState, parent: ParentOrder, at: number): void {
  parent.order = null;
  if (parent === pair.stop) pair.stop = null;
  else if (parent.planKey !== '') pair.planOrders.splice(pair.planOrders.indexOf(parent), 1);
  else if (parent.kind === 'entry') pair.entry = null;
  else pair.exit = null;
  recordOrderEnd(pair, parent, 'liquidated', at);
  bot.observer.parentOrderEnd(at, pair, parent, 'liquidated');
}

/** Makes a working maker exit urgent: its open order is cancelled and the remainder sent as a taker. @see docs/orders.md#urgency */
export function makeUrgent(turn: Turn, parent: ParentOrder): void {
  const { bot, pair, at } = turn;
  parent.unguarded = true;
  if (parent.urgency === 'taker') return;
  switchToTaker(parent);
  if (isTradingBlocked(bot, pair)) {
    parent.dueAt = at + RETRY_MS;
    return;
  }
  parent.dueAt = 0;
  if (parent.order === null) placeNext(turn, parent, 0);
  else cancelOrder(turn, parent, 'taker');
}

/**
 * Does what is due for a parent order: re-prices its order, retries, or nothing.
 *
 * @see docs/orders.md#maker-orders, docs/orders.md#taker-orders
 */
export function driveParentOrder(turn: Turn, parent: ParentOrder): void {
  const { bot, pair, at } = turn;
  if (parent.dueAt === 0 || at < parent.dueAt) return;
  if (isTradingBlocked(bot, pair) && parent.kind === 'exit') {
    // An open order stays, and the exchange would accept no new one.
    if (parent.order === null && parent === manualExitOf(pair)) finishParentOrder(turn, parent, 'rejected');
    else parent.dueAt = at + RETRY_MS;
    return;
  }
  parent.dueAt = 0;
  const order = parent.order;
  if (order === null) {
    placeNext(turn, parent, 0);
    return;
  }
  if (order.type !== 'limit_maker' || order.status === 'cancelling') return;
  // The exit became urgent while no cancel could be sent.
  if (parent.urgency === 'taker') cancelOrder(turn, parent, 'taker');
  else repriceMakerOrder(turn, parent, order);
}

/** Cancels a maker order that the best maker price has moved away from, or after its last attempt. @see docs/orders.md#maker-orders */
function repriceMakerOrder(turn: Turn, parent: ParentOrder, order: LiveOrder): void {
  const { bot, pair, at } = turn;
  parent.attempts += 1;
  if (parent.attempts >= MAX_ATTEMPTS) {
    cancelOrder(turn, parent, parent.kind === 'entry' ? 'timeout' : 'taker');
    return;
  }
  const quote = usableQuote(bot, pair, at);
  if (quote === null) {
    parent.dueAt = at + bot.rules.adjustMs;
    return;
  }
  const target = makerPrice(pair.market as Market, parent.side, quote, offsetRatio(bot, pair, parent));
  const better = parent.side === 'buy' ? target <= order.price : target >= order.price;
  if (better) {
    parent.dueAt = at + bot.rules.adjustMs;
  } else if (exceedsSlippage(bot, parent, target)) {
    cancelOrder(turn, parent, parent.kind === 'entry' ? 'slippage' : 'taker');
  } else {
    cancelOrder(turn, parent, 'reprice');
  }
}

/**
 * Books an order event. Events of unknown orders and repeated fills change nothing.
 *
 * @returns the turn of the pair of the order; null when the order is unknown
 */
export function applyOrderEvent(botTurn: BotTurn, event: OrderEvent): Turn | null {
  const { bot } = botTurn;
  const owner = findLiveOrder(bot, event.clientOrderId);
  if (owner === null) return null;
  const { pair, parent, order } = owner;
  const turn = turnOf(botTurn, pair);
  switch (event.type) {
    case 'opened':
      if (order.status === 'placing') order.status = 'open';
      bot.observer.order(event.at, pair, parent, order, 'open');
      break;
    case 'filled':
      if (order.fillIds.includes(event.id)) break;
      order.fillIds.push(event.id);
      if (parent === pair.stop && parent.filled === 0) stopTriggered(turn, parent);
      bookFill(bot, pair, parent, order, event);
      break;
    case 'ended':
      endOrder(turn, parent, order, event.how);
  }
  return turn;
}

/**
 * Books one fill of an open order into the ledger, the parent order and the position.
 *
 * @see docs/accounting.md#ledger-events, docs/accounting.md#spot-positions, docs/accounting.md#futures-positions
 */
export function bookFill(bot: Bot, pair: PairState, parent: ParentOrder, order: LiveOrder, fill: OrderFill): void {
  const mayTurn = parent.planKey !== '' && bot.rules.future;
  if (mayTurn) closeEmptied(bot, pair, fill);
  // A fill of a neutral grid may close one side and open the other.
  const parts = mayTurn ? turningParts(pair.holding, fill) : null;
  if (parts === null) {
    bookPart(bot, pair, parent, order, fill);
    return;
  }
  bookPart(bot, pair, parent, order, parts.close);
  closeFlat(bot, pair, fill.at);
  const id = order.fillIds.at(-1);
  if (id !== undefined) order.fillIds.push(openingId(id));
  bookPart(bot, pair, parent, order, parts.open);
}

/** Closes the position before a fill of the other side where an exit that still works had kept it open without a holding. */
export function closeEmptied(bot: Bot, pair: PairState, { side, at }: OrderFill): void {
  const { position, holding } = pair;
  if (position === null || holding.quantity > 0 || (side === 'buy') === (position.direction === 1)) return;
  closeFlat(bot, pair, at);
}

function bookPart(bot: Bot, pair: PairState, parent: ParentOrder, order: LiveOrder, fill: OrderFill): void {
  const market = pair.market as Market;
  const { wallet } = bot.state;
  const { price, quantity } = fill;
  order.filled = exact(order.filled + quantity);
  // The sums of a position that an older version opened begin with its size before this fill.
  if (pair.position !== null) totalsOf(pair, pair.position);
  const booked = bot.rules.future
    ? bookFuturesFill(wallet, pair.holding, market, fill)
    : bookSpotFill(wallet, pair.holding, market, fill);
  if (parent.filled === 0) bot.state.trades += 1;
  parent.filled = exact(parent.filled + quantity);
  parent.notional = exact(parent.notional + booked.value);
  order.notional = exact((order.notional ?? 0) + booked.value);
  parent.feeAsset = fill.feeAsset;
  parent.fee = exact(parent.fee + fill.fee);
  parent.feeQuote = exact(parent.feeQuote + booked.feeQuote);
  parent.realised = exact(parent.realised + booked.realised);
  parent.rejects = 0;
  const direction = fill.side === 'buy' ? 1 : -1;
  const against = pair.position !== null && pair.position.direction !== direction;
  // In a neutral grid an entry of one side can reduce the other.
  const enters = parent.planKey !== '' && bot.rules.future ? !against : parent.kind === 'entry';
  if (enters) settleEntry(bot, pair, direction, fill.at);
  if (enters && parent.priceExits !== undefined) protectEntry(pair, parent);
  const { position } = pair;
  addResult(bot, pair, { net: booked.realised, fees: booked.feeQuote });
  if (position !== null) {
    if (!enters) position.sold = true;
    const totals = totalsOf(pair, position);
    if (enters) addEntry(totals, quantity);
    else addExit(totals, quantity, booked.value, parent.reason);
  }
  bot.observer.fill(fill.at, pair, parent, fill, booked);
  if (!enters) rememberExit(bot, pair, price);
  if (parent.reason === PLAN_REASON) {
    onPlanFill(bot, pair, parent, fill, booked);
    updatePlanPhase(bot, pair, fill.at);
  }
}

/** Gives the price exits of an entry to the position that it opens, once. */
function protectEntry({ position }: PairState, entry: ParentOrder): void {
  if (position === null || entry.priceExits === undefined) return;
  for (const exit of entry.priceExits) addPriceExit(position, exit);
  delete entry.priceExits;
}

/**
 * Handles the end of an open order, and continues its parent order.
 *
 * @see docs/orders.md#parent-and-child-orders
 */
export function endOrder(turn: Turn, parent: ParentOrder, order: LiveOrder, how: OrderEnd): void {
  const { bot, pair, at } = turn;
  parent.order = null;
  bot.observer.order(at, pair, parent, order, how);
  if (parent === pair.stop) endStop(turn, parent, how);
  else if (parent.planKey === '') afterOrderEnd(turn, parent, order, how);
  else onPlanOrderEnd(turn, parent, how);
  // An exit may wait for the end of the order of the entry or the stop.
  if (pair.exit !== null) driveParentOrder(turn, pair.exit);
}

function afterOrderEnd(turn: Turn, parent: ParentOrder, ended: LiveOrder, how: OrderEnd): void {
  const after = parent.afterCancel;
  parent.afterCancel = null;
  parent.dueAt = 0;
  if (parent.all) followHolding(turn.pair, parent);
  if (parent.filled >= parent.target) {
    finishParentOrder(turn, parent, 'filled');
  } else if (after === null) {
    afterEndByExchange(turn, parent, ended, how);
  } else if (after === 'reprice') {
    placeNext(turn, parent, 0);
  } else if (after === 'taker') {
    switchToTaker(parent);
    placeNext(turn, parent, 0);
  } else {
    finishParentOrder(turn, parent, after);
  }
}

/** Continues an unfilled parent order whose order ended without a cancel of the bot. */
function afterEndByExchange(turn: Turn, parent: ParentOrder, ended: LiveOrder, how: OrderEnd): void {
  const { bot, pair, at } = turn;
  if ((how === 'filled' || how === 'expired' || how === 'canceled') && continuesSpending(bot, pair, parent, at)) {
    placeNext(turn, parent, 0);
  } else if (parent.limit !== undefined && continuesLimit(parent.limit, ended, how)) {
    placeNext(turn, parent, 0);
  } else if (how === 'filled') {
    // A re-priced entry may be smaller than its first target; an exit may have grown meanwhile.
    if (parent.kind === 'entry') finishParentOrder(turn, parent, 'filled');
    else placeNext(turn, parent, 0);
  } else if (how === 'post_only_rejected') {
    afterPostOnlyReject(turn, parent);
  } else if (parent.kind === 'entry' || (hasSlippageLimit(parent) && how !== 'rejected')) {
    // Taker: the remainder beyond the limit is dropped. Maker: the exchange ended the order.
    finishParentOrder(turn, parent, how === 'rejected' && !hasSpent(parent) ? 'rejected' : 'unfilled');
  } else {
    retryExit(turn, parent);
  }
}

/** Returns whether the rest of a limit order that took first now waits in the book. */
function continuesLimit({ postOnly }: EntryLimit, { type }: LiveOrder, how: OrderEnd): boolean {
  return !postOnly && type === 'limit_ioc' && (how === 'filled' || how === 'expired' || how === 'canceled');
}

/** Returns whether a buy that spends its budget has bought a part already, so that it is not called rejected. */
function hasSpent(parent: ParentOrder): boolean {
  return spendsBudget(parent) && parent.filled > 0;
}

/** Schedules the next attempt of a maker, until an entry gives up and an exit becomes a taker. @see docs/orders.md#maker-orders */
function afterPostOnlyReject(turn: Turn, parent: ParentOrder): void {
  if (parent.limit?.postOnly === true) {
    finishParentOrder(turn, parent, 'rejected');
    return;
  }
  // A limit order waits as long as its owner wants.
  if (parent.limit === undefined) parent.attempts += 1;
  if (parent.attempts >= MAX_ATTEMPTS) {
    if (parent.kind === 'entry') {
      finishParentOrder(turn, parent, 'timeout');
      return;
    }
    switchToTaker(parent);
  }
  scheduleAfterReject(turn, parent);
}

/** Schedules the next attempt of an exit; after many it raises an alarm and slows down. */
function retryExit({ bot, pair, at }: Turn, parent: ParentOrder): void {
  parent.attempts += 1;
  const late = parent.attempts >= MAX_ATTEMPTS;
  if (late) bot.observer.alarm(at, pair, 'exit_not_filled');
  parent.dueAt = at + (late ? ALARM_MS : RETRY_MS);
}

/** Makes the target of an exit of the whole position follow the holding, which other fills change. */
function followHolding({ market, holding }: PairState, parent: ParentOrder): void {
  parent.target = exact(parent.filled + floorStep(market as Market, holding.quantity));
}

/**
 * Places the next child order of a parent order, once trading, other orders of the pair and the quote allow it.
 *
 * @param known its price where the newest quote already gave it, else 0
 */
function placeNext(turn: Turn, parent: ParentOrder, known: Price): void {
  const { bot, pair, at } = turn;
  if (isTradingBlocked(bot, pair)) {
    deferWhileBlocked(turn, parent);
    return;
  }
  // An exit is sized after the last fills of working entries; their end continues the exit.
  if (parent.kind === 'exit' && (pair.entry !== null || pair.planOrders.length > 0)) return;
  if (parent.kind === 'exit' && pair.position !== null && pair.position.direction !== parent.direction) {
    replaceTurnedExit(turn, parent);
    return;
  }
  const quote = usableQuote(bot, pair, at);
  if (quote === null) {
    retryWithoutQuote(turn, parent);
    return;
  }
  if (parent.all) followHolding(pair, parent);
  const price = (known === 0 ? orderPrice(bot, pair, parent, quote) : known) + KEEP_UNBOXED;
  if (parent.firstPrice === 0) parent.firstPrice = parent.urgency === 'taker' ? middle(quote) : price;
  if (parent.urgency === 'taker' || !exceedsSlippage(bot, parent, price)) {
    placeAt(turn, parent, quote, price);
  } else if (parent.kind === 'entry') {
    finishParentOrder(turn, parent, 'slippage');
  } else {
    switchToTaker(parent);
    placeAt(turn, parent, quote, orderPrice(bot, pair, parent, quote) + KEEP_UNBOXED);
  }
}

/**
 * Ends an exit whose position the last fills of a neutral grid have reversed: it would enlarge the other side. An exit of the whole
 * position is followed by one of the other side.
 *
 * @see docs/grids-and-dca.md#common-rules
 */
function replaceTurnedExit(turn: Turn, parent: ParentOrder): void {
  const { bot, pair, at } = turn;
  finishParentOrder(turn, parent, parent.filled > 0 ? 'filled' : 'cancelled');
  if (!parent.all || pair.position === null) return;
  const next = createParentOrder({
    ...{ id: bot.state.nextIntent++, kind: 'exit', direction: pair.position.direction, reason: parent.reason },
    ...{ openedAt: at, target: floorStep(pair.market as Market, pair.holding.quantity), urgency: parent.urgency },
  });
  next.all = true;
  next.unguarded = parent.unguarded;
  if (parent.slippage !== undefined) next.slippage = parent.slippage;
  startParentOrder(turn, next, 0);
}

/** Defers an automatic exit until trading is possible again, with an alarm. Ends any other parent order. */
function deferWhileBlocked(turn: Turn, parent: ParentOrder): void {
  const { bot, pair, at } = turn;
  if (parent.kind === 'entry') {
    finishParentOrder(turn, parent, hasSpent(parent) || hasOwnPrice(parent) ? 'unfilled' : 'cancelled');
  } else if (parent === manualExitOf(pair)) {
    finishParentOrder(turn, parent, 'rejected');
  } else {
    parent.dueAt = at + RETRY_MS;
    bot.observer.alarm(at, pair, 'exit_not_filled');
  }
}

/** Places the missing quantity at `price` (0 for a market order), or finishes the parent order when that is too small. */
function placeAt(turn: Turn, parent: ParentOrder, quote: PairQuote, given: Price): void {
  const { bot, pair } = turn;
  const market = pair.market as Market;
  const taker = parent.urgency === 'taker';
  const spends = spendsBudget(parent) ? budgetOrder(bot, pair, parent, quote) : null;
  const price = spends?.price ?? given;
  const valuedAt = price !== 0 ? price : quote.last > 0 ? quote.last : quote.bid;
  const quantity = spends?.quantity ?? nextQuantity(bot, pair, parent, valuedAt, taker);
  const tradable =
    parent.kind === 'entry' ? meetsMinimums(market, valuedAt, quantity) : !isDust(bot, market, valuedAt, quantity);
  if (!tradable) {
    finishParentOrder(turn, parent, parent.filled > 0 ? 'filled' : 'below_minimum');
    return;
  }
  // The quantity of the protective stop cannot be sold twice; the end of the stop continues the exit.
  if (parent.kind === 'exit' && mustEndStop(pair, parent, quantity)) {
    cancelStop(turn, 'cancelled');
    return;
  }
  placeChildOrder(turn, parent, price, quantity);
}

/** Returns whether the protective stop must end before an exit sells: it holds the quantity, or would sell for the same levels. */
function mustEndStop(pair: PairState, exit: ParentOrder, quantity: Quantity): boolean {
  if (pair.stop === null) return false;
  return quantity > pair.holding.quantity - quantityOfStop(pair) || sharesLevels(pair.stop, exit);
}

function placeChildOrder(turn: Turn, parent: ParentOrder, price: Price, quantity: Quantity): void {
  const { bot, pair, at, effects } = turn;
  const taker = parent.urgency === 'taker' || takesNow(pair, parent);
  parent.orders += 1;
  const order: LiveOrder = {
    n: parent.orders,
    type: taker ? (price === 0 ? 'market' : 'limit_ioc') : 'limit_maker',
    price,
    quantity,
    filled: 0,
    status: 'placing',
    placedAt: at,
    fillIds: [],
  };
  parent.order = order;
  parent.dueAt = taker || parent.limit !== undefined ? 0 : at + bot.rules.adjustMs;
  bot.observer.order(at, pair, parent, order, 'placing');
  effects.push({ type: 'place', pair, parent, order });
}

/**
 * Returns whether the next order of a limit order takes what its price reaches, before the rest waits in the book. It takes from each
 * quote once, because the displayed size is gone then.
 *
 * @see docs/orders.md#limit-orders
 */
function takesNow({ quote }: PairState, { limit, side }: ParentOrder): boolean {
  if (limit === undefined || limit.postOnly || quote === null || quote.at === limit.takenAt) return false;
  if (!wouldMatch(quote, side, limit.price)) return false;
  limit.takenAt = quote.at;
  return true;
}

/** Returns the price of the next order; 0 for a market order. @see docs/orders.md#maker-orders, docs/orders.md#taker-orders */
function orderPrice(bot: Bot, pair: PairState, parent: ParentOrder, quote: PairQuote): Price {
  const market = pair.market as Market;
  if (parent.limit !== undefined) return parent.limit.price;
  if (parent.urgency === 'maker') return makerPrice(market, parent.side, quote, offsetRatio(bot, pair, parent));
  const slippage = parent.slippage ?? (parent.kind === 'entry' ? bot.rules.maxSlippage : null);
  if (slippage === null) return 0;
  const worst = worstTakerPrice(market, parent.side, quote, slippage);
  // The slippage of a stop entry is measured from its own price; that of a buy is limited with its budget.
  if (parent.stopEntry === undefined || parent.side === 'buy') return worst;
  return Math.max(worst, ceilTick(market, shiftPriceBy(parent.firstPrice, -slippage, 'up')));
}

/** Returns whether a maker price is further from the first than `max_slippage_pct`. @see docs/orders.md#urgency */
function exceedsSlippage(bot: Bot, parent: ParentOrder, price: Price): boolean {
  return !parent.unguarded && slipped(parent.side, price, parent.firstPrice, bot.rules.maxSlippage);
}

/** Returns whether the parent order is a manual taker with a slippage limit. */
function hasSlippageLimit({ urgency, slippage }: ParentOrder): boolean {
  return urgency === 'taker' && slippage !== undefined;
}

/** Switches to taker orders and resets the attempt counter. @see docs/orders.md#taker-orders */
function switchToTaker(parent: ParentOrder): void {
  parent.urgency = 'taker';
  parent.attempts = 0;
}

/**
 * Schedules a retry without a usable quote. An entry gives up after ten seconds; an exit waits, with an alarm every minute.
 * Waits of an exit do not count as attempts, so that it retries fast once the market is back.
 */
function retryWithoutQuote(turn: Turn, parent: ParentOrder): void {
  const { bot, pair, at } = turn;
  if (parent.kind === 'entry') {
    // A limit order waits as long as its owner wants.
    if (parent.limit === undefined) parent.attempts += 1;
    if (parent.attempts >= MAX_ATTEMPTS) {
      finishParentOrder(turn, parent, 'timeout');
      return;
    }
  } else {
    parent.waits = (parent.waits ?? 0) + 1;
    if (parent.waits % (ALARM_MS / RETRY_MS) === MAX_ATTEMPTS) bot.observer.alarm(at, pair, 'exit_not_filled');
  }
  parent.dueAt = at + RETRY_MS;
}

/** Returns the quantity of the next order: the missing part, within the budget of an entry or the holding of an exit. */
function nextQuantity(bot: Bot, pair: PairState, parent: ParentOrder, price: Price, taker: boolean): Quantity {
  const market = pair.market as Market;
  const rest = parent.target - parent.filled;
  // The entry was just sized by this quote.
  if (parent.kind === 'entry' && parent.orders === 0 && parent.attempts === 0) return rest;
  if (parent.kind === 'exit') return largestOrder(bot, market, price, Math.min(rest, pair.holding.quantity));
  const fee = taker ? bot.rules.takerFee : bot.rules.makerFee;
  // Paid fees count against the budget in any asset (docs/orders.md#maker-orders).
  const left = orderValue(Math.max(0, parent.budget - parent.notional - parent.feeQuote), fee, 1);
  const value = Math.min(left, orderValue(availableQuote(bot, parent), fee, pair.holding.leverage));
  // A short by a taker costs more margin at the middle of the book than at the worst price that it accepts.
  const worstPrice = taker ? Math.max(price, parent.firstPrice) : price;
  return Math.min(floorStep(market, rest), quantityFor(market, value, worstPrice));
}

/** Returns the quantity of the next order of an exit, at most the exchange maximum and never leaving dust. */
function largestOrder(bot: Bot, market: Market, price: Price, rest: Quantity): Quantity {
  if (rest <= market.maxQuantity) return floorStep(market, rest);
  const maxOrder = floorStep(market, market.maxQuantity);
  return isDust(bot, market, price, rest - maxOrder) ? floorStep(market, maxOrder / 2) : maxOrder;
}
