import type { PairPhase, PairState, Position } from '../state/botState.ts';
import { closeIfBelowStep, closeIfDust } from '../state/closePosition.ts';
import { knownPrice } from '../state/knownPrice.ts';
import { recordOrderEnd } from '../state/lastOrder.ts';
import { setPhase, showFlat } from '../state/pairPhase.ts';
import { hasOwnPrice, type ParentOrder, type ParentOrderEnd, PLAN_REASON } from '../state/parentOrder.ts';
import { putPriceExits } from '../state/priceExit.ts';
import type { Turn } from '../state/turn.ts';
import { cancelOrder } from './cancelOrder.ts';
import { ALL, onBaseOrderEnd } from './planFills.ts';

/** Cancels the open order and finishes its parent order with `how` once the exchange confirms, or at once without one. */
export function endParentOrder(turn: Turn, parent: ParentOrder, how: ParentOrderEnd): void {
  if (parent.order === null) finishParentOrder(turn, parent, how);
  else cancelOrder(turn, parent, how);
}

/** Ends of an order at a price that its owner has not caused directly. */
const UNEXPECTED: ReadonlySet<ParentOrderEnd> = new Set([
  ...(['below_minimum', 'rejected', 'slippage', 'timeout', 'unfilled', 'opposite_signal'] as const),
]);

/** Finishes a parent order that has no open order. */
export function finishParentOrder(turn: Turn, parent: ParentOrder, how: ParentOrderEnd): void {
  const { bot, pair, at } = turn;
  parent.dueAt = 0;
  if (parent.kind === 'entry') {
    pair.entry = null;
    keepLateExits(pair, parent);
    if (pair.exit !== null && pair.exit.order === null && pair.exit.dueAt === 0) pair.exit.dueAt = at;
  } else {
    pair.exit = null;
    if (pair.orderPlan !== null) pair.dirtyOrders = ALL;
  }
  recordOrderEnd(pair, parent, how, at);
  reportEnd(turn, parent, how);
  if (parent.kind === 'exit' && pair.position) restoreLevels(pair.position, parent, how);
  if (pair.position !== null) {
    // After a restart an order may end before the first quote. An old price does not decide what can be traded.
    if (pair.quote !== null) closeIfDust(bot, pair, knownPrice(pair, parent.direction), at);
    else closeIfBelowStep(bot, pair, at);
  }
  if (pair.position === null) pair.entryOptions = null;
  const phase = phaseWithout(pair, parent);
  // A position that an entry left as dust passes the phases of an exit (docs/bot-lifecycle.md#pair-phases).
  if (phase === 'sold' && pair.phase !== 'selling') showFlat(bot, pair, at);
  else setPhase(bot, pair, at, phase);
  if (parent.kind === 'entry' && parent.reason === PLAN_REASON) onBaseOrderEnd(turn);
}

/** Keeps the price exits of an entry without a fill: the exchange may report one after it has lost track of the order. */
function keepLateExits(pair: PairState, { priceExits, direction, orders }: ParentOrder): void {
  if (priceExits === undefined || orders === 0) delete pair.lateExits;
  else pair.lateExits = { exits: priceExits, direction };
}

function reportEnd({ bot, pair, at }: Turn, parent: ParentOrder, how: ParentOrderEnd): void {
  bot.observer.parentOrderEnd(at, pair, parent, how);
  // The owner of an order at a price may have forgotten it by now.
  if (hasOwnPrice(parent) && UNEXPECTED.has(how)) bot.observer.alarm(at, pair, 'entry_ended');
}

/**
 * Lets exit levels trigger again whose exit filled nothing, and price exits whose exit is not complete: their owner relies on them.
 *
 * @see docs/exits.md#common-rules, docs/exits.md#price-exits
 */
function restoreLevels(position: Position, { rows, priceExits, filled }: ParentOrder, how: ParentOrderEnd): void {
  if (filled === 0) for (const { table, index } of rows) position.fired[table] &= ~(1 << index);
  if (priceExits !== undefined && (filled === 0 || how !== 'filled')) putPriceExits(position, priceExits);
}

/** Returns the phase of a pair after a parent order ended. @see docs/bot-lifecycle.md#pair-phases */
function phaseWithout(pair: PairState, parent: ParentOrder): PairPhase {
  if (pair.exit !== null) return 'selling';
  // An entry that adds to a position has no phase of its own.
  if (pair.entry !== null && pair.position === null) return 'buying';
  // An entry that left only dust bought nothing.
  if (pair.position === null) return pair.phase === 'buying' ? 'idle' : 'sold';
  if (parent.kind === 'exit' && parent.filled > 0) return 'partSell';
  return pair.phase === 'partSell' ? 'partSell' : 'bought';
}
