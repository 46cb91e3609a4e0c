import { validatedPrice } from '../exits/evaluate.ts';
import { effectiveLeverage } from '../ledger/brackets.ts';
import type { Direction } from '../market/direction.ts';
import { floorStep, type Market, meetsMinimums, quantityFor } from '../market/market.ts';
import {
  formatUnits,
  mulDiv,
  type Price,
  parseUnits,
  percentRatio,
  powerOfTen,
  type Quantity,
  type Quote,
  type Ratio,
  SCALE,
  shiftPriceBy,
} from '../money/units.ts';
import { finishParentOrder } from '../orders/finishParentOrder.ts';
import { releaseStopEntry, startParentOrder } from '../orders/loop.ts';
import { availableQuote } from '../sizing/availableBalance.ts';
import { orderValue } from '../sizing/entrySize.ts';
import { noRoom, positionRoom } from '../sizing/positionRoom.ts';
import type { Bot } from '../state/bot.ts';
import type { EntryAmount } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { bracketsOf } from '../state/pairBrackets.ts';
import { createParentOrder, type ParentOrder } from '../state/parentOrder.ts';
import type { ExitPrices } from '../state/priceExit.ts';
import type { Refused } from '../state/refusal.ts';
import { refuse } from '../state/refuse.ts';
import { isTradingBlocked } from '../state/tradingBlocked.ts';
import type { Turn } from '../state/turn.ts';
import { leverageFor, setMargin } from './enter.ts';
import { blockGate, quoteGate, suspensionGate, volumeGate } from './gates.ts';
import {
  costPrice,
  manualFee,
  manualPrice,
  manualPriceGate,
  type OwnPricing,
  ownPrice,
  type PricedEntry,
  reachesPrice,
  urgencyOf,
} from './manualPrice.ts';

/** A manual entry as its owner wants it. */
export interface WantedEntry extends PricedEntry {
  readonly amount: EntryAmount;
}

/**
 * Enters manually with an amount of the quote currency, fee included (futures: margin and fee), or of the asset. Pair count,
 * quarantine and loss guard do not apply.
 *
 * @returns id of the parent order, or the refusal
 * @see docs/orders.md#orders-by-hand
 */
export function manualEntry(
  turn: Turn,
  wanted: WantedEntry,
): { ok: true; intentId: string } | ({ ok: false } & Refused) {
  const { bot, pair, at } = turn;
  const { direction, pricing, exits } = wanted;
  const refused = manualGate(turn, wanted);
  if (refused !== null) return { ok: false, ...refused };
  const sized = manualSize(bot, pair, wanted);
  if (!sized.ok) return sized;
  const parent = createParentOrder({
    id: bot.state.nextIntent++,
    kind: 'entry',
    direction,
    reason: 'manual',
    openedAt: at,
    target: sized.quantity,
    urgency: urgencyOf(pricing),
  });
  parent.budget = sized.budget;
  if ('price' in pricing) setOwnPrice(parent, pricing, ownPrice(pair.market as Market, direction, pricing));
  if ('slippage' in pricing && pricing.slippage !== undefined) parent.slippage = pricing.slippage;
  if (exits !== undefined) parent.priceExits = [{ id: 0, share: SCALE, ...exits }];
  setMargin(turn, direction, sized.leverage);
  startParentOrder(turn, parent, 0);
  return { ok: true, intentId: `${parent.id}` };
}

/** Stores the price of the user in the parent order of an entry. @param price on the tick */
function setOwnPrice(parent: ParentOrder, { order }: OwnPricing, price: Price): void {
  parent.firstPrice = price;
  if (order !== 'stop') parent.limit = { price, postOnly: order === 'post_only' };
  if (order === 'stop') parent.stopEntry = { price, isReached: false };
}

/** Checks that price exits are given only to a position that the entry opens. Those of an open position are set there. */
function exitsGate({ position }: PairState, exits: ExitPrices | undefined): Refused | null {
  if (exits === undefined || position === null) return null;
  return { gate: 'already_open', inputs: { direction: position.direction } };
}

/** Quantity of a manual entry, and what it may cost. */
interface ManualSize {
  readonly ok: true;
  readonly quantity: Quantity;
  readonly budget: Quote;
  readonly leverage: number;
}

