import type { Direction } from '../market/direction.ts';
import { type Price, toUnits } from '../money/units.ts';
import type { PairState } from '../state/botState.ts';
import { hasOrder, type OpenParentOrder } from '../state/parentOrder.ts';
import { evaluateAt, fill } from './candleFills.ts';
import { nextAdverse, nextFavourable } from './nextLevels.ts';
import type { PairRun } from './pairRun.ts';

/**
 * Runs a plan along candle `i`: from the open to the adverse extreme, to the favourable one, to the close. On each leg open orders
 * fill at their prices when the price goes strictly through them, and levels act, in order of price. Orders that follow from a
 * fill stay open for the remaining candle.
 *
 * @see docs/grids-and-dca.md#in-a-backtest, docs/strategies.md#grid, docs/strategies.md#dca
 */
export function runPlanOrders(pairRun: PairRun, i: number, open: Price): void {
  const { pair, walk } = pairRun;
  const low = toUnits(walk.low[i] as number);
  const high = toUnits(walk.high[i] as number);
  const close = toUnits(walk.close[i] as number);
  const long = directionOf(pair) === 1;
  const begin = pairRun.enteredAt > 0 ? pairRun.enteredAt : open;
  if (pairRun.enteredAt === 0) evaluateAt(pairRun, begin);
  moveTo(pairRun, begin, long ? low : high, long ? -1 : 1);
  moveTo(pairRun, long ? low : high, long ? high : low, long ? 1 : -1);
  evaluateAt(pairRun, long ? high : low);
  moveTo(pairRun, long ? high : low, close, long ? -1 : 1);
  evaluateAt(pairRun, close);
}

/** Returns the direction whose adverse extreme comes first: that of the position or of the plan. */
function directionOf({ position, orderPlan }: PairState): Direction {
  return position?.direction ?? (orderPlan?.side === -1 ? -1 : 1);
}

/** Runs one leg of the price, up (`direction` 1) or down (−1). */
function moveTo(pairRun: PairRun, from: Price, to: Price, direction: 1 | -1): void {
  const { pair } = pairRun;
  for (let passed = from, first = true; ; first = false) {
    const level = levelOn(pairRun, passed, to, direction, first);
    const planOrder = nextPlanOrder(pair, to, direction);
    if (planOrder !== null) {
      const { price } = planOrder.order;
      // An order that the price has passed already fills at once.
      const met = direction < 0 ? Math.min(price, passed) : Math.max(price, passed);
      if (level === 0 || (direction < 0 ? met >= level : met <= level)) {
        pairRun.quote.last = met;
        pair.mark = met;
        passed = met;
        fill(pairRun, planOrder, planOrder.order, price, 'maker');
        continue;
      }
    }
    if (level === 0) return;
    evaluateAt(pairRun, level);
    passed = level;
  }
}

/** Returns the next level of an exit table, the guard or a take-profit on the leg; 0 when there is none. */
function levelOn(pairRun: PairRun, from: Price, to: Price, direction: 1 | -1, inclusive: boolean): Price {
  const { position } = pairRun.pair;
  if (position === null) return 0;
  const level =
    position.direction === direction ? nextFavourable(pairRun, from, inclusive) : nextAdverse(pairRun, from, inclusive);
  return level !== 0 && (direction < 0 ? level >= to : level <= to) ? level : 0;
}

/** Returns the next open order that a leg to `to` goes strictly through. */
function nextPlanOrder({ planOrders }: PairState, to: Price, direction: 1 | -1): OpenParentOrder | null {
  const side = direction < 0 ? 'buy' : 'sell';
  let next: OpenParentOrder | null = null;
  for (const parent of planOrders) {
    if (!hasOrder(parent) || parent.side !== side) continue;
    const { price } = parent.order;
    if (direction < 0 ? price <= to : price >= to) continue;
    if (next === null || (direction < 0 ? price > next.order.price : price < next.order.price)) next = parent;
  }
  return next;
}
