import type { Effect, OrderEnd, OrderEvent, OrderFill, PairQuote } from '../bot/event.ts';
import { isHeldUp } from '../bot/heldUp.ts';
import { awayRatio } from '../bot/keptOptions.ts';
import { manualExitOf } from '../bot/manualExit.ts';
import { setPhase } from '../bot/pairPhase.ts';
import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import { usableQuote } from '../bot/usableQuote.ts';
import { availableQuote } from '../entry/available.ts';
import { settleEntry } from '../entry/settle.ts';
import { orderValue } from '../entry/size.ts';
import { isDust } from '../exits/dust.ts';
import { closeFlat, rememberExit } from '../exits/settle.ts';
import { ladderFilled } from '../ladder/fills.ts';
import { showLadderPhase } from '../ladder/phase.ts';
import { bookFuturesFill } from '../ledger/futures.ts';
import { bookSpotFill } from '../ledger/spot.ts';
import { openingId, turningParts } from '../ledger/turning.ts';
import { floorStep, type Market, meetsMinimums, quantityFor } from '../market/market.ts';
import { exact, type Price, type Quantity, STAYS_NUMBER } from '../money/units.ts';
import { cancelOrder } from './cancelOrder.ts';
import { finishIntent } from './finishIntent.ts';
import type { Intent, LiveOrder } from './intent.ts';
import { makerPrice, middle, slipped, worstTakerPrice } from './prices.ts';
import { endRung } from './rung.ts';
import { cancelStop, endStop, heldByStop, stopTriggered } from './stop.ts';

/** Rounds of the maker loop before it gives up (entry) or takes (exit). @see docs/orders.md#maker-orders */
const MAX_ATTEMPTS = 10;
/** Post-only rejects in a row before the loop waits. @see docs/orders.md#maker-orders */
const MAX_REJECTS = 5;
const REQUOTE_MS = 250;
const RETRY_MS = 1_000;
const ALARM_MS = 60_000;

/**
 * Starts the order loop of a new intent.
 *
 * @param price of its first order where the newest quote has just told it, else 0
 * @see docs/orders.md#maker-orders, docs/orders.md#taker-orders
 */
export function beginIntent(
  bot: Bot,
  pair: PairState,
  intent: Intent,
  price: Price,
  at: number,
  effects: Effect[],
): void {
  if (intent.kind === 'entry') pair.entry = intent;
  else pair.exit = intent;
  // An exit while the entry still works: what is filled counts as bought first (docs/bot-lifecycle.md#pair-phases).
  if (intent.kind === 'exit' && pair.phase === 'buying') setPhase(bot, pair, at, 'bought');
  if (intent.kind === 'exit') setPhase(bot, pair, at, 'selling');
  else if (pair.position === null) setPhase(bot, pair, at, 'buying');
  bot.witness.intent(at, pair, intent);
  placeNext(bot, pair, intent, price, at, effects);
}

/**
 * The exchange has taken the orders of an intent off the book before a liquidation: it is over.
 *
 * @see docs/margin.md#liquidation
 */
export function abandonIntent(bot: Bot, pair: PairState, intent: Intent, at: number): void {
  intent.order = null;
  if (intent === pair.stop) pair.stop = null;
  else if (intent.rung !== '') pair.rungs.splice(pair.rungs.indexOf(intent), 1);
  else if (intent.kind === 'entry') pair.entry = null;
  else pair.exit = null;
  bot.witness.intentEnd(at, pair, intent, 'liquidated');
}

/** Makes a working maker exit urgent: what rests is cancelled and the rest taken. @see docs/orders.md#urgency */
export function makeUrgent(bot: Bot, pair: PairState, intent: Intent, at: number, effects: Effect[]): void {
  intent.unguarded = true;
  if (intent.urgency === 'taker') return;
  takeFromNow(intent);
  if (isHeldUp(bot, pair)) {
    intent.dueAt = at + RETRY_MS;
    return;
  }
  intent.dueAt = 0;
  if (intent.order === null) placeNext(bot, pair, intent, 0, at, effects);
  else cancelOrder(bot, pair, intent, 'taker', at, effects);
}

