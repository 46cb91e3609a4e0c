import { isHeldUp } from '../bot/heldUp.ts';
import type { PairState } from '../bot/state.ts';
import { isBeyond, type StopGap, type WantedStop, wantedStop } from '../exits/protectiveStop.ts';
import { formatUnits, type Quantity } from '../money/units.ts';
import type { LiveOrder } from '../orders/intent.ts';
import { beginStop, cancelStop, type StopOrder } from '../orders/stop.ts';
import { noteOutside } from './outside.ts';
import { type StopWatch, watchOf } from './stopWatch.ts';
import type { Turn } from './turn.ts';

/** A stop follows an entry that fills piece by piece this often; each time nothing protects the position for a moment. */
const GROW_MS = 1_000;
/** The level of the liquidation guard moves with the account: the stop follows when it is this part of the price away. */
const GUARD_MOVES = 1 / 500;
/** What goes by in a moment is not told. */
const LASTING: ReadonlySet<StopGap> = new Set([
  'venue',
  'no_row',
  'below_minimum',
  'ladder_sells',
  'suspended',
  'exchange_paused',
  'not_running',
]);

/**
 * Brings the stops at the exchange to what each position needs: placed, moved by cancelling and placing anew, taken back.
 * Called after everything else that an event has led to.
 */
export function tendStops(turn: Turn): void {
  const { state } = turn.session;
  for (const pair of state.bot.pairs) {
    if (pair.position !== null || pair.stop !== null) tend(turn, pair);
    else if (state.stops[pair.pair] !== undefined) delete state.stops[pair.pair];
  }
}

function tend(turn: Turn, pair: PairState): void {
  const { at, effects, session } = turn;
  const { bot } = session;
  const { position, stop } = pair;
  const watch = watchOf(turn, pair);
  // Nothing is moved now: it would wake the bot for nothing.
  if (isHeldUp(bot, pair)) watch.growAt = 0;
  const wanted = position === null ? null : wantedStop(bot, pair, position, at);
  if (wanted?.ok) tellPart(turn, pair, wanted, watch);
  if (stop !== null) {
    const { order } = stop;
    if (order === null || order.status === 'cancelling') return;
    if (order.status === 'open') watch.tries = 0;
    watch.gap = null;
    // A stop that is cancelled now could not be placed again.
    if (isHeldUp(bot, pair)) return;
    // Once it sells it is left to it; an exit of the bot takes it back if it must.
    if (order.filled > 0 || !isToMove(turn, pair, order, wanted, watch)) return;
    cancelStop(bot, pair, 'cancelled', at, effects);
    return;
  }
  if (position === null || wanted === null) return;
  const gap = gapOf(turn, pair, wanted, watch);
  if (gap !== null || !wanted.ok) {
    if (gap !== null && gap !== watch.gap && LASTING.has(gap))
      noteOutside(turn, pair.pair, { what: 'no_stop', why: gap });
    watch.gap = gap;
    return;
  }
  watch.gap = null;
  watch.tryAt = 0;
  beginStop(bot, pair, position.direction, wanted, at, effects);
}

/** A position above the greatest order of the exchange is protected in part: it is told once, and shown all the time. */
function tellPart(turn: Turn, { pair, market }: PairState, { quantity, lacking }: StopOrder, watch: StopWatch): void {
  if (lacking > 0 && !(watch.lacking > 0)) {
    const figure = (amount: Quantity) => formatUnits(amount, market?.assetDecimals);
    noteOutside(turn, pair, { what: 'stop_in_part', quantity: figure(quantity), of: figure(quantity + lacking) });
  }
  watch.lacking = lacking;
}

/** Why no stop is sent now. */
function gapOf(turn: Turn, pair: PairState, wanted: WantedStop, watch: StopWatch): StopGap | null {
  if (pair.suspended !== undefined) return 'suspended';
  if (turn.session.state.bot.pause !== undefined) return 'exchange_paused';
  if (!wanted.ok) return wanted.gap;
  if ((watch.gap === 'refused' || watch.gap === 'cancelled') && turn.at < watch.tryAt) return watch.gap;
  if (pair.position !== null && isBeyond(pair, pair.position, wanted.trigger)) return 'price_beyond';
  return entryBringsMore(turn, pair, watch) ? 'entry_at_work' : null;
}

function isToMove(turn: Turn, pair: PairState, order: LiveOrder, wanted: WantedStop | null, watch: StopWatch): boolean {
  // An exit that has not been sent takes back what it needs when it is.
  if (pair.exit !== null && pair.exit.order === null && isLess(wanted, order)) return false;
  if (wanted === null || pair.position === null || !wanted.ok) return true;
  if (isServing(order, wanted)) {
    watch.growAt = 0;
    return false;
  }
  // The one that rests is better than none.
  return !isBeyond(pair, pair.position, wanted.trigger) && !entryBringsMore(turn, pair, watch);
}

function isLess(wanted: WantedStop | null, { quantity }: LiveOrder): boolean {
  return wanted !== null && (wanted.ok ? wanted.quantity < quantity : wanted.gap === 'exit_at_work');
}

function isServing({ type, trigger, price, quantity }: LiveOrder, wanted: StopOrder): boolean {
  if (type !== wanted.type || quantity !== wanted.quantity || trigger?.by !== wanted.trigger.by) return false;
  const away = Math.abs(trigger.price - wanted.trigger.price);
  return trigger.by === 'mark' ? away <= wanted.trigger.price * GUARD_MOVES : away === 0 && price === wanted.price;
}

/** An entry has an order that may fill on: the stop waits for a moment, so that it is not moved for every piece. */
function entryBringsMore({ at }: Turn, { entry }: PairState, watch: StopWatch): boolean {
  if (entry === null || entry.order === null) {
    watch.growAt = 0;
    return false;
  }
  if (watch.growAt === 0) watch.growAt = at + GROW_MS;
  if (at < watch.growAt) return true;
  watch.growAt = 0;
  return false;
}
