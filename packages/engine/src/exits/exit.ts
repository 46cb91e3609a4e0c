import { floorStep, type Market, notional } from '../market/market.ts';
import type { Price, Quantity, Ratio } from '../money/units.ts';
import { closePlan } from '../orders/closePlan.ts';
import { endParentOrder } from '../orders/finishParentOrder.ts';
import { makeUrgent, startParentOrder } from '../orders/loop.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { closeIfDust } from '../state/closePosition.ts';
import { isDust } from '../state/dust.ts';
import { exitOptions } from '../state/entryOptions.ts';
import { showFlat } from '../state/pairPhase.ts';
import { createParentOrder, type ParentOrder, type Reason, type TriggeredLevel } from '../state/parentOrder.ts';

/**
 * Quantity of an exit: rounded down to the step, or everything when the part is too small to trade, or when the remainder
 * would be dust or worth less than `min_buy_size`.
 *
 * @param held what it is a part of
 * @see docs/exits.md#common-rules, docs/fills.md#parts-below-the-minimum
 */
export function exitQuantity(
  bot: Bot,
  pair: PairState,
  wanted: Quantity,
  price: Price,
  held = pair.holding.quantity,
): { quantity: Quantity; all: boolean } {
  const market = pair.market as Market;
  const quantity = floorStep(market, wanted);
  const all = isDust(bot, market, price, quantity) || leavesDust(bot, pair, held - quantity, price);
  return { quantity: all && wanted !== held ? floorStep(market, held) : quantity, all };
}

function leavesDust(bot: Bot, pair: PairState, left: Quantity, price: Price): boolean {
  const market = pair.market as Market;
  return isDust(bot, market, price, left) || notional(market, price, left) < exitOptions(bot, pair).minBuy;
}

/** Whether a sale by hand asks for a part that is too small to trade: it is refused rather than made larger. */
function isTooSmall(bot: Bot, pair: PairState, wanted: Quantity, price: Price): boolean {
  const quantity = floorStep(pair.market as Market, wanted);
  if (!isDust(bot, pair.market as Market, price, quantity)) return false;
  return !leavesDust(bot, pair, pair.holding.quantity - quantity, price);
}

/**
 * What a table sells beside what a working exit has still to sell, never above the position.
 *
 * @see docs/orders.md#urgency
 */
function withWorking(bot: Bot, pair: PairState, working: ParentOrder, wanted: Quantity, price: Price) {
  const open = Math.max(0, working.target - working.filled);
  return exitQuantity(bot, pair, Math.min(pair.holding.quantity, open + wanted), price);
}

/**
 * How far from the middle of the book a working exit and what it takes over may be taken together. A bound by hand stands
 * as long as sales by hand are all that leaves: what the tables, the guard, a signal or the kill switch sell leaves at any
 * price.
 */
function mergeLimits(
  working: ParentOrder,
  reason: Reason,
  urgency: 'maker' | 'taker',
  slippage: Ratio | undefined,
): void {
  const allByHand = working.reason === 'manual' && reason === 'manual' && working.rows.length === 0;
  if (allByHand && urgency === 'maker') return;
  // What is urgent without a bound is the kill switch's.
  const bounded = allByHand && (working.urgency === 'maker' || working.slippage !== undefined);
  if (bounded && slippage !== undefined) working.slippage = slippage;
  else delete working.slippage;
}

/**
 * Sells (of a short: buys back) `wanted` of the position. A working exit takes the quantity over and, if this one is urgent, becomes urgent; a
 * working entry is cancelled first.
 *
 * @param slippage by hand: how far from the middle of the book it may be taken
 * @see docs/orders.md#urgency
 */
export function beginExit(
  bot: Bot,
  pair: PairState,
  reason: Reason,
  wanted: Quantity,
  price: Price,
  urgency: 'maker' | 'taker',
  rows: TriggeredLevel[],
  at: number,
  effects: Effect[],
  slippage?: Ratio,
): number | null {
  // What a working entry still brings in is known only when it has ended.
  if (pair.entry !== null) endParentOrder(bot, pair, pair.entry, 'opposite_signal', at, effects);
  if (pair.position === null) return null;
  if (reason === 'manual' && isTooSmall(bot, pair, wanted, price)) return null;
  const { quantity, all } = exitQuantity(bot, pair, wanted, price);
  if (isDust(bot, pair.market as Market, price, quantity)) {
    if (closeIfDust(bot, pair, price, at)) showFlat(bot, pair, at);
    return null;
  }
  closePlan(bot, pair, reason, at, effects);
  for (const { table, index } of rows) pair.position.fired[table] |= 1 << index;
  const working = pair.exit;
  if (working !== null) {
    const merged = rows.length === 0 ? { quantity, all } : withWorking(bot, pair, working, wanted, price);
    working.all ||= merged.all;
    working.target = Math.max(working.target, working.filled + merged.quantity);
    working.rows.push(...rows);
    mergeLimits(working, reason, urgency, slippage);
    // What is not by hand ends the bound for good, also when it may rest: no later sale by hand binds what it sells.
    if (working.reason === 'manual') working.reason = reason;
    if (urgency === 'taker') {
      working.reason = reason;
      // What a table or the guard takes over is no reversal any more (docs/entries.md#reversals).
      if (reason !== 'signal' && reason !== 'reverse') pair.reverse = 0;
      makeUrgent(bot, pair, working, at, effects);
    }
    return working.id;
  }
  const { direction } = pair.position;
  const parent = createParentOrder(bot.state.nextIntent++, 'exit', direction, reason, at, quantity, urgency);
  parent.all = all;
  parent.unguarded = reason !== 'signal' && reason !== 'reverse' && reason !== 'profit_win';
  parent.rows = rows;
  if (slippage !== undefined) parent.slippage = slippage;
  startParentOrder(bot, pair, parent, 0, at, effects);
  return parent.id;
}
