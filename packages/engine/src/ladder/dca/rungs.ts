import { floorStep, type Market, meetsMinimums } from '../../market/market.ts';
import type { Price, Quantity } from '../../money/units.ts';
import { orderSide, type Rung } from '../rung.ts';
import type { Dca } from './dca.ts';
import { takeProfitPrice } from './plan.ts';
import type { DcaRules } from './rules.ts';

/** Key of the order that closes the position; safety orders have their index. */
export const EXIT_KEY = 'exit';

/**
 * Orders that a cycle wants on the book: every safety order at once, and without trailing the exit of the whole position
 * at its target. Once the exit has begun, the exit alone.
 *
 * @param held quantity of the position; @param entry its average entry price E
 * @see docs/strategies.md#dca-averaging
 */
export function dcaRungs(dca: Dca, rules: DcaRules, market: Market, held: Quantity, entry: Price): Rung[] {
  if (dca.phase === 'base') return [];
  const rungs: Rung[] = [];
  if (rules.trailing === 0 && entry > 0) {
    // More than the exchange takes at a time goes order by order.
    const quantity = floorStep(market, Math.min(held, market.maxQuantity));
    const price = takeProfitPrice(rules, market, dca.side, entry);
    const side = orderSide(dca.side, 'exit');
    if (meetsMinimums(market, price, quantity)) rungs.push({ key: EXIT_KEY, kind: 'exit', side, price, quantity });
  }
  if (dca.phase === 'closing') return rungs;
  const side = orderSide(dca.side, 'entry');
  dca.safeties.forEach(({ price, quantity, filled }, index) => {
    const rest = quantity - filled;
    if (meetsMinimums(market, price, rest))
      rungs.push({ key: String(index), kind: 'entry', side, price, quantity: rest });
  });
  return rungs;
}
