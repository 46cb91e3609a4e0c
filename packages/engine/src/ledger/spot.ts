import { type Market, notional } from '../market/market.ts';
import { exact, mulDivUp, type Quantity, type Quote } from '../money/units.ts';
import { type Booked, type LedgerFill, ReducedBeyondHolding } from './fill.ts';
import { averagePrice, countEntry, type Holding, setBasis } from './holding.ts';
import { bookThirdFee, type Wallet } from './wallet.ts';

const BOOKED = { value: 0, realised: 0, feeQuote: 0 };

/**
 * Books one spot fill into wallet and holding, exactly.
 *
 * @returns net result of a sell, 0 for a buy, and the fee in quote; the same object every time
 * @throws ReducedBeyondHolding when the fill sells more than the holding
 * @see docs/accounting.md#spot-positions
 */
export function bookSpotFill(wallet: Wallet, holding: Holding, market: Market, fill: LedgerFill): Booked {
  const { price, quantity, fee } = fill;
  const value = notional(market, price, quantity);
  const inBase = fill.feeAsset === market.base;
  const inQuote = fill.feeAsset === market.quote;
  const feeQuote = inBase ? notional(market, price, fee) : inQuote ? fee : (fill.thirdFeeValue ?? 0);
  const baseFee = inBase ? fee : 0;
  const quoteFee = inQuote ? fee : 0;
  // A fee in a third asset reduces the result, but not the quote balance.
  const resultFee = inBase ? 0 : feeQuote;
  const soldQuantity = fill.side === 'buy' ? 0 : quantity + baseFee;
  // This check comes before any write, so that a rejected fill changes nothing.
  if (soldQuantity > holding.quantity) throw new ReducedBeyondHolding(market.pair, soldQuantity, holding.quantity);
  holding.fees = exact(holding.fees + feeQuote);
  if (!inBase && !inQuote) bookThirdFee(wallet, fill.feeAsset, fee, feeQuote);
  let realised = 0;
  if (fill.side === 'buy') {
    holding.quantity = exact(holding.quantity + quantity - baseFee);
    holding.cost = exact(holding.cost + value + resultFee);
    averageEntry(holding, market, fill, value);
    setBasis(holding);
    wallet.quote = exact(wallet.quote - value - quoteFee);
  } else {
    realised = reduce(holding, soldQuantity, value - resultFee);
    wallet.quote = exact(wallet.quote + value - quoteFee);
  }
  BOOKED.value = value;
  BOOKED.realised = realised;
  BOOKED.feeQuote = feeQuote;
  return BOOKED;
}

/**
 * Includes a buy in the average entry price.
 *
 * @param value its order value
 */
function averageEntry(holding: Holding, market: Market, { price, quantity }: LedgerFill, value: Quote): void {
  const first = holding.entryQuantity === 0;
  countEntry(holding, quantity, value);
  if (first) holding.entryPrice = price;
  // A fill at the average price does not change it.
  else if (price !== holding.entryPrice) {
    holding.entryPrice = averagePrice(market, holding.entryNotional, holding.entryQuantity);
  }
}

/**
 * Reduces a holding by a sell.
 *
 * @param proceeds order value less the fee
 * @returns `proceeds` less the share of the cost
 */
function reduce(holding: Holding, quantity: Quantity, proceeds: Quote): Quote {
  const left = holding.quantity - quantity;
  // The cost rounds up, so that every holding has a cost above zero (docs/invariants.md#ledger, I-7).
  const cost = left === 0 ? 0 : mulDivUp(holding.basisCost, left, holding.basisQuantity);
  const realised = exact(proceeds - (holding.cost - cost));
  holding.quantity = left;
  holding.cost = cost;
  if (left === 0) setBasis(holding);
  holding.realised = exact(holding.realised + realised);
  return realised;
}
