import { guardLevel } from '../exits/guard.ts';
import { isArmed, stopLevel, takeProfitPrice, trailingActivationPrice, trailingStopPrice } from '../exits/levels.ts';
import type { Price } from '../money/units.ts';
import { planTrail } from '../plan/trailPlan.ts';
import { liquidationPriceOf } from '../sizing/pairLiquidationPrice.ts';
import type { PairRun } from './pairRun.ts';

/**
 * Returns the nearest level against the position beyond `from` (or at it, when `inclusive`) at which an exit or a liquidation
 * acts: stop-loss, activated trailing take-profit, liquidation guard, liquidation. 0 when there is none.
 */
export function nextAdverse(pairRun: PairRun, from: Price, inclusive: boolean): Price {
  const { pair, bot } = pairRun;
  const { position, holding } = pair;
  if (position === null) return 0;
  const { direction, fired, peak } = position;
  const { entryPrice, leverage } = holding;
  let nearest = 0;
  if (bot.rules.future) {
    nearest = nearer(-direction, nearest, guardLevel(bot, pair), from, inclusive);
    // After funding consumed the margin, the liquidation price lies on the near side of the entry, and the guard behind it.
    nearest = nearer(-direction, nearest, liquidationPriceOf(bot, pair), from, inclusive);
  }
  for (const row of bot.rules.stopSell) {
    if ((fired.stopSell & row.bit) !== 0) continue;
    nearest = nearer(-direction, nearest, stopLevel(entryPrice, direction, row), from, inclusive);
  }
  const { callback, callbackStart } = bot.rules;
  if (
    callback.length > 0 &&
    isArmed(direction, peak, trailingActivationPrice(entryPrice, direction, leverage, callbackStart))
  ) {
    for (const row of callback) {
      if ((fired.callback & row.bit) !== 0) continue;
      nearest = nearer(-direction, nearest, trailingStopPrice(entryPrice, direction, peak, row), from, inclusive);
    }
  }
  const trail = bot.ladder === null ? null : planTrail(bot, pair);
  if (trail?.armed) nearest = nearer(-direction, nearest, trail.line, from, inclusive);
  return nearest;
}

/** Returns the nearest level in favour beyond `from` (or at it, when `inclusive`) at which an exit acts or activates. */
export function nextFavourable(pairRun: PairRun, from: Price, inclusive: boolean): Price {
  const { bot, pair } = pairRun;
  const trail = bot.ladder === null ? null : planTrail(bot, pair);
  const win = nextWin(pairRun, from, inclusive);
  if (trail === null || trail.armed || pair.position === null) return win;
  return nearer(pair.position.direction, win, trail.arm, from, inclusive);
}

/** Returns the nearest level in favour beyond `from` (or at it, when `inclusive`) at which a take-profit triggers. */
export function nextWin(pairRun: PairRun, from: Price, inclusive: boolean): Price {
  const { position, holding } = pairRun.pair;
  if (position === null) return 0;
  const { direction, fired } = position;
  let nearest = 0;
  for (const row of pairRun.bot.rules.profitWin) {
    if ((fired.profitWin & row.bit) !== 0) continue;
    const level = takeProfitPrice(holding.entryPrice, direction, holding.leverage, row);
    nearest = nearer(direction, nearest, level, from, inclusive);
  }
  return nearest;
}

/** Returns the nearer of two levels from `from` upwards (`direction` 1) or downwards (−1); 0 is none. */
export function nearer(way: number, nearest: Price, level: Price, from: Price, inclusive: boolean): Price {
  const ahead = way > 0 ? level > from : level < from;
  if (level <= 0 || !(ahead || (inclusive && level === from))) return nearest;
  return nearest === 0 || (way > 0 ? level < nearest : level > nearest) ? level : nearest;
}
