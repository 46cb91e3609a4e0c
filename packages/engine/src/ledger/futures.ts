import { type Market, notional } from '../market/market.ts';
import { exact, mulDivNearest, type Price, type Quantity, type Quote } from '../money/units.ts';
import { type Booked, type LedgerFill, ReducedBeyondHolding } from './fill.ts';
import { averagePrice, countEntry, type Holding, setBasis } from './holding.ts';
import { marginOf } from './marginOf.ts';
import { bookThirdFee, type Wallet } from './wallet.ts';

const BOOKED = { value: 0, realised: 0, feeQuote: 0 };

/**
 * Books one fill of linear futures into wallet and holding, exactly. A fill on the side of the position increases it, one on
 * the opposite side reduces it. The caller sets `leverage` and `isolated` of a flat holding before its first fill.
 *
 * @returns net result (pnl − fee) and the fee in quote; the same object every time
 * @throws ReducedBeyondHolding when a reduction is greater than the position; such an order is never sent
 * @see docs/accounting.md#futures-positions
 */
export function bookFuturesFill(wallet: Wallet, holding: Holding, market: Market, fill: LedgerFill): Booked {
  const direction = fill.side === 'buy' ? 1 : -1;
  const grows = holding.quantity === 0 || holding.side === direction;
  // This check comes before any write, so that a rejected fill changes nothing.
  if (!grows && fill.quantity > holding.quantity) {
    throw new ReducedBeyondHolding(market.pair, fill.quantity, holding.quantity);
  }
  const value = notional(market, fill.price, fill.quantity);
  const inQuote = fill.feeAsset === market.quote;
  const feeQuote = inQuote ? fill.fee : (fill.thirdFeeValue ?? 0);
  holding.fees = exact(holding.fees + feeQuote);
  if (!inQuote) bookThirdFee(wallet, fill.feeAsset, fill.fee, feeQuote);
  let pnl = 0;
  if (grows) {
    if (holding.quantity === 0) begin(holding, direction);
    grow(holding, market, fill.price, fill.quantity, value);
  } else {
    pnl = reduce(holding, fill.quantity, value, fill.pnl);
  }
  const realised = exact(pnl - feeQuote);
  holding.realised = exact(holding.realised + realised);
  wallet.quote = exact(wallet.quote + pnl - (inQuote ? fill.fee : 0));
  BOOKED.value = value;
  BOOKED.realised = realised;
  BOOKED.feeQuote = feeQuote;
  return BOOKED;
}

function begin(holding: Holding, direction: 1 | -1): void {
  holding.side = direction;
  holding.entryPrice = 0;
  holding.entryNotional = 0;
  holding.entryQuantity = 0;
}

/**
 * Increases a position: `E = (E·Q + p·q)/(Q + q)`, `Q += q`, isolated `IM_alloc += p·q/L`.
 *
 * @see docs/accounting.md#futures-positions
 */
function grow(holding: Holding, market: Market, price: Price, quantity: Quantity, value: Quote): void {
  const cost = exact(holding.cost + value);
  // The difference of sums makes the margins of partial fills add up to that of one whole fill.
  if (holding.isolated) {
    const added = marginOf(cost, holding.leverage) - marginOf(holding.cost, holding.leverage);
    holding.margin = exact(holding.margin + added);
  }
  const first = holding.quantity === 0;
  holding.cost = cost;
  holding.quantity = exact(holding.quantity + quantity);
  countEntry(holding, quantity, value);
  if (first) holding.entryPrice = price;
  // A fill at the average price does not change it.
  else if (price !== holding.entryPrice) holding.entryPrice = averagePrice(market, cost, holding.quantity);
  setBasis(holding);
}

/**
 * Reduces a position: `pnl = d·(p − E)·q`, with the value at entry as an exact share of the cost.
 *
 * @param bookedPnl result as booked by the exchange, which is the authority for cash and rounds in its own way
 * @see docs/accounting.md#ledger-events, docs/accounting.md#futures-positions
 */
function reduce(holding: Holding, quantity: Quantity, value: Quote, bookedPnl: Quote | undefined): Quote {
  const { side, basisCost, basisMargin, basisQuantity } = holding;
  const left = holding.quantity - quantity;
  // Halves round up for longs and down for shorts: a mirrored path has the mirrored result (docs/invariants.md#futures, I-15).
  const share = left === 0 ? 0 : exact(side * mulDivNearest(side * basisCost, left, basisQuantity));
  const pnl = bookedPnl ?? exact(side * (value - (holding.cost - share)));
  // The remaining cost is the part that the exchange did not use for its result.
  const cost =
    bookedPnl === undefined || left === 0 ? share : Math.max(0, exact(holding.cost - value + side * bookedPnl));
  holding.quantity = left;
  holding.cost = cost;
  if (basisMargin !== 0) holding.margin = left === 0 ? 0 : mulDivNearest(basisMargin, left, basisQuantity);
  if (left === 0 || bookedPnl !== undefined) setBasis(holding);
  return pnl;
}
