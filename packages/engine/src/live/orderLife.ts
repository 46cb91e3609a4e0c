import { accountOf } from '../bot/accountOf.ts';
import { takeAdjust } from '../bot/adjust.ts';
import { takeOrder } from '../bot/bot.ts';
import type { OrderEvent } from '../bot/event.ts';
import { takeLateFill } from '../bot/lateFill.ts';
import type { PairState } from '../bot/state.ts';
import { forcedPart } from '../ledger/forcedPart.ts';
import { noteHeldSince } from '../ledger/heldSince.ts';
import { exact } from '../money/units.ts';
import { clientOrderId, type Intent } from '../orders/intent.ts';
import { takenTooEarly } from '../reconcile/fills.ts';
import { takeForced } from './forced.ts';
import { ORDER_LIFETIME_MS, type OrderTicket, orderKind } from './orderTicket.ts';
import { noteOutside } from './outside.ts';
import type { OrderReport, OwnFill } from './report.ts';
import { stopGone } from './stopWatch.ts';
import { type TrackedOrder, trackedOrder } from './trackedOrder.ts';
import type { Turn } from './turn.ts';

/** An answer that has not come by then is asked for. */
const ANSWER_MS = 15_000;
/** A question that is not answered is asked again. */
const ASK_AGAIN_MS = 3_000;
const CANCEL_AGAIN_MS = 1_000;
/** Fills come by the stream a moment after the report that counts them, or else are asked for. */
const FILLS_MS = 500;
const FILLS_AGAIN_MS = 2_000;
/** "No such order" counts when it is said twice, this far apart. @see docs/orders.md#unknown-outcome */
const ABSENT_TWICE_MS = 2_000;
/** What the clocks of exchange and host may differ by beside what is measured. */
const CLOCKS_MS = 1_000;
/** Ended orders that are remembered; a snapshot takes seconds. */
const MAX_ENDED = 200;
/** Fills of a pair are told from so long before its first order: the venue's clock may be far from ours. */
const BEFORE_FIRST_MS = 86_400_000;

/** Turns what the bot wants into orders that are tracked and requests to be sent. */
export function sendEffects(turn: Turn): void {
  const { effects, requests, session, at } = turn;
  const { state } = session;
  if (effects.length > 0) turn.durable = true;
  for (const { type, pair, intent, order } of effects) {
    const name = clientOrderId(state.bot.id, intent, order);
    if (type === 'place') {
      const { price, quantity, trigger } = order;
      const exit = intent.kind === 'exit';
      const ticket: OrderTicket = {
        ...{ clientOrderId: name, pair: pair.pair, side: intent.side, type: order.type, price, quantity },
        ...(trigger === undefined ? {} : { trigger }),
        ...(session.bot.rules.future && !exit ? marginTerms(pair, intent) : {}),
        ...{ exit, decidedAt: at },
      };
      state.orders.push(trackedOrder(ticket, at + ANSWER_MS));
      // Saved with the order: a look at the account after a long absence must begin before it, not when it looks.
      state.cursors[pair.pair] ??= { at: at - BEFORE_FIRST_MS, id: '' };
      requests.push({ type: 'place', ticket });
    } else {
      const tracked = trackedOf(turn, name);
      if (tracked !== undefined) wantCancel(turn, tracked);
    }
  }
  effects.length = 0;
}

/** What an entry on futures needs the exchange to know. */
function marginTerms({ holding, ladder }: PairState, { rung }: Intent): Pick<OrderTicket, 'margin' | 'nets'> {
  const { leverage, isolated, quantity } = holding;
  return {
    // An open position keeps what it was opened with.
    ...(quantity === 0 ? { margin: { leverage, isolated } } : {}),
    ...(rung !== '' && ladder?.kind === 'grid' && ladder.side === 0 ? { nets: true } : {}),
  };
}

/** A cancel of an order that the exchange may not have yet would be answered "unknown": it waits. */
function wantCancel(turn: Turn, order: TrackedOrder): void {
  if (order.end !== null) return;
  if (!order.known) {
    order.cancel = 'wanted';
    return;
  }
  order.cancel = 'sent';
  order.cancelAt = turn.at;
  order.askAt = turn.at + ANSWER_MS;
  const { pair, clientOrderId } = order;
  turn.requests.push({ type: 'cancel', pair, clientOrderId, kind: orderKind(order) });
}

/** A cancel that has not worked is sent once more, in peace. */
function cancelAgain(turn: Turn, order: TrackedOrder): void {
  if (turn.at - order.cancelAt >= CANCEL_AGAIN_MS) wantCancel(turn, order);
  else order.askAt = order.cancelAt + CANCEL_AGAIN_MS;
}

/** The order of that name, while something may still come of it. */
export function trackedOf({ session }: Turn, name: string): TrackedOrder | undefined {
  return session.state.orders.find(({ clientOrderId: own }) => own === name);
}

