import type { LedgerEvent } from '../ledger/events.ts';
import { type Market, notional } from '../market/market.ts';
import type { PairState, Position } from './botState.ts';
import { addExit, noTotals, type PositionTotals, removeExit } from './positionTotals.ts';

/** Returns the sums of the open position. One of an older version counts from now on. */
export function totalsOf({ holding }: PairState, position: Position): PositionTotals {
  position.totals ??= { ...noTotals(), size: holding.quantity, maxSize: holding.quantity };
  return position.totals;
}

/** Counts a quantity that changed without an order as an exit, or takes such an exit back. */
export function countAdjustment(
  pair: PairState,
  position: Position,
  { quantityDelta, price }: Pick<Extract<LedgerEvent, { type: 'adjust' }>, 'quantityDelta' | 'price'>,
): void {
  const totals = totalsOf(pair, position);
  const quantity = Math.abs(quantityDelta);
  const value = notional(pair.market as Market, price, quantity);
  if (quantityDelta < 0) addExit(totals, quantity, value, 'external');
  else removeExit(totals, quantity, value);
}
