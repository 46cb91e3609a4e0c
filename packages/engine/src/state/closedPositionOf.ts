import type { Market } from '../market/market.ts';
import type { PairState, Position } from './botState.ts';
import type { ClosedPosition } from './closedPosition.ts';
import { exitPriceOf, noTotals } from './positionTotals.ts';

/** Returns the closed position of a pair of which only dust is left, before the ledger forgets its entry. */
export function closedPositionOf({ pair, holding, market }: PairState, position: Position, at: number): ClosedPosition {
  const totals = position.totals ?? noTotals();
  const { assetDecimals } = market as Market;
  return {
    id: position.id,
    pair,
    direction: position.direction,
    openedAt: position.openedAt,
    closedAt: at,
    entryPrice: holding.entryPrice,
    exitPrice: exitPriceOf(totals, assetDecimals),
    quantity: totals.maxSize,
    assetDecimals,
    net: position.realised,
    fees: position.feeQuote,
    funding: totals.funding,
    reason: totals.exitReason,
  };
}