/** What the exchange says of an order. @param asked it was asked for: then a cancel that was sent has not worked */
export function takeReport(turn: Turn, report: OrderReport, asked: boolean): void {
  const order = trackedOf(turn, report.clientOrderId);
  if (order === undefined) return;
  turn.durable = true;
  const ended = report.status !== 'open';
  if (report.status !== 'rejected' && report.status !== 'post_only_rejected') becomeKnown(turn, order);
  order.reported = Math.max(order.reported, report.filled);
  if (ended && order.end === null) onEnded(turn, order, report);
  else if (order.cancel === 'wanted') wantCancel(turn, order);
  else if (!ended && asked && order.cancel === 'sent') cancelAgain(turn, order);
  settle(turn, order);
}

function onEnded(turn: Turn, order: TrackedOrder, { status, expiry }: OrderReport): void {
  if (status === 'open') return;
  order.end = status;
  if (expiry === undefined) return;
  noteOutside(turn, order.pair, { what: 'order_expired', clientOrderId: order.clientOrderId, why: expiry });
}

/** The exchange has taken an order and says no more: its state must be asked for. */
export function takeSilent(turn: Turn, name: string): void {
  const order = trackedOf(turn, name);
  if (order === undefined || order.known) return;
  turn.durable = true;
  order.askAt = turn.at;
}

/** The exchange has not taken an order, and nothing is left of it. @returns false when more is known of it than that */
export function takeRefusal(turn: Turn, name: string, how: 'rejected' | 'post_only_rejected'): boolean {
  const order = trackedOf(turn, name);
  if (order === undefined || order.known) return false;
  turn.durable = true;
  order.end = how;
  settle(turn, order);
  return true;
}

/** Nobody knows what became of an order or of its cancel. */
export function takeSilence(turn: Turn, name: string): void {
  const order = trackedOf(turn, name);
  if (order !== undefined) order.askAt = turn.at;
}

/**
 * The exchange says that it has no such order. Believed when it is said twice, and late enough that the order cannot be on
 * its way any more.
 *
 * @see docs/orders.md#unknown-outcome
 */
export function takeAbsence(turn: Turn, name: string, askedAt: number): void {
  const order = trackedOf(turn, name);
  if (order === undefined || order.end !== null) return;
  turn.durable = true;
  if (order.absentSince === 0) order.absentSince = askedAt;
  const surelyAt = Math.max(
    order.absentSince + ABSENT_TWICE_MS,
    order.known ? 0 : order.decidedAt + ORDER_LIFETIME_MS + CLOCKS_MS,
  );
  if (askedAt < surelyAt) {
    order.askAt = Math.max(turn.at, surelyAt);
    return;
  }
  order.end = order.known ? 'canceled' : 'rejected';
  noteOutside(turn, order.pair, { what: 'order_absent', clientOrderId: name });
  settle(turn, order);
}

/**
 * Returns whether a fill is not before the cursor of its pair. Earlier ones are booked and no longer remembered; venues that
 * are asked by whole seconds report some of them again.
 */
export function isAfterCursor({ session }: Turn, { pair, at }: OwnFill): boolean {
  const cursor = session.state.cursors[pair];
  return cursor === undefined || at >= cursor.at;
}

/** A fill of the account. Those of the user's own orders, and those told before, change nothing. */
export function takeFill(turn: Turn, told: OwnFill): void {
  const { state } = turn.session;
  const { clientOrderId: name, id } = told;
  const forced = told.forced !== undefined;
  if (!forced && !name.startsWith(`${state.bot.id}-`)) return;
  const key = `fill/${told.pair}/${id}`;
  if (state.applied[key] === true || !isAfterCursor(turn, told)) return;
  const pair = state.bot.pairs.find((candidate) => candidate.pair === told.pair);
  // What cannot be booked yet is told again by the next look at the account.
  if (pair === undefined || pair.market === null) return;
  const fill = forced ? forcedPart(pair.holding, state.heldSince[told.pair] ?? 0, told) : told;
  if (fill === null) return;
  const before = { ...pair.holding };
  turn.durable = true;
  state.applied[key] = true;
  const cash = state.bot.wallet.quote;
  if (!forced) giveBack(turn, pair, fill);
  const order = trackedOf(turn, name);
  const { side, price, quantity, fee, feeAsset, liquidity, thirdFeeValue, pnl } = fill;
  const booked = {
    ...{ at: turn.at, side, price, quantity, fee, feeAsset, liquidity },
    ...(thirdFeeValue === undefined ? {} : { thirdFeeValue }),
    ...(pnl === undefined ? {} : { pnl }),
  };
  if (forced) {
    takeForced(turn, pair, fill, booked);
  } else if (order === undefined) {
    noteOutside(turn, fill.pair, { what: 'late_fill', clientOrderId: name, id });
    takeLateFill(turn.session.bot, pair, id, booked);
  } else {
    becomeKnown(turn, order);
    order.booked = exact(order.booked + quantity);
    order.reported = Math.max(order.reported, order.booked);
    deliver(turn, { type: 'filled', clientOrderId: name, id, ...booked });
  }
  if (state.bot.spendable !== undefined) {
    state.bot.spendable = exact(state.bot.spendable + state.bot.wallet.quote - cash);
  }
  noteHeldSince(state.heldSince, pair.pair, before, pair.holding, fill.at);
  if (pair.holding.quantity === 0) state.flatSince[pair.pair] = fill.at;
  if (order !== undefined) settle(turn, order);
}

