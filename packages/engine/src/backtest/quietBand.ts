import { activationPrice, type ExitLevel, type ExitRule, isActive } from '../exitRules/exitRule.ts';
import { guardLevel } from '../exits/guard.ts';
import type { Holding } from '../ledger/holding.ts';
import type { Direction } from '../market/direction.ts';
import { type Price, SCALE } from '../money/units.ts';
import { planTrail } from '../plan/trailPlan.ts';
import { liquidationPriceOf } from '../sizing/pairLiquidationPrice.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState, Position } from '../state/botState.ts';
import { hasOrder } from '../state/parentOrder.ts';
import { firstReached } from './nextLevels.ts';
import type { PairRun, QuietPriceBand } from './pairRun.ts';

const WHOLE_RANGE: QuietPriceBand = { above: 0, below: Number.POSITIVE_INFINITY };

/**
 * Returns the price band in which nothing acts on the holding of a pair run. Null when every candle matters, because an order
 * works or waits, or because the prices of other pairs move the liquidation price.
 */
export function quietBandOf(pairRun: PairRun): QuietPriceBand | null {
  const { pair } = pairRun;
  if (pair.entry !== null || pair.exit !== null || pair.exitSignal !== null) return null;
  const levels = pair.position === null ? WHOLE_RANGE : tableQuietBand(pairRun);
  return levels === null || pairRun.bot.planRules === null
    ? levels
    : planQuietBandOf(pairRun, levels, pairRun.planQuietBand);
}

/**
 * Returns the price band in which no exit table and no guard acts on the position; null when it is unknown.
 *
 * @see docs/exits.md#common-rules
 */
export function tableQuietBand(pairRun: PairRun): QuietPriceBand | null {
  const { pair, bot } = pairRun;
  const { position, holding } = pair;
  if (position === null || (bot.rules.future && !holding.isolated)) return null;
  if (!pairRun.quietBandKnown) {
    pairRun.quietBandKnown = true;
    findTableQuietBand(pairRun, position);
  }
  return pairRun.quietBand;
}

/** Sets the quiet band to the prices between the first level against the position and the first one in its favour. */
function findTableQuietBand({ bot, pair, quietBand }: PairRun, position: Position): void {
  const { holding } = pair;
  const { direction, fired } = position;
  let adverse = liquidationLevel(bot, pair, direction);
  let favourable = 0;
  for (const { rule, levels } of bot.rules.exitTables) {
    const [first] = levels as [ExitLevel];
    const active = isActive(holding, position, first);
    favourable = firstReached(direction, favourable, changePrice(rule, first, holding, position));
    const level = active ? firstUntriggered(levels, fired[rule.table]) : null;
    if (level === null) continue;
    const price = rule.priceOf(holding, position, level);
    if (rule.inFavour) favourable = firstReached(direction, favourable, price);
    else adverse = firstReached(-direction, adverse, price);
  }
  const trail = bot.planRules === null ? null : planTrail(bot, pair);
  if (trail?.armed) adverse = firstReached(-direction, adverse, trail.triggerPrice);
  if (trail !== null)
    favourable = firstReached(direction, favourable, trail.armed ? trail.best : trail.activationPrice);
  setBand(quietBand, direction === 1 ? adverse : favourable, direction === 1 ? favourable : adverse);
}

/** Returns the price beyond which the trigger prices of a table move, or at which it becomes active; 0 when there is none. */
function changePrice(rule: ExitRule, first: ExitLevel, holding: Holding, position: Position): Price {
  if (rule.followed === null) return 0;
  if (isActive(holding, position, first)) return rule.followed(holding, position);
  return activationPrice(holding, position.direction, first.activation ?? 0);
}

/**
 * Returns the first price against the position at which the liquidation guard or a liquidation acts; 0 when there is none. After
 * funding consumed the margin, the liquidation price lies on the near side of the entry, and the guard behind it.
 */
function liquidationLevel(bot: Bot, pair: PairState, direction: Direction): Price {
  if (!bot.rules.future) return 0;
  return firstReached(-direction, firstReached(-direction, 0, guardLevel(bot, pair)), liquidationPriceOf(bot, pair));
}

/** Levels are sorted, so the first one that has not triggered is the next one to do so. */
function firstUntriggered(levels: readonly ExitLevel[], triggered: number): ExitLevel | null {
  for (const level of levels) if ((triggered & level.bit) === 0) return level;
  return null;
}

/** Sets a band to the prices between two levels, of which 0 is none. */
function setBand(quietBand: QuietPriceBand, lower: Price, upper: Price): void {
  // One unit of margin on each side allows for the rounding of float64 candles.
  quietBand.above = (lower + 1) / SCALE;
  quietBand.below = upper === 0 ? Number.POSITIVE_INFINITY : (upper - 1) / SCALE;
}

/**
 * Narrows `levels`, in which no table acts, to the band in which no plan order fills and no grid level changes.
 *
 * @param quietBand receives the result
 * @returns null when every candle matters: a plan is about to start, or an order waits
 */
function planQuietBandOf(
  { pair, bot, market }: PairRun,
  levels: QuietPriceBand,
  quietBand: QuietPriceBand,
): QuietPriceBand | null {
  const { orderPlan, planOrders } = pair;
  if (orderPlan === null && pair.position === null && bot.planRules?.kind === 'grid' && pair.paused === null)
    return null;
  let above = levels.above * SCALE;
  let below = levels.below * SCALE;
  for (const parent of planOrders) {
    if (!hasOrder(parent)) return null;
    const { price } = parent.order;
    if (parent.side === 'buy') above = Math.max(above, price - 1);
    else below = Math.min(below, price + 1);
  }
  if (orderPlan?.kind === 'grid') {
    // The open orders depend on every close.
    if (market.maxOrders !== undefined && orderPlan.cells.length > market.maxOrders) return null;
    if (orderPlan.activationPriceAbove > 0) below = Math.min(below, orderPlan.activationPriceAbove + 1);
    if (orderPlan.activationPriceBelow > 0) above = Math.max(above, orderPlan.activationPriceBelow - 1);
    if (bot.planRules?.kind === 'grid' && bot.planRules.grid.recentre && pair.position === null) {
      below = Math.min(below, (orderPlan.levels.at(-1) as Price) + 1);
      above = Math.max(above, (orderPlan.levels[0] as Price) - 1);
    }
  }
  quietBand.above = above / SCALE;
  quietBand.below = below / SCALE;
  return quietBand;
}
