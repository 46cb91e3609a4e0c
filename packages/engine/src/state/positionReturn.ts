import { powerOfTen } from '../money/units.ts';
import type { ClosedPosition } from './closedPosition.ts';

/**
 * Returns the result of a closed position in percent of its largest size at the entry price; 0 for an empty one.
 *
 * @see docs/accounting.md#closed-positions
 */
export function positionReturn({
  net,
  entryPrice,
  quantity,
  assetDecimals,
}: Pick<ClosedPosition, 'net' | 'entryPrice' | 'quantity' | 'assetDecimals'>): number {
  const value = entryPrice * quantity;
  return value === 0 ? 0 : (100 * net * powerOfTen(assetDecimals)) / value;
}
