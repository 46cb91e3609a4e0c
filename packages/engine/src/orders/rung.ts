import type { Effect, OrderEnd, PairQuote } from '../bot/event.ts';
import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import { usableQuote } from '../bot/usableQuote.ts';
import { isDust } from '../exits/dust.ts';
import { knownPrice } from '../exits/knownPrice.ts';
import { closeFlat } from '../exits/settle.ts';
import { gridEnded, gridPlaced } from '../ladder/grid/orders.ts';
import { showLadderPhase } from '../ladder/phase.ts';
import type { Rung } from '../ladder/rung.ts';
import type { Market } from '../market/market.ts';
import { exact, mulDivUp, type Price, powerOfTen, SCALE } from '../money/units.ts';
import { cancelOrder } from './cancelOrder.ts';
import { type Intent, type IntentEnd, type LiveOrder, newIntent } from './intent.ts';

/** Post-only rejects in a row before an order waits. @see docs/orders.md#maker-orders */
const MAX_REJECTS = 5;
const REQUOTE_MS = 250;
const RETRY_MS = 1_000;
const REFUSED_MS = 60_000;

/**
 * Begins an order of a ladder: post-only, until cancelled, at its price for as long as it rests.
 *
 * @see docs/strategies.md#grid, docs/strategies.md#dca
 */
export function beginRung(bot: Bot, pair: PairState, rung: Rung, at: number, effects: Effect[]): void {
  const direction = (rung.side === 'buy') === (rung.kind === 'entry') ? 1 : -1;
  const intent = newIntent(bot.state.nextIntent++, rung.kind, direction, 'ladder', at, rung.quantity, 'maker');
  intent.rung = rung.key;
  intent.firstPrice = rung.price;
  intent.unguarded = true;
  if (rung.kind === 'entry') {
    const value = mulDivUp(rung.price, rung.quantity, powerOfTen((pair.market as Market).assetDecimals));
    intent.budget = exact(value + mulDivUp(value, bot.rules.makerFee, SCALE));
  }
  pair.rungs.push(intent);
  if (pair.ladder?.kind === 'grid') gridPlaced(pair.ladder, rung.key, rung.kind);
  bot.witness.intent(at, pair, intent);
  placeRung(bot, pair, intent, at, effects);
}

/** Places the order of a rung whose time to try again has come. */
export function driveRung(bot: Bot, pair: PairState, intent: Intent, at: number, effects: Effect[]): void {
  if (intent.dueAt === 0 || at < intent.dueAt || intent.order !== null) return;
  intent.dueAt = 0;
  placeRung(bot, pair, intent, at, effects);
}

/** Cancels the order of a rung; at once over when none rests. */
export function cancelRung(
  bot: Bot,
  pair: PairState,
  intent: Intent,
  how: IntentEnd,
  at: number,
  effects: Effect[],
): void {
  if (intent.order === null) finishRung(bot, pair, intent, how, at);
  else cancelOrder(bot, pair, intent, how, at, effects);
}

/** The order of a rung has ended. It is placed again unless it was filled, or was not wanted any more. */
export function endRung(bot: Bot, pair: PairState, intent: Intent, how: OrderEnd, at: number): void {
  const after = intent.afterCancel;
  intent.afterCancel = null;
  intent.dueAt = 0;
  if (intent.filled >= intent.target) {
    finishRung(bot, pair, intent, 'filled', at);
  } else if (after !== null && after !== 'reprice' && after !== 'taker') {
    finishRung(bot, pair, intent, after, at);
  } else if (how === 'post_only_rejected') {
    intent.rejects += 1;
    intent.dueAt = at + (intent.rejects >= MAX_REJECTS ? bot.rules.adjustMs : REQUOTE_MS);
    if (intent.rejects >= MAX_REJECTS) intent.rejects = 0;
  } else if (how === 'rejected') {
    bot.witness.alarm(at, pair, 'order_rejected');
    intent.dueAt = at + REFUSED_MS;
  } else {
    intent.dueAt = at + RETRY_MS;
  }
}

function placeRung(bot: Bot, pair: PairState, intent: Intent, at: number, effects: Effect[]): void {
  const quote = usableQuote(bot, pair, at);
  // What a stop holds on spot cannot be offered as well.
  if (intent.kind === 'exit' && pair.stop !== null && !bot.rules.future) {
    intent.dueAt = at + REQUOTE_MS;
    return;
  }
  const price = quote === null ? 0 : restingPrice(pair, intent, quote);
  // What has just been filled knows more than a quote from before, by which its own price would cross: wait for a newer.
  if (quote !== null && price !== intent.firstPrice && quote.at !== at && intent.attempts === 0) {
    intent.attempts = 1;
    intent.dueAt = at + REQUOTE_MS;
    return;
  }
  if (price === 0) {
    intent.dueAt = at + (quote === null ? RETRY_MS : bot.rules.adjustMs);
    return;
  }
  intent.orders += 1;
  const order: LiveOrder = {
    n: intent.orders,
    type: 'limit_maker',
    price,
    quantity: exact(intent.target - intent.filled),
    filled: 0,
    status: 'placing',
    placedAt: at,
    fillIds: [],
  };
  intent.order = order;
  bot.witness.order(at, pair, intent, order, 'placing');
  effects.push({ type: 'place', pair, intent, order });
}

/**
 * Price at which an order of a ladder rests: its own, or when the market has passed that the nearest better one. A safety
 * order has no other price than its own, and a short begun at a better one would be worth more than its share of the
 * budget: both wait.
 *
 * @returns 0 when it must wait
 */
function restingPrice(pair: PairState, intent: Intent, quote: PairQuote): Price {
  const { tick } = pair.market as Market;
  const { firstPrice, side, kind } = intent;
  const hasBook = quote.bid > 0 && quote.ask > 0;
  const best = side === 'buy' ? (hasBook ? quote.ask - tick : quote.last) : hasBook ? quote.bid + tick : quote.last;
  if (side === 'buy' ? firstPrice <= best : firstPrice >= best) return firstPrice;
  return kind === 'entry' && (pair.ladder?.kind === 'dca' || side === 'sell') ? 0 : best;
}

function finishRung(bot: Bot, pair: PairState, intent: Intent, how: IntentEnd, at: number): void {
  pair.rungs.splice(pair.rungs.indexOf(intent), 1);
  bot.witness.intentEnd(at, pair, intent, how);
  const { ladder } = pair;
  if (ladder !== null) {
    if (ladder.kind === 'grid') gridEnded(ladder, pair.market as Market, intent.rung);
    pair.ladderDue = ladder.kind === 'dca' || pair.ladderDue !== '' ? '*' : intent.rung;
  }
  // A sale waits until every order has ended.
  if (pair.rungs.length === 0 && pair.exit !== null && pair.exit.order === null && pair.exit.dueAt === 0) {
    pair.exit.dueAt = at;
  }
  closeEmptied(bot, pair, intent, at);
  showLadderPhase(bot, pair, at);
}

/** The position is over when nothing but dust is left, although the ladder has orders. @see docs/accounting.md#dust */
function closeEmptied(bot: Bot, pair: PairState, intent: Intent, at: number): void {
  const { position, holding } = pair;
  if (position === null || pair.entry !== null || pair.exit !== null || intent.filled === 0) return;
  // An entry only ends a position where it has reduced one (a neutral grid).
  if (intent.kind === 'entry' && holding.quantity > 0) return;
  if (isDust(bot, pair.market as Market, knownPrice(pair, position.direction), holding.quantity)) {
    closeFlat(bot, pair, at);
  }
}
