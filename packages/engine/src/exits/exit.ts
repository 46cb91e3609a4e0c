import type { Direction } from '../market/direction.ts';
import { floorStep, type Market, notional } from '../market/market.ts';
import type { Price, Quantity, Ratio } from '../money/units.ts';
import { closePlan } from '../orders/closePlan.ts';
import { endParentOrder } from '../orders/finishParentOrder.ts';
import { makeUrgent, startParentOrder } from '../orders/loop.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { closeIfDust } from '../state/closePosition.ts';
import { isDust } from '../state/dust.ts';
import { exitOptions } from '../state/entryOptions.ts';
import { dropReversal } from '../state/exitSignal.ts';
import { recordOrder } from '../state/lastOrder.ts';
import { showFlat } from '../state/pairPhase.ts';
import {
  comesFromLevel,
  createParentOrder,
  hasOwnPrice,
  type ParentOrder,
  type Reason,
  type TriggeredLevel,
} from '../state/parentOrder.ts';
import { type PriceExit, removePriceExits } from '../state/priceExit.ts';
import type { Turn } from '../state/turn.ts';

/** Quantity of an exit. `all`: nothing is left that could be traded. */
export interface ExitSize {
  quantity: Quantity;
  all: boolean;
}

/**
 * Returns the quantity of an exit: rounded down to the step, or everything when the part is too small to trade, or when the remainder
 * would be dust or worth less than `min_buy_size`.
 *
 * @param held quantity of which it is a part
 * @see docs/exits.md#common-rules, docs/fills.md#parts-below-the-minimum
 */
export function exitQuantity(
  bot: Bot,
  pair: PairState,
  wanted: Quantity,
  price: Price,
  held = pair.holding.quantity,
): ExitSize {
  const market = pair.market as Market;
  const quantity = floorStep(market, wanted);
  const all = isDust(bot, market, price, quantity) || leavesDust(bot, pair, held - quantity, price);
  return { quantity: all && wanted !== held ? floorStep(market, held) : quantity, all };
}

function leavesDust(bot: Bot, pair: PairState, left: Quantity, price: Price): boolean {
  const market = pair.market as Market;
  return isDust(bot, market, price, left) || notional(market, price, left) < exitOptions(bot, pair).minBuy;
}

/** Returns whether a manual exit is too small to trade; it is refused rather than enlarged. */
export function isTooSmall(bot: Bot, pair: PairState, wanted: Quantity, price: Price): boolean {
  const quantity = floorStep(pair.market as Market, wanted);
  if (!isDust(bot, pair.market as Market, price, quantity)) return false;
  return !leavesDust(bot, pair, pair.holding.quantity - quantity, price);
}

/**
 * Returns the remainder of a working exit plus `wanted`, at most the position.
 *
 * @see docs/orders.md#urgency
 */
function withWorking(bot: Bot, pair: PairState, working: ParentOrder, wanted: Quantity, price: Price) {
  const open = Math.max(0, working.target - working.filled);
  return exitQuantity(bot, pair, Math.min(pair.holding.quantity, open + wanted), price);
}

/**
 * Merges the slippage limits of a working exit and the one that it takes over. A manual limit holds only while all parts are
 * manual: exits by tables, the guard, a signal or the kill switch fill at any price.
 */
function mergeLimits(
  working: ParentOrder,
  reason: Reason,
  urgency: 'maker' | 'taker',
  slippage: Ratio | undefined,
): void {
  const allByHand = working.reason === 'manual' && reason === 'manual' && !comesFromLevel(working);
  if (allByHand && urgency === 'maker') return;
  // An urgent manual exit without a limit comes from the kill switch.
  const bounded = allByHand && (working.urgency === 'maker' || working.slippage !== undefined);
  if (bounded && slippage !== undefined) working.slippage = slippage;
  else delete working.slippage;
}

/** An exit as it is wanted. */
export interface WantedExit {
  readonly reason: Reason;
  readonly wanted: Quantity;
  /** Reference price, which decides what is too small to trade. */
  readonly price: Price;
  readonly urgency: 'maker' | 'taker';
  /** Exit levels that triggered. */
  readonly rows?: TriggeredLevel[];
  /** Price exits that triggered. */
  readonly priceExits?: readonly PriceExit[];
  /** Manual exits: how far from the middle of the book a taker order may fill. */
  readonly slippage?: Ratio | undefined;
}

