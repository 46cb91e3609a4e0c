import { floorStep, type Market, meetsMinimums } from '../market/market.ts';
import type { Price, Quantity } from '../money/units.ts';
import type { Bot } from './bot.ts';

/**
 * Returns whether a remainder cannot be traded: it is below the step, the minimum quantity or the minimum order value. On
 * futures a reducing order has no minimum value, so a small remainder stays a position.
 *
 * @see docs/fills.md#parts-below-the-minimum
 */
export function isDust(bot: Bot, market: Market, price: Price, quantity: Quantity): boolean {
  // A remainder after a fee in the asset nearly always ends here.
  if (quantity < market.step || quantity < market.minQuantity) return true;
  const tradable = floorStep(market, quantity);
  if (bot.rules.future) return tradable < market.minQuantity;
  return !meetsMinimums(market, price, tradable);
}
