import { isActive } from '../exitRules/exitRule.ts';
import { guardLevel } from '../exits/guard.ts';
import type { Price } from '../money/units.ts';
import { planTrail } from '../plan/trailPlan.ts';
import { liquidationPriceOf } from '../sizing/pairLiquidationPrice.ts';
import type { PairRun } from './pairRun.ts';

/**
 * Returns the nearest level against the position beyond `from` (or at it, when `inclusive`) at which an exit or a liquidation
 * acts: exit tables, liquidation guard, liquidation. 0 when there is none.
 */
export function nextAdverse(pairRun: PairRun, from: Price, inclusive: boolean): Price {
  const { pair, bot } = pairRun;
  const { position, holding } = pair;
  if (position === null) return 0;
  const { direction, fired } = position;
  let nearest = 0;
  if (bot.rules.future) {
    nearest = nearestBeyond(-direction, nearest, guardLevel(bot, pair), from, inclusive);
    nearest = nearestBeyond(-direction, nearest, liquidationPriceOf(bot, pair), from, inclusive);
  }
  for (const { rule, levels } of bot.rules.exitTables) {
    if (rule.inFavour) continue;
    const triggered = fired[rule.table];
    for (const level of levels) {
      if ((triggered & level.bit) !== 0 || !isActive(holding, position, level)) continue;
      nearest = nearestBeyond(-direction, nearest, rule.priceOf(holding, position, level), from, inclusive);
    }
  }
  const trail = bot.planRules === null ? null : planTrail(bot, pair);
  if (trail?.armed) nearest = nearestBeyond(-direction, nearest, trail.triggerPrice, from, inclusive);
  return nearest;
}

/** Returns the nearest level in favour beyond `from` (or at it, when `inclusive`) at which an exit acts or activates. */
export function nextFavourable(pairRun: PairRun, from: Price, inclusive: boolean): Price {
  const { bot, pair } = pairRun;
  const trail = bot.planRules === null ? null : planTrail(bot, pair);
  const win = nextWin(pairRun, from, inclusive);
  if (trail === null || trail.armed || pair.position === null) return win;
  return nearestBeyond(pair.position.direction, win, trail.activationPrice, from, inclusive);
}

/** Returns the nearest level in favour beyond `from` (or at it, when `inclusive`) at which a take-profit triggers. */
export function nextWin(pairRun: PairRun, from: Price, inclusive: boolean): Price {
  const { position, holding } = pairRun.pair;
  if (position === null) return 0;
  const { direction, fired } = position;
  let nearest = 0;
  for (const { rule, levels } of pairRun.bot.rules.exitTables) {
    if (!rule.inFavour) continue;
    const triggered = fired[rule.table];
    for (const level of levels) {
      if ((triggered & level.bit) !== 0) continue;
      nearest = nearestBeyond(direction, nearest, rule.priceOf(holding, position, level), from, inclusive);
    }
  }
  return nearest;
}

/**
 * Returns the nearer of two levels upwards (`direction` 1) or downwards (−1), where `level` counts only beyond `from`, or at it
 * when `inclusive`; 0 is none.
 */
function nearestBeyond(direction: number, nearest: Price, level: Price, from: Price, inclusive: boolean): Price {
  const isBeyond = direction > 0 ? level > from : level < from;
  return isBeyond || (inclusive && level === from) ? firstReached(direction, nearest, level) : nearest;
}

/** Returns the level that a price reaches first on its way upwards (`direction` 1) or downwards (−1); 0 is none. */
export function firstReached(direction: number, a: Price, b: Price): Price {
  if (b <= 0) return a;
  return a === 0 || (direction > 0 ? b < a : b > a) ? b : a;
}
