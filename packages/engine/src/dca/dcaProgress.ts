import type { Market } from '../market/market.ts';
import { exact, type Price, type Quantity, type Quote } from '../money/units.ts';
import type { Dca } from './dca.ts';
import type { DcaRules } from './dcaRules.ts';
import { safetyOrders } from './safetyOrders.ts';

/** The base order has filled at `average` and ended: the safety orders are known. @see docs/strategies.md#dca-averaging */
export function dcaBaseEnded(dca: Dca, rules: DcaRules, market: Market, average: Price): void {
  dca.phase = 'averaging';
  dca.first = average;
  dca.safeties = safetyOrders(rules, market, dca.side, average, dca.sizes);
}

/** Books a fill of a safety order. */
export function safetyFilled(dca: Dca, index: number, quantity: Quantity): void {
  const safety = dca.safeties[index];
  if (safety === undefined) throw new RangeError(`the ladder has no safety order ${index}`);
  safety.filled = exact(safety.filled + quantity);
}

/** The exit has begun: no more safety orders. @see docs/grids-and-dca.md#dca */
export function dcaCloses(dca: Dca): void {
  dca.phase = 'closing';
}

/** Orders that have entered so far: the base, and every safety order with a fill. At most n + 1. */
export function dcaEntries(dca: Dca): number {
  return dca.safeties.filter(({ filled }) => filled > 0).length + (dca.first > 0 ? 1 : 0);
}

/** Order value that the safety orders may still spend. */
export function dcaReserve(dca: Dca, value: (price: Price, quantity: Quantity) => Quote): Quote {
  if (dca.phase === 'closing') return 0;
  // Before the base has filled nothing is known but the sizes.
  if (dca.phase === 'base') return dca.sizes.reduce((sum, size, index) => (index === 0 ? sum : exact(sum + size)), 0);
  let reserve = 0;
  for (const { price, quantity, filled } of dca.safeties) reserve = exact(reserve + value(price, quantity - filled));
  return reserve;
}
