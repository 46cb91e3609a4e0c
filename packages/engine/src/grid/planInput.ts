import { floorStep, type Market, meetsMinimums } from '../market/market.ts';
import { mulDiv, type Price, type Quantity, type Quote, type Ratio, SCALE } from '../money/units.ts';
import type { Side } from './planOrder.ts';

/** Input of a plan that is about to start. */
export interface PlanInput {
  readonly market: Market;
  /** Close of the newest candle. */
  readonly price: Price;
  /** Order value that the whole plan may use. @see docs/entries.md#size */
  readonly budget: Quote;
  readonly makerFee: Ratio;
  /** Spot: the fee of a buy is paid in the asset. */
  readonly feeInAsset: boolean;
  /** Futures, isolated: liquidation price of a position; 0 for none. */
  readonly liquidation?: (side: Side, quantity: Quantity, entry: Price) => Price;
}

/** The base order of a plan, which the order loop sends by `order_type`. */
export interface BaseRequest {
  readonly side: Side;
  readonly quantity: Quantity;
  /** Maximum order value, without fees. */
  readonly value: Quote;
}

/** Why no grid or DCA deal can be planned. */
export interface PlanRefusal {
  readonly ok: false;
  gate: 'cell_gain' | 'below_minimum' | 'too_deep' | 'liquidation_first';
  inputs: Record<string, string | number>;
}

/** Returns whether `quantity` can be bought at `entry` and, after fees, sold at `exit`. */
export function canTradeBothSides(input: PlanInput, entry: Price, exit: Price, quantity: Quantity): boolean {
  if (!meetsMinimums(input.market, entry, quantity)) return false;
  const fee = input.feeInAsset ? mulDiv(quantity, input.makerFee, SCALE, 'up') : 0;
  return meetsMinimums(input.market, exit, floorStep(input.market, quantity - fee));
}