/**
 * What is due of an intent at `at`: re-price, retry, or nothing.
 *
 * @see docs/orders.md#maker-orders, docs/orders.md#taker-orders
 */
export function driveIntent(bot: Bot, pair: PairState, intent: Intent, at: number, effects: Effect[]): void {
  if (intent.dueAt === 0 || at < intent.dueAt) return;
  if (isHeldUp(bot, pair) && intent.kind === 'exit') {
    // What rests is left there, and nothing new would be taken.
    if (intent.order === null && intent === manualExitOf(pair)) finishIntent(bot, pair, intent, 'rejected', at);
    else intent.dueAt = at + RETRY_MS;
    return;
  }
  intent.dueAt = 0;
  const order = intent.order;
  if (order === null) {
    placeNext(bot, pair, intent, 0, at, effects);
    return;
  }
  if (order.type !== 'limit_maker' || order.status === 'cancelling') return;
  intent.attempts += 1;
  if (intent.attempts >= MAX_ATTEMPTS) {
    cancelOrder(bot, pair, intent, intent.kind === 'entry' ? 'timeout' : 'taker', at, effects);
    return;
  }
  const quote = usableQuote(bot, pair, at);
  if (quote === null) {
    intent.dueAt = at + bot.rules.adjustMs;
    return;
  }
  const target = makerPrice(pair.market as Market, intent.side, quote, awayRatio(bot, pair, intent));
  const better = intent.side === 'buy' ? target <= order.price : target >= order.price;
  if (better) {
    intent.dueAt = at + bot.rules.adjustMs;
  } else if (tooFar(bot, intent, target)) {
    cancelOrder(bot, pair, intent, intent.kind === 'entry' ? 'slippage' : 'taker', at, effects);
  } else {
    cancelOrder(bot, pair, intent, 'reprice', at, effects);
  }
}

/** Books what the exchange says of an order. Events of unknown orders and fills told before change nothing. */
export function takeOrderEvent(bot: Bot, event: OrderEvent, effects: Effect[]): PairState | null {
  const owner = ownerOf(bot, event.clientOrderId);
  if (owner === null) return null;
  const { pair, intent, order } = owner;
  switch (event.type) {
    case 'opened':
      if (order.status === 'placing') order.status = 'open';
      bot.witness.order(event.at, pair, intent, order, 'open');
      break;
    case 'filled':
      if (order.fillIds.includes(event.id)) break;
      order.fillIds.push(event.id);
      if (intent === pair.stop && intent.filled === 0) stopTriggered(bot, pair, intent, event.at, effects);
      bookFill(bot, pair, intent, order, event);
      break;
    case 'ended':
      endOrder(bot, pair, intent, order, event.how, event.at, effects);
  }
  return pair;
}

/**
 * Books one fill of a live order into the ledger, the intent and the position.
 *
 * @see docs/accounting.md#ledger-events, docs/accounting.md#spot-positions, docs/accounting.md#futures-positions
 */
export function bookFill(bot: Bot, pair: PairState, intent: Intent, order: LiveOrder, fill: OrderFill): void {
  // Both sides of a neutral grid were hit at once.
  const parts = intent.rung !== '' && bot.rules.future ? turningParts(pair.holding, fill) : null;
  if (parts === null) {
    bookPart(bot, pair, intent, order, fill);
    return;
  }
  bookPart(bot, pair, intent, order, parts.close);
  closeFlat(bot, pair, fill.at);
  const id = order.fillIds.at(-1);
  if (id !== undefined) order.fillIds.push(openingId(id));
  bookPart(bot, pair, intent, order, parts.open);
}

