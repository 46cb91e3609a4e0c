import type { Side } from '../grid/planOrder.ts';
import { ceilTick, floorTick, type Market, quantityFor } from '../market/market.ts';
import { exact, mulDiv, type Price, percentRatio, type Quantity, type Quote, shiftPriceBy } from '../money/units.ts';
import type { DcaRules } from './dcaRules.ts';

/**
 * Returns the distances of the safety orders from the base order in percent: `devᵢ = step·Σ_{k<i} step_scaleᵏ`, nearest first.
 *
 * @see docs/strategies.md#dca-averaging
 */
export function safetyDistances({ safetyOrders, step, stepScale }: DcaRules): number[] {
  let distance = 0;
  let next = step;
  return Array.from({ length: safetyOrders }, () => {
    distance += next;
    next *= stepScale;
    return distance;
  });
}

/**
 * Returns the order values of base and safety orders, together at most `budget`: weights `w₀ = 1, wᵢ = first_scale·volume_scaleⁱ⁻¹`.
 *
 * @see docs/strategies.md#dca-averaging
 */
export function safetySizes({ safetyOrders, firstScale, volumeScale }: DcaRules, budget: Quote): Quote[] {
  const weights = [1];
  for (let i = 0; i < safetyOrders; i++) weights.push(firstScale * volumeScale ** i);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = budget;
  return weights.map((weight) => {
    const size = Math.min(left, Math.floor(budget * (weight / total)));
    left = exact(left - size);
    return size;
  });
}

/** One safety order. */
export interface SafetyOrder {
  readonly price: Price;
  readonly quantity: Quantity;
  filled: Quantity;
}

/** Side, order values and distances from which the safety orders of a deal follow. */
interface SafetyPlan {
  readonly side: Side;
  /** As from {@link safetySizes}. */
  readonly sizes: readonly Quote[];
  /** As from {@link safetyDistances}. */
  readonly distances: readonly number[];
}

/**
 * Returns the safety orders below (of a short: above) the average price of the base order.
 *
 * @see docs/strategies.md#dca-averaging
 */
export function safetyOrders({ side, sizes, distances }: SafetyPlan, market: Market, first: Price): SafetyOrder[] {
  return distances.map((distance, index) => {
    const price =
      side === 1
        ? floorTick(market, shiftPriceBy(first, -percentRatio(distance), 'down'))
        : ceilTick(market, shiftPriceBy(first, percentRatio(distance), 'up'));
    return { price, quantity: quantityFor(market, sizes[index + 1] as Quote, price), filled: 0 };
  });
}

/**
 * Returns the price at which the whole position is exited: `T = E·(1 + take_profit/100)`, gross of fees.
 *
 * @see docs/strategies.md#dca-averaging
 */
export function dcaTakeProfitPrice(rules: DcaRules, market: Market, side: Side, entry: Price): Price {
  return side === 1
    ? ceilTick(market, shiftPriceBy(entry, rules.takeProfit, 'up'))
    : floorTick(market, shiftPriceBy(entry, -rules.takeProfit, 'down'));
}

/** Returns the average price after the base order at `price` and every safety order. */
export function fullSafetyOrders(
  market: Market,
  base: { quantity: Quantity; price: Price },
  safeties: readonly SafetyOrder[],
): { quantity: Quantity; entry: Price } {
  let quantity = base.quantity;
  for (const safety of safeties) quantity = exact(quantity + safety.quantity);
  // Shares of the whole avoid a sum of products, which could leave the exact range.
  let entry = mulDiv(base.price, base.quantity, quantity);
  for (const safety of safeties) entry = exact(entry + mulDiv(safety.price, safety.quantity, quantity));
  return { quantity, entry: floorTick(market, entry) };
}
