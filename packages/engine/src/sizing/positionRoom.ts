import type { Holding } from '../ledger/holding.ts';
import type { Market } from '../market/market.ts';
import { formatUnits, mulDivDown, type Price, powerOfTen, type Quote } from '../money/units.ts';
import type { Refused } from '../state/refusal.ts';

/** Maximum entry value of one position, 22.5 million: its price may quadruple before the value is inexact. */
export const LARGEST_POSITION: Quote = 2 ** 51;

/** Maximum quantity of one position, for the same reason. */
const LARGEST_QUANTITY = 2 ** 51;

/**
 * Returns the order value by which a position may still grow within the exact range of the ledger. No option limits the sum
 * of many entries of a leveraged position.
 *
 * @param price of the entry
 */
export function positionRoom(market: Market, { cost, quantity }: Holding, price: Price): Quote {
  const byValue = LARGEST_POSITION - cost;
  const unit = powerOfTen(market.assetDecimals);
  const left = LARGEST_QUANTITY - quantity;
  if (left <= 0 || byValue <= 0) return 0;
  return (left / unit) * price >= byValue ? byValue : mulDivDown(left, price, unit);
}

/** Returns the refusal of an entry that exceeds the position limit. */
export function noRoom(holding: Holding): Refused {
  return { gate: 'position_limit', inputs: { value: formatUnits(holding.cost), limit: formatUnits(LARGEST_POSITION) } };
}
