import { dcaReserve } from '../dca/dcaProgress.ts';
import { entryOf } from '../grid/cell.ts';
import { gridReserve } from '../grid/cellOrders.ts';
import type { Market } from '../market/market.ts';
import { exact, mulDivUp, type Price, powerOfTen, type Quantity, type Quote } from '../money/units.ts';
import type { PairState } from '../state/botState.ts';

/**
 * Returns the order value that the plan of a pair may still spend, with or without open orders. No other entry may use it.
 *
 * @see docs/entries.md#size, docs/accounting.md#cash-for-entries
 */
export function planReserve(pair: PairState): Quote {
  return pair.orderPlan === null && pair.planOrders.length === 0 ? 0 : reserveOf(pair);
}

/** Is a separate function, so that its closure is created only for pairs with a plan. */
function reserveOf(pair: PairState): Quote {
  const { orderPlan, planOrders } = pair;
  const unit = powerOfTen((pair.market as Market).assetDecimals);
  const value = (price: Price, quantity: Quantity) => mulDivUp(price, quantity, unit);
  if (orderPlan?.kind === 'grid') return gridReserve(orderPlan, (cell, quantity) => value(entryOf(cell), quantity));
  if (orderPlan?.kind === 'dca' && orderPlan.phase !== 'closing') return dcaReserve(orderPlan, value);
  // An order that is being cancelled may still fill.
  let reserve = 0;
  for (const { kind, order, target, filled } of planOrders) {
    if (kind === 'entry' && order !== null) reserve = exact(reserve + value(order.price, target - filled));
  }
  return reserve;
}
