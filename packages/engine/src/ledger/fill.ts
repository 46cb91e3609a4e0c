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
  /** Futures: result without the fee as booked by the exchange; the ledger computes it when omitted. */
  pnl?: Quote;
}

/** Result of booking a fill. The ledger reuses one object: read it before the next booking. */
export interface Booked {
  /** Price times quantity. */
  readonly value: Quote;
  /** Net result. It is 0 for an entry on spot, and the negative fee for an entry on futures. */
  readonly realised: Quote;
  /** The fee in quote. */
  readonly feeQuote: Quote;
}

/** A fill reduces a position by more than its quantity. Reconcile with the exchange first: it books the rest as `adjust`. */
export class ReducedBeyondHolding extends RangeError {
  constructor(pair: string, quantity: Quantity, held: Quantity) {
    super(`${pair}: a fill takes ${quantity} units out of ${held}`);
    this.name = 'ReducedBeyondHolding';
  }
}