/** A sale of what an adjustment took away before: it comes back first, so that nothing is sold twice. */
function giveBack(turn: Turn, pair: PairState, fill: OwnFill): void {
  const { bot } = turn.session;
  const reduces = bot.rules.future ? fill.exit : fill.side === 'sell';
  if (!reduces) return;
  const event = takenTooEarly(accountOf(bot, {}), fill);
  if (event === null) return;
  noteOutside(turn, pair.pair, { what: 'late_fill', clientOrderId: fill.clientOrderId, id: fill.id });
  takeAdjust(bot, pair, { ...event, at: turn.at });
}

function becomeKnown(turn: Turn, order: TrackedOrder): void {
  order.absentSince = 0;
  // Of a cancel that was sent it tells nothing.
  if (order.cancel !== 'sent') order.askAt = 0;
  if (order.known) return;
  order.known = true;
  deliver(turn, { type: 'opened', at: turn.at, clientOrderId: order.clientOrderId });
}

/** An order that has ended counts as ended when all its fills are booked; fills that are missing are asked for. */
function settle(turn: Turn, order: TrackedOrder): void {
  const { orders } = turn.session.state;
  // A report may be lost; the fills tell it as well.
  if (order.booked >= order.quantity) order.end = 'filled';
  if (order.booked < order.reported) {
    if (order.fetchAt === 0) order.fetchAt = turn.at + FILLS_MS;
    return;
  }
  order.fetchAt = 0;
  if (order.end === null || !orders.includes(order)) return;
  orders.splice(orders.indexOf(order), 1);
  rememberEnd(turn, order);
  deliver(turn, { type: 'ended', at: turn.at, clientOrderId: order.clientOrderId, how: order.end });
  if (order.trigger !== undefined && order.cancel === 'none' && order.booked === 0) endedByOthers(turn, order);
}

/** An order that the exchange never told of is not remembered: should it be listed one day, it must be cancelled. */
function rememberEnd({ session, at }: Turn, { clientOrderId, absentSince }: TrackedOrder): void {
  const { ended } = session;
  if (absentSince > 0) return;
  ended.set(clientOrderId, at);
  const [oldest] = ended.keys();
  if (ended.size > MAX_ENDED && oldest !== undefined) ended.delete(oldest);
}

function endedByOthers(turn: Turn, { pair: name, clientOrderId, end }: TrackedOrder): void {
  const pair = turn.session.state.bot.pairs.find((candidate) => candidate.pair === name);
  if (pair !== undefined && (end === 'canceled' || end === 'expired')) stopGone(turn, pair, clientOrderId, end);
}

function deliver(turn: Turn, event: OrderEvent): void {
  takeOrder(turn.session.bot, event, turn.effects);
  sendEffects(turn);
}

/** When an order has to be asked for next; 0 for never. */
export function nextAsk(orders: readonly TrackedOrder[]): number {
  let next = 0;
  for (const { askAt, fetchAt } of orders) {
    for (const at of [askAt, fetchAt]) if (at > 0 && (next === 0 || at < next)) next = at;
  }
  return next;
}

/** Asks for what is due. */
export function askDue(turn: Turn): void {
  const { orders, cursors } = turn.session.state;
  const fetched = new Set<string>();
  for (const order of orders) {
    const { pair, clientOrderId: name } = order;
    if (order.askAt > 0 && turn.at >= order.askAt) {
      order.askAt = turn.at + ASK_AGAIN_MS;
      turn.requests.push({ type: 'ask', pair, clientOrderId: name, kind: orderKind(order) });
    }
    if (order.fetchAt > 0 && turn.at >= order.fetchAt) {
      order.fetchAt = turn.at + FILLS_AGAIN_MS;
      if (!fetched.has(pair)) {
        turn.requests.push({ type: 'trades', pair, since: cursors[pair] ?? { at: order.decidedAt - 60_000, id: '' } });
      }
      fetched.add(pair);
    }
  }
}

/** After a restart nothing is known of what was on its way: every order is asked for. */
export function askForAll(turn: Turn): void {
  for (const order of turn.session.state.orders) order.askAt = turn.at;
}
