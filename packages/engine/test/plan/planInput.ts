import type { PlanInput } from '@heron/engine/grid/planInput.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { percentRatio, toUnits } from '@heron/engine/money/units.ts';

/** Returns a function that makes the input of a plan on `market` at a price, with a budget of 1,000 unless given. */
export function planInputOn(market: Market) {
  return (price: number, given: Partial<PlanInput> = {}): PlanInput => ({
    market,
    price: toUnits(price),
    budget: toUnits(1_000),
    makerFee: percentRatio(0.1),
    feeInAsset: true,
    ...given,
  });
}
