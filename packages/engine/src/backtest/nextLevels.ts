import { isActive } from '../exitRules/exitRule.ts';
import { guardLevel } from '../exits/guard.ts';
import type { Direction } from '../market/direction.ts';
import type { Price } from '../money/units.ts';
import { planTrail } from '../plan/trailPlan.ts';
import { liquidationPriceOf } from '../sizing/pairLiquidationPrice.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
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
    nearest = nearer(-direction, nearest, guardLevel(bot, pair), from, inclusive);
    nearest = nearer(-direction, nearest, liquidationPriceOf(bot, pair), from, inclusive);
  }
  for (const { rule, levels } of bot.rules.exitTables) {
    if (rule.inFavour) continue;
    const triggered = fired[rule.table];
    for (const level of levels) {
      if ((triggered & level.bit) !== 0 || !isActive(holding, position, level)) continue;
      nearest = nearer(-direction, nearest, rule.priceOf(holding, position, level), from, inclusive);
    }
  }
  const trail = bot.planRules === null ? null : planTrail(bot, pair);
  if (trail?.armed) nearest = nearer(-direction, nearest, trail.triggerPrice, from, inclusive);
  return nearest;
}

/** Returns the nearest level in favour beyond `from` (or at it, when `inclusive`) at which an exit acts or activates. */
export function nextFavourable(pairRun: PairRun, from: Price, inclusive: boolean): Price {
  const { bot, pair } = pairRun;
  const trail = bot.planRules === null ? null : planTrail(bot, pair);
  const win = nextWin(pairRun, from, inclusive);
  if (trail === null || trail.armed || pair.position === null) return win;
  return nearer(pair.position.direction, win, trail.activationPrice, from, inclusive);
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
      nearest = nearer(direction, nearest, rule.priceOf(holding, position, level), from, inclusive);
    }
  }
  return nearest;
}

/** Returns the nearer of two levels from `from` upwards (`way` 1) or downwards (−1); 0 is none. */
function nearer(way: number, nearest: Price, level: Price, from: Price, inclusive: boolean): Price {
  const ahead = way > 0 ? level > from : level < from;
  return ahead || (inclusive && level === from) ? closer(way, nearest, level) : nearest;
}

/** Returns the level that comes first upwards (`way` 1) or downwards (−1); 0 is none. */
export function closer(way: number, nearest: Price, level: Price): Price {
  if (level <= 0) return nearest;
  return nearest === 0 || (way > 0 ? level < nearest : level > nearest) ? level : nearest;
}

/**
 * Returns the first price against the position at which the liquidation guard or a liquidation acts; 0 when there is none. After
 * funding consumed the margin, the liquidation price lies on the near side of the entry, and the guard behind it.
 */
export function liquidationLevel(bot: Bot, pair: PairState, direction: Direction): Price {
  if (!bot.rules.future) return 0;
  return closer(-direction, closer(-direction, 0, guardLevel(bot, pair)), liquidationPriceOf(bot, pair));
}
