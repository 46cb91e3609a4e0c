import type { Direction } from '../market/direction.ts';
import type { Price, Quantity, Quote } from '../money/units.ts';
import type { Reason } from './parentOrder.ts';

/**
 * A position from flat to flat. Backtests, paper bots and live bots make it here, so that their tables can be compared.
 *
 * @see docs/accounting.md#closed-positions
 */
export interface ClosedPosition {
  /** Number of the position in its bot. */
  readonly id: number;
  readonly pair: string;
  readonly direction: Direction;
  readonly openedAt: number;
  readonly closedAt: number;
  /** Average price of the entries. @see docs/accounting.md#symbols */
  readonly entryPrice: Price;
  /** Average price of the exits; null when dust was left of the entry and nothing was sold. */
  readonly exitPrice: Price | null;
  /** Largest size, in asset units: the entries less the exits before them. */
  readonly quantity: Quantity;
  /** Decimals of the asset unit of `quantity`. */
  readonly assetDecimals: number;
  /** Realised result after fees and funding. */
  readonly net: Quote;
  /** All fees in quote. */
  readonly fees: Quote;
  /** Funding received less paid. */
  readonly funding: Quote;
  /** Reason of the last exit; null without one. */
  readonly reason: Reason | null;
}
