import type { Effect } from '../bot/event.ts';
import type { PairState } from '../bot/state.ts';
import { type Price, SCALE, toUnits } from '../money/units.ts';
import type { Direction, Intent, LiveOrder } from '../orders/intent.ts';
import { fill, touch } from './candleFills.ts';
import type { Calm, Lane } from './lane.ts';
import { nextAdverse, nextFavourable } from './nextLevels.ts';

/**
 * A ladder along candle `i`: from the open to the adverse extreme, to the favourable one, to the close. On each way its
 * resting orders fill at their prices when the way goes strictly through them, and levels act, in the order in which they
 * are met; what a fill brings about rests for the rest of the candle.
 *
 * @see docs/ladders.md#in-a-backtest, docs/strategies.md#grid, docs/strategies.md#dca
 */
export function walkLadder(lane: Lane, i: number, open: Price, effects: Effect[]): void {
  const { pair, walk } = lane;
  const low = toUnits(walk.low[i] as number);
  const high = toUnits(walk.high[i] as number);
  const close = toUnits(walk.close[i] as number);
  const long = directionOf(pair) === 1;
  const begin = lane.enteredAt > 0 ? lane.enteredAt : open;
  if (lane.enteredAt === 0) touch(lane, begin, effects);
  go(lane, begin, long ? low : high, long ? -1 : 1, effects);
  go(lane, long ? low : high, long ? high : low, long ? 1 : -1, effects);
  touch(lane, long ? high : low, effects);
  go(lane, long ? high : low, close, long ? -1 : 1, effects);
  touch(lane, close, effects);
}

/** Direction whose adverse extreme comes first: that of the position, or of what the ladder would enter. */
function directionOf({ position, ladder }: PairState): Direction {
  return position?.direction ?? (ladder?.side === -1 ? -1 : 1);
}

/** One way of the price, up (`way` 1) or down (−1). */
function go(lane: Lane, from: Price, to: Price, way: 1 | -1, effects: Effect[]): void {
  const { pair } = lane;
  for (let passed = from, first = true; ; first = false) {
    const level = levelOn(lane, passed, to, way, first);
    const rung = rungOn(pair, to, way);
    if (rung !== null) {
      const { price } = rung.order;
      // An order that the price had passed already is met at once.
      const met = way < 0 ? Math.min(price, passed) : Math.max(price, passed);
      if (level === 0 || (way < 0 ? met >= level : met <= level)) {
        lane.quote.last = met;
        pair.mark = met;
        passed = met;
        fill(lane, rung, rung.order, price, 'maker', effects);
        continue;
      }
    }
    if (level === 0) return;
    touch(lane, level, effects);
    passed = level;
  }
}

/** The next level at which a table, the guard or a take-profit acts; 0 when none lies on the way. */
function levelOn(lane: Lane, from: Price, to: Price, way: 1 | -1, inclusive: boolean): Price {
  const { position } = lane.pair;
  if (position === null) return 0;
  const level = position.direction === way ? nextFavourable(lane, from, inclusive) : nextAdverse(lane, from, inclusive);
  return level !== 0 && (way < 0 ? level >= to : level <= to) ? level : 0;
}

/** The next resting order that a way to `to` goes strictly through. */
function rungOn({ rungs }: PairState, to: Price, way: 1 | -1): (Intent & { order: LiveOrder }) | null {
  const side = way < 0 ? 'buy' : 'sell';
  let next: (Intent & { order: LiveOrder }) | null = null;
  for (const intent of rungs) {
    if (!rests(intent) || intent.side !== side) continue;
    const { price } = intent.order;
    if (way < 0 ? price <= to : price >= to) continue;
    if (next === null || (way < 0 ? price > next.order.price : price < next.order.price)) next = intent;
  }
  return next;
}

function rests(intent: Intent): intent is Intent & { order: LiveOrder } {
  return intent.order !== null;
}

/**
 * Prices between which no order of a ladder fills and no cell changes, within `levels`, between which no table acts.
 *
 * @param calm room for the answer
 * @returns null when every candle matters: a ladder is yet to begin, or an order waits
 */
export function ladderCalm({ pair, bot, market }: Lane, levels: Calm, calm: Calm): Calm | null {
  const { ladder, rungs } = pair;
  if (ladder === null && pair.position === null && bot.ladder?.kind === 'grid' && pair.paused === null) return null;
  let above = levels.above * SCALE;
  let below = levels.below * SCALE;
  for (const intent of rungs) {
    if (!rests(intent)) return null;
    const { price } = intent.order;
    if (intent.side === 'buy') above = Math.max(above, price - 1);
    else below = Math.min(below, price + 1);
  }
  if (ladder?.kind === 'grid') {
    // Which of them rest depends on every close.
    if (market.maxOrders !== undefined && ladder.cells.length > market.maxOrders) return null;
    if (ladder.wakesAbove > 0) below = Math.min(below, ladder.wakesAbove + 1);
    if (ladder.wakesBelow > 0) above = Math.max(above, ladder.wakesBelow - 1);
    if (bot.ladder?.kind === 'grid' && bot.ladder.grid.recentre && pair.position === null) {
      below = Math.min(below, (ladder.levels.at(-1) as Price) + 1);
      above = Math.max(above, (ladder.levels[0] as Price) - 1);
    }
  }
  calm.above = above / SCALE;
  calm.below = below / SCALE;
  return calm;
}
