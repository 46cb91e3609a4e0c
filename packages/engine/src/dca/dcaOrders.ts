import { orderSide, type PlanOrder } from '../grid/planOrder.ts';
import { floorStep, type Market, meetsMinimums } from '../market/market.ts';
import type { Price, Quantity } from '../money/units.ts';
import type { Dca } from './dca.ts';
import type { DcaRules } from './dcaRules.ts';
import { dcaTakeProfitPrice } from './safetyOrders.ts';

/** Key of the exit order; the key of a safety order is its index. */
export const EXIT_KEY = 'exit';

/**
 * Returns whether a deal sells by an open exit at its target price instead of a trailing take-profit. A deal that has begun to
 * sell continues as it began, whatever the present rules are.
 */
export function exitsAtTarget({ phase, armed }: Dca, rules: DcaRules): boolean {
  return phase === 'closing' ? !armed : rules.trailing === 0;
}

/**
 * Returns the orders that a DCA deal wants: every safety order at once, and without trailing the exit of the whole position at
 * its target. Once the exit has started, it returns only the exit.
 *
 * @param held quantity of the position; @param entry its average entry price E
 * @see docs/strategies.md#dca-averaging
 */
export function dcaOrders(dca: Dca, rules: DcaRules, market: Market, held: Quantity, entry: Price): PlanOrder[] {
  if (dca.phase === 'base') return [];
  const orders: PlanOrder[] = [];
  if (exitsAtTarget(dca, rules) && entry > 0) {
    // A quantity above the maximum order size is sold order by order.
    const quantity = floorStep(market, Math.min(held, market.maxQuantity));
    const price = dcaTakeProfitPrice(rules, market, dca.side, entry);
    const side = orderSide(dca.side, 'exit');
    if (meetsMinimums(market, price, quantity)) orders.push({ key: EXIT_KEY, kind: 'exit', side, price, quantity });
  }
  if (dca.phase === 'closing') return orders;
  const side = orderSide(dca.side, 'entry');
  dca.safeties.forEach(({ price, quantity, filled }, index) => {
    const rest = quantity - filled;
    if (meetsMinimums(market, price, rest))
      orders.push({ key: String(index), kind: 'entry', side, price, quantity: rest });
  });
  return orders;
}