function manualSize(bot: Bot, pair: PairState, wanted: WantedEntry): ManualSize | ({ ok: false } & Refused) {
  const market = pair.market as Market;
  const available = availableQuote(bot, null);
  const price = manualPrice(bot, pair, wanted);
  const fee = manualFee(bot, wanted.pricing);
  if (price <= 0) return { ok: false, gate: 'below_minimum', inputs: { price: formatUnits(price) } };
  const { value, leverage } = manualCost(bot, pair, wanted, available);
  const inputs = { available: formatUnits(available), value: formatUnits(value) };
  if (value > available) return { ok: false, gate: 'insufficient_balance', inputs };
  const worth = orderValue(value, fee, leverage);
  if (worth > positionRoom(market, pair.holding, price)) return { ok: false, ...noRoom(pair.holding) };
  const affordable = quantityFor(market, worth, price);
  const quantity = Math.min(affordable, wantedQuantity(market, wanted.amount) ?? affordable);
  if (!meetsMinimums(market, price, quantity)) {
    const least = formatUnits(market.minNotional);
    return { ok: false, gate: 'below_minimum', inputs: { value: formatUnits(value), least } };
  }
  const budget = bot.rules.future ? worth + mulDiv(worth, fee, SCALE, 'up') : value;
  return { ok: true, quantity, budget, leverage };
}

/** Limits of a manual entry at the present prices. */
export interface ManualLimits {
  /** Its largest cost, and the quantity that this buys. */
  readonly available: Quote;
  readonly availableQuantity: Quantity;
  /**
   * Smallest quantity that the exchange accepts, and its cost, both with a margin: the price moves while the amount is typed.
   */
  readonly minimum: Quote;
  readonly minimumQuantity: Quantity;
  /** Leverage of the whole available amount. */
  readonly leverage: number;
}

/** Move of the price that the minimums of {@link ManualLimits} allow for. */
const PRICE_MARGIN = percentRatio(0.5);

/** Returns the limits of a manual entry; null without a usable price. @see docs/orders.md#order-preview */
export function manualLimits(bot: Bot, pair: PairState, wanted: PricedEntry): ManualLimits | null {
  const { market, quote } = pair;
  if (market === null || quote === null) return null;
  const price = manualPrice(bot, pair, wanted);
  if (price <= 0) return null;
  const available = availableQuote(bot, null);
  const fee = manualFee(bot, wanted.pricing);
  const leverage = entryLeverage(bot, pair, available, fee);
  const minimumQuantity = minEntryQuantity(market, shiftPriceBy(price, -PRICE_MARGIN, 'down'));
  const dearer = shiftPriceBy(price, PRICE_MARGIN, 'up');
  return {
    available,
    availableQuantity: quantityFor(market, orderValue(available, fee, leverage), price),
    minimum: entryCost(bot, pair, { price: dearer, fee, quantity: minimumQuantity }).value,
    minimumQuantity,
    leverage,
  };
}

/** Returns what a manual entry costs with its fee (futures: margin and fee) and the leverage that it gets. */
function manualCost(bot: Bot, pair: PairState, wanted: WantedEntry, available: Quote) {
  const { amount } = wanted;
  const fee = manualFee(bot, wanted.pricing);
  const quantity = wantedQuantity(pair.market as Market, amount);
  const cost = quantity === null ? null : entryCost(bot, pair, { price: costPrice(bot, pair, wanted), fee, quantity });
  const asked = cost?.value ?? (amount.value as Quote);
  const value = amount.limitToAvailable === true ? Math.min(asked, available) : asked;
  // The bracket of the quantity itself counts, so that it is bought in full.
  if (cost !== null && value === asked) return cost;
  return { value, leverage: entryLeverage(bot, pair, value, fee) };
}

/** Returns the leverage of a manual entry: that of the open position, which keeps its own, or that of a new one. */
function entryLeverage(bot: Bot, pair: PairState, value: Quote, fee: Ratio): number {
  return openLeverage(bot, pair) ?? leverageFor(bot, pair, value, SCALE, fee);
}

/** Returns the leverage of the open position of a future; null without one. */
function openLeverage({ rules }: Bot, { holding }: PairState): number | null {
  return rules.future && holding.quantity > 0 ? holding.leverage : null;
}

/**
 * Returns what an entry of a quantity costs at a price with its fee; on futures margin and fee. A cost beyond the exact range is the
 * largest exact amount.
 */
function entryCost(
  bot: Bot,
  pair: PairState,
  { price, fee, quantity }: { readonly price: Price; readonly fee: Ratio; readonly quantity: Quantity },
): { value: Quote; leverage: number } {
  const unit = powerOfTen((pair.market as Market).assetDecimals);
  if ((quantity / unit) * price >= LARGEST_COST) return { value: LARGEST_COST, leverage: 1 };
  const worth = mulDiv(quantity, price, unit, 'up');
  const { rules } = bot;
  const leverage =
    openLeverage(bot, pair) ?? (rules.future ? effectiveLeverage(bracketsOf(pair), worth, rules.leverage) : 1);
  // The inverse of `orderValue`; one unit more, because that rounds down.
  return { value: mulDiv(worth, SCALE + fee * leverage, SCALE * leverage, 'up') + 1, leverage };
}

