import { mulDiv } from '../money/units.ts';
import type { LedgerFill } from './fill.ts';
import type { Holding } from './holding.ts';

/**
 * What of a forced closing was ours. An account has one position of a contract, of which its owner may have a part: all of it
 * was the owner's when nothing is held on that side, or was not yet when it was closed.
 *
 * @param since when what is held began, by the clock of the fill
 * @returns null when it was none of it
 * @see docs/margin.md#liquidation
 */
export function forcedPart<
  Fill extends Pick<LedgerFill, 'side' | 'quantity' | 'fee' | 'thirdFeeValue' | 'pnl'> & { readonly at: number },
>({ side, quantity: held }: Pick<Holding, 'side' | 'quantity'>, since: number, fill: Fill): Fill | null {
  if (held === 0 || fill.at < since || (fill.side === 'buy') !== (side === -1)) return null;
  const { quantity, thirdFeeValue, pnl } = fill;
  if (quantity <= held) return fill;
  const share = (amount: number) => mulDiv(amount, held, quantity);
  return {
    ...fill,
    ...{ quantity: held, fee: share(fill.fee) },
    ...(thirdFeeValue === undefined ? {} : { thirdFeeValue: share(thirdFeeValue) }),
    ...(pnl === undefined ? {} : { pnl: share(pnl) }),
  };
}
