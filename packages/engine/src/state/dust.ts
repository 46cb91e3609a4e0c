import { floorStep, type Market, meetsMinimums } from '../market/market.ts';
import type { Price, Quantity } from '../money/units.ts';
import type { Bot } from './bot.ts';

/**
 * A remainder that cannot be traded: below step, least quantity, or least order value. On futures what reduces a
 * position has no least order value, and what is left is a position with its margin, however small.
 *
 * @see docs/fills.md#parts-below-the-minimum
 */
export function isDust(bot: Bot, market: Market, price: Price, quantity: Quantity): boolean {
  // What an exit leaves of a fee taken in the asset is nearly always this.
  if (quantity < market.step || quantity < market.minQuantity) return true;
  const tradable = floorStep(market, quantity);
  if (bot.rules.future) return tradable < market.minQuantity;
  return !meetsMinimums(market, price, tradable);
}