function bookPart(bot: Bot, pair: PairState, intent: Intent, order: LiveOrder, fill: OrderFill): void {
  const market = pair.market as Market;
  const { wallet } = bot.state;
  const { price, quantity } = fill;
  order.filled = exact(order.filled + quantity);
  const booked = bot.rules.future
    ? bookFuturesFill(wallet, pair.holding, market, fill)
    : bookSpotFill(wallet, pair.holding, market, fill);
  if (intent.filled === 0) bot.state.trades += 1;
  intent.filled = exact(intent.filled + quantity);
  intent.notional = exact(intent.notional + booked.value);
  intent.feeAsset = fill.feeAsset;
  intent.fee = exact(intent.fee + fill.fee);
  intent.feeQuote = exact(intent.feeQuote + booked.feeQuote);
  intent.realised = exact(intent.realised + booked.realised);
  intent.rejects = 0;
  const direction = fill.side === 'buy' ? 1 : -1;
  const against = pair.position !== null && pair.position.direction !== direction;
  // In a neutral grid an entry of one side can reduce the other.
  const enters = intent.rung !== '' && bot.rules.future ? !against : intent.kind === 'entry';
  if (enters) settleEntry(bot, pair, direction, fill.at);
  const { position } = pair;
  if (position !== null) {
    position.realised = exact(position.realised + booked.realised);
    position.feeQuote = exact(position.feeQuote + booked.feeQuote);
    if (!enters) position.sold = true;
  }
  bot.witness.fill(fill.at, pair, intent, fill, booked);
  if (!enters) rememberExit(bot, pair, price);
  if (intent.reason === 'ladder') {
    ladderFilled(bot, pair, intent, fill, booked);
    showLadderPhase(bot, pair, fill.at);
  }
}

/**
 * A live order has ended: no more fills of it will come. What its intent does next follows.
 *
 * @see docs/orders.md#parent-and-child-orders
 */
export function endOrder(
  bot: Bot,
  pair: PairState,
  intent: Intent,
  order: LiveOrder,
  how: OrderEnd,
  at: number,
  effects: Effect[],
): void {
  intent.order = null;
  bot.witness.order(at, pair, intent, order, how);
  if (intent === pair.stop) endStop(bot, pair, intent, how, at);
  else if (intent.rung === '') afterOrder(bot, pair, intent, how, at, effects);
  else endRung(bot, pair, intent, how, at);
  // An exit may have waited for the order of the entry, or of the stop, to end.
  if (pair.exit !== null) driveIntent(bot, pair, pair.exit, at, effects);
}

function afterOrder(bot: Bot, pair: PairState, intent: Intent, how: OrderEnd, at: number, effects: Effect[]): void {
  const after = intent.afterCancel;
  intent.afterCancel = null;
  intent.dueAt = 0;
  if (intent.all) intent.target = exact(intent.filled + floorStep(pair.market as Market, pair.holding.quantity));
  if (intent.filled >= intent.target) {
    finishIntent(bot, pair, intent, 'filled', at);
  } else if (after !== null && after !== 'reprice' && after !== 'taker') {
    finishIntent(bot, pair, intent, after, at);
  } else if (after === 'taker') {
    takeFromNow(intent);
    placeNext(bot, pair, intent, 0, at, effects);
  } else if (after === 'reprice') {
    placeNext(bot, pair, intent, 0, at, effects);
  } else if (how === 'filled') {
    // A re-priced entry may have been re-sized below its first target; of an exit more may have come in meanwhile.
    if (intent.kind === 'entry') finishIntent(bot, pair, intent, 'filled', at);
    else placeNext(bot, pair, intent, 0, at, effects);
  } else if (how === 'post_only_rejected') {
    intent.attempts += 1;
    intent.rejects += 1;
    if (intent.attempts >= MAX_ATTEMPTS && intent.kind === 'entry') {
      finishIntent(bot, pair, intent, 'timeout', at);
      return;
    }
    if (intent.attempts >= MAX_ATTEMPTS) takeFromNow(intent);
    intent.dueAt = at + (intent.rejects >= MAX_REJECTS ? bot.rules.adjustMs : REQUOTE_MS);
    if (intent.rejects >= MAX_REJECTS) intent.rejects = 0;
  } else if (intent.kind === 'entry' || (takesWithin(intent) && how !== 'rejected')) {
    // Taker: the rest beyond the limit is dropped. Maker: ended by the exchange, not by us.
    finishIntent(bot, pair, intent, how === 'rejected' ? 'rejected' : 'unfilled', at);
  } else {
    intent.attempts += 1;
    if (intent.attempts >= MAX_ATTEMPTS) bot.witness.alarm(at, pair, 'exit_not_filled');
    intent.dueAt = at + (intent.attempts >= MAX_ATTEMPTS ? ALARM_MS : RETRY_MS);
  }
}

