import type { Market } from '../market/market.ts';
import { exact, type Price, type Quantity, type Quote } from '../money/units.ts';
import type { Dca } from './dca.ts';
import { safetyOrders } from './safetyOrders.ts';

/** Sets the safety orders after the base order has filled at `average` and ended. @see docs/strategies.md#dca-averaging */
export function dcaBaseEnded(dca: Dca, market: Market, average: Price): void {
  dca.phase = 'averaging';
  dca.first = average;
  dca.safeties = safetyOrders(dca, market, average);
}

/** Books a fill of a safety order. */
export function safetyFilled(dca: Dca, index: number, quantity: Quantity): void {
  const safety = dca.safeties[index];
  if (safety === undefined) throw new RangeError(`the deal has no safety order ${index}`);
  safety.filled = exact(safety.filled + quantity);
}

/** Forgets an activation whose trailing take-profit was switched off; one that has triggered continues. */
export function disarmDca(dca: Dca): void {
  if (dca.phase !== 'closing') dca.armed = false;
}

/** Books a fill of the exit at the target price, where the rest of the position is sold too. */
export function dcaExitFilled(dca: Dca): void {
  disarmDca(dca);
  dcaCloses(dca);
}

/** Marks a deal as closing: no more safety orders. @see docs/grids-and-dca.md#dca */
export function dcaCloses(dca: Dca): void {
  dca.phase = 'closing';
}

/** Counts the entries so far: the base order, and every safety order with a fill; at most n + 1. */
export function dcaEntries(dca: Dca): number {
  return dca.safeties.filter(({ filled }) => filled > 0).length + (dca.first > 0 ? 1 : 0);
}

/** Returns the order value that the safety orders may still spend. */
export function dcaReserve(dca: Dca, value: (price: Price, quantity: Quantity) => Quote): Quote {
  if (dca.phase === 'closing') return 0;
  // Until the base order has filled, only the sizes are known.
  if (dca.phase === 'base') return dca.sizes.reduce((sum, size, index) => (index === 0 ? sum : exact(sum + size)), 0);
  let reserve = 0;
  for (const { price, quantity, filled } of dca.safeties) reserve = exact(reserve + value(price, quantity - filled));
  return reserve;
}
