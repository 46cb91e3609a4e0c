import { floorStep, type Market, meetsMinimums } from '../market/market.ts';
import type { Price, Quantity } from '../money/units.ts';

/** A remainder that cannot be traded: below step, least quantity, or least order value. @see options.md 1.1 */
export function isDust(market: Market, price: Price, quantity: Quantity): boolean {
  return !meetsMinimums(market, price, floorStep(market, quantity));
}
