import { mulDiv } from '../money/units.ts';
import type { LedgerFill } from './fill.ts';
import type { Holding } from './holding.ts';

/**
 * Splits a futures fill that reverses the position into a close and an open, as a neutral grid may need. The result booked by
 * the exchange belongs to the close.
 *
 * @returns null when the fill does not reverse the position
 * @see docs/accounting.md#futures-positions
 */
export function turningParts<Fill extends LedgerFill>(
  { side, quantity: held }: Pick<Holding, 'side' | 'quantity'>,
  fill: Fill,
): { readonly close: Fill; readonly open: Fill } | null {
  if (held === 0 || fill.quantity <= held || (fill.side === 'buy') === (side === 1)) return null;
  const fee = mulDiv(fill.fee, held, fill.quantity);
  const { pnl: _, thirdFeeValue: third, ...rest } = fill;
  const thirdOfClose = third === undefined ? undefined : mulDiv(third, held, fill.quantity);
  return {
    close: { ...fill, quantity: held, fee, ...(thirdOfClose === undefined ? {} : { thirdFeeValue: thirdOfClose }) },
    open: {
      // The open keeps all fields of the fill except those that belong to the close.
      ...(rest as Fill),
      quantity: fill.quantity - held,
      fee: fill.fee - fee,
      ...(third === undefined || thirdOfClose === undefined ? {} : { thirdFeeValue: third - thirdOfClose }),
    },
  };
}

/** Returns the id of the opening part of the fill `id`. Journal and database store the two parts as separate fills. */
export function openingId(id: string): string {
  return `${id}+`;
}
