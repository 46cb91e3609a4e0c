import { guardLevel } from '../exits/guard.ts';
import { isArmed, stopLevel, takeProfitPrice, trailingActivationPrice, trailingStopPrice } from '../exits/levels.ts';
import type { Price } from '../money/units.ts';
import { planTrail } from '../plan/trailPlan.ts';
import { liquidationPriceOf } from '../sizing/pairLiquidationPrice.ts';
import type { PairRun } from './pairRun.ts';

/**
 * Nearest level, further against the position than `from` (or at it, when `inclusive`), at which a stop, an armed
 * callback row, an armed take-profit, the liquidation guard or the exchange's liquidation acts; 0 when there is none.
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
    // Once funding has eaten the margin, liquidation lies on the near side of the entry, and the guard behind it.
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

/** Nearest level, further for the position than `from` (or at it, when `inclusive`), at which it sells or a take-profit arms. */
export function nextFavourable(pairRun: PairRun, from: Price, inclusive: boolean): Price {
  const { bot, pair } = pairRun;
  const trail = bot.ladder === null ? null : planTrail(bot, pair);
  const win = nextWin(pairRun, from, inclusive);
  if (trail === null || trail.armed || pair.position === null) return win;
  return nearer(pair.position.direction, win, trail.arm, from, inclusive);
}

/** Nearest level, further for the position than `from` (or at it, when `inclusive`), at which a profit_win row fires. */
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

/** The nearer of two levels on the way up (`way` 1) or down (−1) from `from`; `nearest` 0 is none. */
export function nearer(way: number, nearest: Price, level: Price, from: Price, inclusive: boolean): Price {
  const ahead = way > 0 ? level > from : level < from;
  if (level <= 0 || !(ahead || (inclusive && level === from))) return nearest;
  return nearest === 0 || (way > 0 ? level < nearest : level > nearest) ? level : nearest;
}
