import { takeLiquidation } from '../bot/bot.ts';
import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import { liquidationPriceOf } from '../exits/liquidationPrice.ts';

/**
 * Does to a position what the exchange would: at or beyond its liquidation price it is closed and its margin lost.
 *
 * @returns the pairs that were liquidated
 * @see accounting.md 3.8
 */
export function liquidateIfDue(bot: Bot, pair: PairState, at: number): readonly PairState[] {
  const { position, mark } = pair;
  const price = liquidationPriceOf(bot, pair);
  if (position === null || price === 0 || (position.direction === 1 ? mark > price : mark < price)) return NONE;
  takeLiquidation(bot, pair, price, 0, 0, at);
  return [pair];
}

const NONE: readonly PairState[] = [];
