import { isBeyond, type WantedStop, wantedStop } from '../exits/protectiveStop.ts';
import { formatUnits, type Quantity } from '../money/units.ts';
import { beginStop, cancelStop, type StopOrder, setStopLevels } from '../orders/stop.ts';
import type { PairState } from '../state/botState.ts';
import type { LiveOrder, ParentOrder } from '../state/parentOrder.ts';
import { PLAN_SELLS, type ProtectiveStopState, type StopGap } from '../state/protectiveStopState.ts';
import { isTradingBlocked } from '../state/tradingBlocked.ts';
import { turnOf } from '../state/turn.ts';
import type { EventContext } from './eventContext.ts';
import { recordExternalChange } from './externalChange.ts';
import { stopStateOf } from './protectiveStops.ts';

/** Interval at which a stop follows a partially filling entry; each move leaves the position unprotected for a moment. */
const GROW_MS = 1_000;
/** Share of the price by which the guard level, which moves with the account, may differ before the stop follows. */
const GUARD_MOVES = 1 / 500;
/** Gaps that are too short to be recorded. */
const LASTING: ReadonlySet<StopGap> = new Set([
  'venue',
  'no_row',
  'below_minimum',
  PLAN_SELLS,
  'suspended',
  'exchange_paused',
  'not_running',
]);

/**
 * Syncs the protective stop of each position: places it, moves it by cancelling and placing it again, or cancels it. It runs
 * after everything else that an event causes.
 */
export function syncProtectiveStops(context: EventContext): void {
  const { state } = context.session;
  for (const pair of state.bot.pairs) {
    if (pair.position !== null || pair.stop !== null) syncProtectiveStop(context, pair);
    else if (state.stops[pair.pair] !== undefined) delete state.stops[pair.pair];
  }
}

function syncProtectiveStop(context: EventContext, pair: PairState): void {
  const { bot } = context.session;
  const { position, stop } = pair;
  const stopState = stopStateOf(context, pair);
  // No stop can move now, so no timer is needed.
  if (isTradingBlocked(bot, pair)) stopState.growAt = 0;
  const wanted = position === null ? null : wantedStop(bot, pair, position, context.at);
  if (wanted?.ok) reportPartialStop(context, pair, wanted, stopState);
  if (stop !== null) syncOpenStop(context, pair, stop, wanted, stopState);
  else if (wanted !== null) placeStop(context, pair, wanted, stopState);
}

/** Cancels the open order of a stop that must move. The next one is placed once the exchange confirms. */
function syncOpenStop(
  context: EventContext,
  pair: PairState,
  stop: ParentOrder,
  wanted: WantedStop | null,
  stopState: ProtectiveStopState,
): void {
  const { at, effects, session } = context;
  const { order } = stop;
  if (order === null || order.status === 'cancelling') return;
  if (order.status === 'open') stopState.tries = 0;
  stopState.gap = null;
  // A stop that is cancelled now could not be placed again until the block ends.
  if (isTradingBlocked(session.bot, pair)) return;
  // A stop that fills is left alone; an exit of the bot cancels it if necessary.
  if (order.filled > 0) return;
  if (wanted?.ok === true && matches(order, wanted)) {
    // After a change of stop_sell or of price exits other levels can result in the same price and quantity.
    setStopLevels(stop, wanted);
    stopState.growAt = 0;
    return;
  }
  if (!mustMove(context, pair, order, wanted, stopState)) return;
  cancelStop(turnOf({ bot: session.bot, at, effects }, pair), 'cancelled');
}

/** Places the stop of a position that has none, or records why it stays without one. */
function placeStop(context: EventContext, pair: PairState, wanted: WantedStop, stopState: ProtectiveStopState): void {
  const { at, effects, session } = context;
  const gap = gapOf(context, pair, wanted, stopState);
  if (gap !== null && gap !== stopState.gap && LASTING.has(gap))
    recordExternalChange(context, pair.pair, { what: 'no_stop', why: gap });
  stopState.gap = gap;
  if (gap !== null || !wanted.ok || pair.position === null) return;
  stopState.tryAt = 0;
  beginStop(turnOf({ bot: session.bot, at, effects }, pair), pair.position.direction, wanted);
}

/** Records once that a position above the maximum order size is protected only in part; views always show it. */
function reportPartialStop(
  context: EventContext,
  { pair, market }: PairState,
  { quantity, lacking }: StopOrder,
  stopState: ProtectiveStopState,
): void {
  if (lacking > 0 && !(stopState.lacking > 0)) {
    const figure = (amount: Quantity) => formatUnits(amount, market?.assetDecimals);
    recordExternalChange(context, pair, {
      what: 'stop_in_part',
      quantity: figure(quantity),
      of: figure(quantity + lacking),
    });
  }
  stopState.lacking = lacking;
}

/** Returns why no stop is sent now; null when one can be sent. */
function gapOf(
  context: EventContext,
  pair: PairState,
  wanted: WantedStop,
  stopState: ProtectiveStopState,
): StopGap | null {
  if (pair.suspended !== undefined) return 'suspended';
  if (context.session.state.bot.pause !== undefined) return 'exchange_paused';
  if (!wanted.ok) return wanted.gap;
  if ((stopState.gap === 'refused' || stopState.gap === 'cancelled') && context.at < stopState.tryAt)
    return stopState.gap;
  if (pair.position !== null && isBeyond(pair, pair.position, wanted.trigger)) return 'price_beyond';
  return entryMayGrow(context, pair, stopState) ? 'entry_at_work' : null;
}

/** Returns whether a stop that differs from `wanted` is cancelled now. */
function mustMove(
  context: EventContext,
  pair: PairState,
  order: LiveOrder,
  wanted: WantedStop | null,
  stopState: ProtectiveStopState,
): boolean {
  // An exit that is not sent yet cancels the stop when it is sent.
  if (pair.exit !== null && pair.exit.order === null && wantsLess(wanted, order)) return false;
  if (wanted === null || pair.position === null || !wanted.ok) return true;
  // The present stop is better than none.
  return !isBeyond(pair, pair.position, wanted.trigger) && !entryMayGrow(context, pair, stopState);
}

function wantsLess(wanted: WantedStop | null, { quantity }: LiveOrder): boolean {
  return wanted !== null && (wanted.ok ? wanted.quantity < quantity : wanted.gap === 'exit_at_work');
}

function matches({ type, trigger, price, quantity }: LiveOrder, wanted: StopOrder): boolean {
  if (type !== wanted.type || quantity !== wanted.quantity || trigger?.by !== wanted.trigger.by) return false;
  const away = Math.abs(trigger.price - wanted.trigger.price);
  return trigger.by === 'mark' ? away <= wanted.trigger.price * GUARD_MOVES : away === 0 && price === wanted.price;
}

/** Returns whether the stop waits, because a working entry may fill further and would move it with every fill. */
function entryMayGrow({ at }: EventContext, { entry }: PairState, stopState: ProtectiveStopState): boolean {
  if (entry === null || entry.order === null) {
    stopState.growAt = 0;
    return false;
  }
  if (stopState.growAt === 0) stopState.growAt = at + GROW_MS;
  if (at < stopState.growAt) return true;
  stopState.growAt = 0;
  return false;
}
