import { guardPrice } from '../ledger/liquidationPrice.ts';
import { isAsGoodAs } from '../market/direction.ts';
import type { Price } from '../money/units.ts';
import { liquidationPriceOf } from '../sizing/pairLiquidationPrice.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import type { Turn } from '../state/turn.ts';
import { beginExit } from './exit.ts';

/**
 * Runs the liquidation guard, which exits the whole position once the mark price has covered 80 % of the way from the entry
 * price to the liquidation price. It runs before the exit tables.
 *
 * @param mark mark price, or 0 when none is known
 * @returns true when it acts
 * @see docs/exits.md#liquidation-guard
 */
export function guardLiquidation(turn: Turn, mark: Price): boolean {
  const { bot, pair } = turn;
  const { position, holding } = pair;
  if (!bot.rules.future || position === null || mark <= 0) return false;
  const level = guardLevel(bot, pair);
  if (level === 0 || !isAsGoodAs(position.direction, level, mark)) return false;
  // The exit works already.
  if (pair.exit !== null && pair.exit.reason === 'liquidation_guard') return true;
  beginExit(turn, { reason: 'liquidation_guard', wanted: holding.quantity, price: mark, urgency: 'taker' });
  return true;
}

/** Returns the mark price at which the guard acts; 0 when there is no liquidation price. @see docs/exits.md#liquidation-guard */
export function guardLevel(bot: Bot, pair: PairState): Price {
  const liquidation = liquidationPriceOf(bot, pair);
  return liquidation === 0 ? 0 : guardPrice(pair.holding.side, pair.holding.entryPrice, liquidation);
}