/** Beyond this no account has cash, and sums stay exact. */
const LARGEST_COST: Quote = 2 ** 51;

/** Returns the smallest quantity that the exchange accepts in an entry at a price. */
function minEntryQuantity(market: Market, price: Price): Quantity {
  const unit = powerOfTen(market.assetDecimals);
  // At tiny prices the quotient leaves the exact range.
  if ((market.minNotional / price) * unit >= market.maxQuantity) return market.maxQuantity;
  const byValue = mulDiv(market.minNotional, unit, price, 'up');
  const least = Math.max(market.minQuantity, market.step, byValue);
  const floored = floorStep(market, least);
  return floored === least ? least : floored + market.step;
}

/** Returns the quantity that is wanted in the asset, rounded down to the step; null when the amount is in the quote currency. */
function wantedQuantity(market: Market, { quantity }: EntryAmount): Quantity | null {
  if (quantity === undefined) return null;
  const [whole = '', fraction = ''] = quantity.split('.');
  const text = `${whole}.${fraction.slice(0, market.assetDecimals)}0`;
  // An amount beyond the exact range is more than anybody can pay.
  return floorStep(market, parseUnits(text, market.assetDecimals) ?? Number.MAX_SAFE_INTEGER);
}

/** Returns the first gate that refuses a manual entry, null when all pass. @see docs/entries.md#gates */
export function manualGate(turn: Turn, wanted: PricedEntry): Refused | null {
  const { bot, pair, at } = turn;
  const { direction, exits } = wanted;
  const closed = openGate(turn);
  if (closed !== null) return closed;
  if (direction === -1 && !bot.rules.future) return { gate: 'disabled', inputs: { direction } };
  const early = alreadyOpenGate(pair, direction) ?? exitsGate(pair, exits) ?? quoteGate(bot, pair, at);
  return early ?? manualPriceGate(pair, wanted);
}

/** Checks that bot, pair and exchange accept manual entries now. */
function openGate({ bot, pair }: Turn): Refused | null {
  const blocked = blockGate(bot);
  if (blocked !== null) return blocked;
  if (bot.state.status !== 'working') return { gate: 'not_ready', inputs: { status: bot.state.status } };
  const flag = pair.flag ?? (pair.market === null ? 'loading' : pair.paused === null ? null : 'paused');
  if (flag !== null) return { gate: 'not_ready', inputs: { flag } };
  return suspensionGate(pair) ?? volumeGate(bot, pair);
}

/**
 * Sends the order of a stop entry once a quote reaches its price, or ends the entry where a gate refuses it by now.
 *
 * @see docs/orders.md#stop-entries
 */
export function followStopEntry(turn: Turn, entry: ParentOrder): void {
  const { bot, pair, at } = turn;
  const { stopEntry, direction } = entry;
  const { quote } = pair;
  if (stopEntry === undefined || quote === null || pair.flag === 'loading' || isTradingBlocked(bot, pair)) return;
  const price = validatedPrice(bot, quote, -direction as Direction, at);
  if (price === 0 || !reachesPrice(price, direction, stopEntry.price)) return;
  const refused = openGate(turn);
  if (refused === null) {
    releaseStopEntry(turn, entry);
    return;
  }
  refuse(bot, pair, at, refused);
  bot.observer.alarm(at, pair, 'entry_ended');
  finishParentOrder(turn, entry, 'cancelled');
}

/** Checks that no order or plan of the pair works, and that its position, if it has one, is on the side of the entry. */
function alreadyOpenGate(pair: PairState, direction: Direction): Refused | null {
  // A pair has one position: the other side must be exited first.
  if (pair.position !== null && pair.position.direction !== direction) {
    return { gate: 'already_open', inputs: { direction: pair.position.direction } };
  }
  // A protective stop without a position is being cancelled.
  const leftover = pair.position === null ? pair.stop : null;
  const working = pair.entry ?? pair.exit ?? pair.planOrders[0] ?? leftover;
  if (working !== null) return { gate: 'already_open', inputs: { intent: working.id, kind: working.kind } };
  // A plan accounts for its holding itself, so no manual entry may mix in.
  return pair.orderPlan === null ? null : { gate: 'already_open', inputs: { kind: pair.orderPlan.kind } };
}
