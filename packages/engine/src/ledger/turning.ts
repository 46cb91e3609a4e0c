import { mulDiv } from '../money/units.ts';
import type { LedgerFill } from './fill.ts';
import type { Holding } from './holding.ts';

/**
 * A fill of a future that goes beyond flat, as one of a neutral grid may: a close, then an open. What the exchange says that
 * it realised is the close's.
 *
 * @returns null when it does not
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
      // All that a fill has but for what the close has had of it.
      ...(rest as Fill),
      quantity: fill.quantity - held,
      fee: fill.fee - fee,
      ...(third === undefined || thirdOfClose === undefined ? {} : { thirdFeeValue: third - thirdOfClose }),
    },
  };
}

/** Journal and database tell the two parts as fills of their own: under which name that which opens, when `id` is the fill's. */
export function openingId(id: string): string {
  return `${id}+`;
}
