import { type BaseRequest, canTradeBothSides, type PlanInput, type PlanRefusal } from '../grid/planInput.ts';
import type { Side } from '../grid/planOrder.ts';
import { quantityFor } from '../market/market.ts';
import { formatUnits } from '../money/units.ts';
import type { Dca } from './dca.ts';
import type { DcaRules } from './dcaRules.ts';
import { dcaTakeProfitPrice, fullSafetyOrders, safetyDistances, safetyOrders, safetySizes } from './safetyOrders.ts';

/** Limit of the distance of a safety order from the base order, percent. @see docs/strategies.md#dca-averaging */
export const MAX_DISTANCE = 95;

/**
 * Starts a DCA deal with the base order at the present price; the safety orders follow when it has filled.
 *
 * @see docs/strategies.md#dca-averaging
 */
export function startDca(
  rules: DcaRules,
  input: PlanInput,
  side: Side,
): { ok: true; dca: Dca; base: BaseRequest } | PlanRefusal {
  const { market, price, budget } = input;
  const distances = safetyDistances(rules);
  const distance = distances.at(-1) ?? 0;
  if (distance >= MAX_DISTANCE) {
    return {
      ok: false,
      gate: 'too_deep',
      inputs: { distance: Math.round(distance * 1e4) / 1e4, limit: MAX_DISTANCE },
    };
  }
  const sizes = safetySizes(rules, budget);
  const value = sizes[0] as number;
  const quantity = quantityFor(market, value, price);
  const safeties = safetyOrders({ side, sizes, distances }, market, price);
  const exit = dcaTakeProfitPrice(rules, market, side, price);
  const small = [{ price, quantity }, ...safeties].findIndex(
    (order) => !canTradeBothSides(input, order.price, side === 1 ? exit : order.price, order.quantity),
  );
  if (small >= 0) {
    const inputs = {
      value: formatUnits(sizes[small] as number),
      least: formatUnits(market.minNotional),
      order: small + 1,
    };
    return { ok: false, gate: 'below_minimum', inputs };
  }
  const last = safeties.at(-1)?.price ?? price;
  const whole = fullSafetyOrders(market, { quantity, price }, safeties);
  const liquidation = input.liquidation?.(side, whole.quantity, whole.entry) ?? 0;
  if (liquidation > 0 && side * (liquidation - last) > 0) {
    const inputs = { liquidation: formatUnits(liquidation), last: formatUnits(last) };
    return { ok: false, gate: 'liquidation_first', inputs };
  }
  const dca: Dca = {
    kind: 'dca',
    side,
    phase: 'base',
    budget,
    sizes,
    distances,
    first: 0,
    safeties: [],
    armed: false,
    best: 0,
  };
  return { ok: true, dca, base: { side, quantity, value } };
}
