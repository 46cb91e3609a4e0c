import type { Market } from '../market/market.ts';
import { exact, powerOfTen, type Quote } from '../money/units.ts';
import type { Bot } from './bot.ts';
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

/** A result that the ledger booked while the pair had no position. */
export interface LateResult {
  readonly net: Quote;
  readonly fees?: Quote;
  readonly funding?: Quote;
}

/**
 * Adds a result without a position, such as funding that the exchange lists late, to the position that the pair closed last, so
 * that all positions together have the realised result of the ledger.
 */
export function addLateResult(bot: Bot, pair: PairState, { net, fees = 0, funding = 0 }: LateResult): void {
  const last = pair.lastClosed;
  if (last === null || (net === 0 && fees === 0 && funding === 0)) return;
  pair.lastClosed = {
    ...last,
    net: exact(last.net + net),
    fees: exact(last.fees + fees),
    funding: exact(last.funding + funding),
  };
  bot.observer.closedChanged(pair, pair.lastClosed, last);
}

/** Returns the result of a closed position in percent of its largest size at the entry price; 0 for an empty one. */
export function positionReturn({
  net,
  entryPrice,
  quantity,
  assetDecimals,
}: Pick<ClosedPosition, 'net' | 'entryPrice' | 'quantity' | 'assetDecimals'>): number {
  const value = entryPrice * quantity;
  return value === 0 ? 0 : (100 * net * powerOfTen(assetDecimals)) / value;
}
