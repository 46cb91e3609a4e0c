import { type Market, notional } from '../market/market.ts';
import { exact, mulDiv, type Price, powerOfTen, type Quantity, type Quote } from '../money/units.ts';

/** Money of a spot bot. @see accounting.md 2.1 */
export interface SpotWallet {
  /** Total of the quote currency. */
  quote: Quote;
  /** Start capital of this epoch. */
  start: Quote;
  /** Fees paid in a third asset, by asset, as decimals; negative amounts. */
  third: Record<string, number>;
  /** Those fees in quote: they are in the results but did not leave `quote`. @see accounting.md 2.3 */
  thirdFees: Quote;
}

/** What a spot bot holds of one pair's asset, by average cost. @see accounting.md 2.2 */
export interface SpotHolding {
  quantity: Quantity;
  /** Entry fees included. */
  cost: Quote;
  /** Σ price·quantity and Σ quantity of the entry fills since flat: their quotient is the entry price E. */
  entryNotional: Quote;
  entryQuantity: Quantity;
  /** Net of all fees, since the start of the epoch. */
  realised: Quote;
  /** All fees at their time in quote. */
  fees: Quote;
}

/** A fill as the ledger books it. */
export interface LedgerFill {
  side: 'buy' | 'sell';
  price: Price;
  quantity: Quantity;
  /** In asset units when `feeAsset` is the base, else in 1e-8 of `feeAsset`. */
  fee: number;
  feeAsset: string;
  /** Value of a fee in a third asset. */
  thirdFeeValue?: Quote;
}

export function emptyHolding(): SpotHolding {
  return { quantity: 0, cost: 0, entryNotional: 0, entryQuantity: 0, realised: 0, fees: 0 };
}

/** Entry price E: average price of the entry fills since flat, without fees; 0 when there is none. @see options.md 1.1 */
export function entryPrice(market: Market, holding: SpotHolding): Price {
  if (holding.entryQuantity === 0) return 0;
  return mulDiv(holding.entryNotional, powerOfTen(market.assetDecimals), holding.entryQuantity);
}

/**
 * Books one fill into wallet and holding, exactly.
 *
 * @returns net result of a sell, 0 of a buy, and the fee in quote
 * @see accounting.md 2.2
 */
export function bookSpotFill(
  wallet: SpotWallet,
  holding: SpotHolding,
  market: Market,
  fill: LedgerFill,
): { realised: Quote; feeQuote: Quote } {
  const value = notional(market, fill.price, fill.quantity);
  const inBase = fill.feeAsset === market.base;
  const inQuote = fill.feeAsset === market.quote;
  const feeQuote = inBase ? notional(market, fill.price, fill.fee) : inQuote ? fill.fee : (fill.thirdFeeValue ?? 0);
  holding.fees = exact(holding.fees + feeQuote);
  if (!inBase && !inQuote) {
    wallet.third[fill.feeAsset] = (wallet.third[fill.feeAsset] ?? 0) - fill.fee;
    wallet.thirdFees = exact(wallet.thirdFees + feeQuote);
  }
  const outsideValue = inQuote ? fill.fee : 0;
  // The fee of a third asset belongs to the result but leaves another wallet.
  const resultFee = inBase ? 0 : feeQuote;
  if (fill.side === 'buy') {
    holding.quantity = exact(holding.quantity + fill.quantity - (inBase ? fill.fee : 0));
    holding.cost = exact(holding.cost + value + resultFee);
    holding.entryNotional = exact(holding.entryNotional + value);
    holding.entryQuantity = exact(holding.entryQuantity + fill.quantity);
    wallet.quote = exact(wallet.quote - value - outsideValue);
    return { realised: 0, feeQuote };
  }
  const out = fill.quantity + (inBase ? fill.fee : 0);
  const costOut = out >= holding.quantity ? holding.cost : mulDiv(holding.cost, out, holding.quantity);
  const realised = exact(value - resultFee - costOut);
  holding.quantity = exact(holding.quantity - out);
  holding.cost = exact(holding.cost - costOut);
  holding.realised = exact(holding.realised + realised);
  wallet.quote = exact(wallet.quote + value - outsideValue);
  return { realised, feeQuote };
}

/** Begins a new count of entry fills: the position is flat, what is left is dust. @see accounting.md 2.4 */
export function closeEntryCount(holding: SpotHolding): void {
  holding.entryNotional = 0;
  holding.entryQuantity = 0;
}

/** Value of what is held at `mark`, less its cost. @see accounting.md 2.3 */
export function unrealised(market: Market, holding: SpotHolding, mark: Price): Quote {
  return exact(notional(market, mark, holding.quantity) - holding.cost);
}
