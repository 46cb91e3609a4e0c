import { mulDiv } from '../money/units.ts';
import type { LedgerFill } from './fill.ts';
import type { Holding } from './holding.ts';

/**
 * Returns the bot's part of a forced closing. The position of the account may include a part that the user opened. The bot has
 * no part when it has no position on that side, or opened its position after the closing.
 *
 * @param since time at which the position was opened, by the clock of the fill
 * @returns null when the bot has no part
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