/**
 * Places the next order of an intent for what is missing; ends it when that is too little.
 *
 * @param known its price, if that is already known by the newest quote, else 0
 */
function placeNext(bot: Bot, pair: PairState, intent: Intent, known: Price, at: number, effects: Effect[]): void {
  const market = pair.market as Market;
  if (isHeldUp(bot, pair)) {
    if (intent.kind === 'entry') finishIntent(bot, pair, intent, 'cancelled', at);
    else if (intent === manualExitOf(pair)) finishIntent(bot, pair, intent, 'rejected', at);
    else waitForTrading(bot, pair, intent, at);
    return;
  }
  // The last fills of what still works must be known before an exit is sized; their end drives the exit on.
  if (intent.kind === 'exit' && (pair.entry !== null || pair.rungs.length > 0)) return;
  const quote = usableQuote(bot, pair, at);
  if (quote === null) {
    waitForQuote(bot, pair, intent, at);
    return;
  }
  if (intent.all) intent.target = exact(intent.filled + floorStep(market, pair.holding.quantity));
  let price = (known === 0 ? orderPrice(bot, pair, intent, quote) : known) + STAYS_NUMBER;
  if (intent.firstPrice === 0) intent.firstPrice = intent.urgency === 'taker' ? middle(quote) : price;
  if (intent.urgency === 'maker' && tooFar(bot, intent, price)) {
    if (intent.kind === 'entry') {
      finishIntent(bot, pair, intent, 'slippage', at);
      return;
    }
    takeFromNow(intent);
    price = orderPrice(bot, pair, intent, quote) + STAYS_NUMBER;
  }
  const taker = intent.urgency === 'taker';
  const valuedAt = price !== 0 ? price : quote.last > 0 ? quote.last : quote.bid;
  const quantity = missing(bot, pair, intent, valuedAt, taker);
  const tradable =
    intent.kind === 'entry' ? meetsMinimums(market, valuedAt, quantity) : !isDust(bot, market, valuedAt, quantity);
  if (!tradable) {
    finishIntent(bot, pair, intent, intent.filled > 0 ? 'filled' : 'below_minimum', at);
    return;
  }
  // Whatever the stop at the exchange may still sell cannot be sold a second time: its end drives the exit on.
  if (intent.kind === 'exit' && pair.stop !== null && quantity > pair.holding.quantity - heldByStop(pair)) {
    cancelStop(bot, pair, 'cancelled', at, effects);
    return;
  }
  intent.orders += 1;
  const order: LiveOrder = {
    n: intent.orders,
    type: taker ? (price === 0 ? 'market' : 'limit_ioc') : 'limit_maker',
    price,
    quantity,
    filled: 0,
    status: 'placing',
    placedAt: at,
    fillIds: [],
  };
  intent.order = order;
  intent.dueAt = taker ? 0 : at + bot.rules.adjustMs;
  bot.witness.order(at, pair, intent, order, 'placing');
  effects.push({ type: 'place', pair, intent, order });
}

/** An exit waits until the exchange takes orders again, and says so. */
function waitForTrading(bot: Bot, pair: PairState, intent: Intent, at: number): void {
  intent.dueAt = at + RETRY_MS;
  bot.witness.alarm(at, pair, 'exit_not_filled');
}

/** Price of the next order; 0 for a market order. @see docs/orders.md#maker-orders, docs/orders.md#taker-orders */
function orderPrice(bot: Bot, pair: PairState, intent: Intent, quote: PairQuote): Price {
  const market = pair.market as Market;
  if (intent.urgency === 'maker') return makerPrice(market, intent.side, quote, awayRatio(bot, pair, intent));
  const slippage = intent.slippage ?? (intent.kind === 'entry' ? bot.rules.maxSlippage : null);
  return slippage === null ? 0 : worstTakerPrice(market, intent.side, quote, slippage);
}

