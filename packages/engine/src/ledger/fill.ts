import type { Price, Quantity, Quote } from '../money/units.ts';

/** A fill as the ledger books it. @see docs/accounting.md#ledger-events */
export interface LedgerFill {
  side: 'buy' | 'sell';
  price: Price;
  quantity: Quantity;
  /** In asset units when `feeAsset` is the base, else in 1e-8 of `feeAsset`; negative for a rebate. */
  fee: number;
  feeAsset: string;
  /** Value of a fee in a third asset. */
  thirdFeeValue?: Quote;
  /** Futures: result without the fee as the exchange has booked it; left out where the ledger is to work it out. */
  pnl?: Quote;
}

/** What a fill came to. The ledger uses one such object again and again: read it before the next booking. */
export interface Booked {
  /** Price times quantity. */
  readonly value: Quote;
  /** Net result. An entry of spot has none yet; an entry of futures loses its fee at once. */
  readonly realised: Quote;
  /** The fee in quote. */
  readonly feeQuote: Quote;
}

/** A fill reduces by more than is held. Reconcile with the exchange first: what is missing comes as an `adjust`. */
export class ReducedBeyondHolding extends RangeError {
  constructor(pair: string, quantity: Quantity, held: Quantity) {
    super(`${pair}: a fill takes ${quantity} units out of ${held}`);
    this.name = 'ReducedBeyondHolding';
  }
}