/**
 * Exits `wanted` of the position. A working exit takes the quantity over and, if this one is urgent, becomes urgent; a
 * working entry is cancelled first.
 *
 * @returns id of the parent order, null when there is nothing to exit
 * @see docs/orders.md#urgency
 */
export function beginExit(turn: Turn, exit: WantedExit): number | null {
  const { bot, pair, at } = turn;
  const { reason, wanted, price } = exit;
  if (reason === 'manual' && pair.position !== null && isTooSmall(bot, pair, wanted, price)) return null;
  // An exit of dust leaves the order of the owner, which may make a position of it.
  if (pair.entry !== null && hasOwnPrice(pair.entry) && reason !== 'manual' && holdsDust(bot, pair, price)) return null;
  // The quantity that a working entry still fills is known only when it has ended.
  if (pair.entry !== null) endParentOrder(turn, pair.entry, 'opposite_signal');
  if (pair.position === null) return null;
  const { quantity, all } = exitQuantity(bot, pair, wanted, price);
  const valuedAt = bestValuation(pair, price);
  if (isDust(bot, pair.market as Market, valuedAt, quantity)) {
    if (closeIfDust(bot, pair, valuedAt, at)) showFlat(bot, pair, at);
    return null;
  }
  closePlan(turn, reason);
  for (const { table, index } of exit.rows ?? []) pair.position.fired[table] |= 1 << index;
  if (exit.priceExits !== undefined) removePriceExits(pair.position, exit.priceExits);
  const working = pair.exit;
  if (working === null) return startExit(turn, pair.position.direction, exit, { quantity, all });
  mergeExit(turn, working, exit, { quantity, all });
  if (pair.exit === working) recordOrder(pair, working, at, price);
  return working.id;
}

/** Returns whether the holding of a pair is too small to trade. */
function holdsDust(bot: Bot, pair: PairState, price: Price): boolean {
  return isDust(bot, pair.market as Market, bestValuation(pair, price), pair.holding.quantity);
}

/** Returns the highest known price: a lone order far from the market does not make a position dust. */
function bestValuation({ quote, mark }: PairState, price: Price): Price {
  return Math.max(price, quote?.last ?? 0, mark);
}

/** Adds an exit to the one that works. */
function mergeExit(turn: Turn, working: ParentOrder, exit: WantedExit, size: ExitSize): void {
  const { bot, pair } = turn;
  const { reason, wanted, price, urgency, rows = [], priceExits = [], slippage } = exit;
  const fromLevels = rows.length > 0 || priceExits.length > 0;
  const merged = fromLevels ? withWorking(bot, pair, working, wanted, price) : size;
  working.all ||= merged.all;
  working.target = Math.max(working.target, working.filled + merged.quantity);
  working.rows.push(...rows);
  if (priceExits.length > 0) working.priceExits = [...(working.priceExits ?? []), ...priceExits];
  mergeLimits(working, reason, urgency, slippage);
  // An exit that is not manual lifts the limit for good, also as a maker: no later manual exit limits its quantity.
  if (working.reason === 'manual') working.reason = reason;
  if (urgency !== 'taker') return;
  working.reason = reason;
  // An exit that a table or the guard takes over reverses no more (docs/entries.md#reversals).
  if (reason !== 'signal' && reason !== 'reverse') pair.exitSignal = dropReversal(pair.exitSignal);
  makeUrgent(turn, working);
}

/** Reasons of exits whose maker price may move only as far as `max_slippage_pct`. @see docs/orders.md#urgency */
const GUARDED: ReadonlySet<Reason> = new Set(['signal', 'reverse', 'profit_win', 'price_target']);

function startExit(turn: Turn, direction: Direction, exit: WantedExit, { quantity, all }: ExitSize): number {
  const { bot, pair, at } = turn;
  const { reason, urgency, rows = [], priceExits, slippage } = exit;
  if (reason !== 'signal' && reason !== 'reverse') pair.exitSignal = dropReversal(pair.exitSignal);
  const id = bot.state.nextIntent++;
  const parent = createParentOrder({ id, kind: 'exit', direction, reason, openedAt: at, target: quantity, urgency });
  parent.all = all;
  parent.unguarded = !GUARDED.has(reason);
  parent.rows = rows;
  if (priceExits !== undefined) parent.priceExits = priceExits;
  if (slippage !== undefined) parent.slippage = slippage;
  startParentOrder(turn, parent, 0);
  return parent.id;
}