/** Whether a maker price is further from the first than `max_slippage_pct`. @see docs/orders.md#urgency */
function tooFar(bot: Bot, intent: Intent, price: Price): boolean {
  return !intent.unguarded && slipped(intent.side, price, intent.firstPrice, bot.rules.maxSlippage);
}

/** Whether the intent takes by hand, no further away than was said. */
function takesWithin({ urgency, slippage }: Intent): boolean {
  return urgency === 'taker' && slippage !== undefined;
}

/** From now on the intent takes; its tries are counted anew. @see docs/orders.md#taker-orders */
function takeFromNow(intent: Intent): void {
  intent.urgency = 'taker';
  intent.attempts = 0;
}

/**
 * Without a usable quote an entry gives up after ten seconds; an exit waits, with an alarm every minute. Its waits are no
 * tries: when the market is back it must not be slow to try again because it has waited long.
 */
function waitForQuote(bot: Bot, pair: PairState, intent: Intent, at: number): void {
  if (intent.kind === 'entry') {
    intent.attempts += 1;
    if (intent.attempts >= MAX_ATTEMPTS) {
      finishIntent(bot, pair, intent, 'timeout', at);
      return;
    }
  } else {
    intent.waits = (intent.waits ?? 0) + 1;
    if (intent.waits % (ALARM_MS / RETRY_MS) === MAX_ATTEMPTS) bot.witness.alarm(at, pair, 'exit_not_filled');
  }
  intent.dueAt = at + RETRY_MS;
}

/** Quantity of the next order: what is missing, for entries within the budget, for exits within the holding. */
function missing(bot: Bot, pair: PairState, intent: Intent, price: Price, taker: boolean): Quantity {
  const market = pair.market as Market;
  const rest = intent.target - intent.filled;
  // Just sized, by this very quote.
  if (intent.kind === 'entry' && intent.orders === 0 && intent.attempts === 0) return rest;
  if (intent.kind === 'exit') return oneOrder(bot, market, price, Math.min(rest, pair.holding.quantity));
  const fee = taker ? bot.rules.takerFee : bot.rules.makerFee;
  // Fees so far count against the budget whatever asset they were paid in (docs/orders.md#maker-orders).
  const left = orderValue(Math.max(0, intent.budget - intent.notional - intent.feeQuote), fee, 1);
  const value = Math.min(left, orderValue(availableQuote(bot, intent), fee, pair.holding.leverage));
  // A short by a taker costs more margin at the middle of the book than at the worst price that it accepts.
  const dearest = taker ? Math.max(price, intent.firstPrice) : price;
  return Math.min(floorStep(market, rest), quantityFor(market, value, dearest));
}

/** What of an exit goes into its next order: at most what the exchange takes, never leaving a rest that it would not. */
function oneOrder(bot: Bot, market: Market, price: Price, rest: Quantity): Quantity {
  if (rest <= market.maxQuantity) return floorStep(market, rest);
  const most = floorStep(market, market.maxQuantity);
  return isDust(bot, market, price, rest - most) ? floorStep(market, most / 2) : most;
}

/** The intent that an order's name is of, whichever of its orders that is; null for a stranger's and for one that is over. */
export function intentNamed(bot: Bot, name: string): { pair: PairState; intent: Intent } | null {
  const [botId, intentId] = name.split('-');
  if (botId !== bot.state.id) return null;
  const id = Number(intentId);
  for (const pair of bot.state.pairs) {
    for (const intent of [pair.entry, pair.exit, pair.stop]) if (intent?.id === id) return { pair, intent };
    const rung = pair.rungs.find((candidate) => candidate.id === id);
    if (rung !== undefined) return { pair, intent: rung };
  }
  return null;
}

/** The order of that name, while it lives. */
function ownerOf(bot: Bot, name: string) {
  const found = intentNamed(bot, name);
  const order = found?.intent.order;
  return found && order?.n === Number(name.split('-')[2]) ? { ...found, order } : null;
}
