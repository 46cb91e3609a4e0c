import { type Market, notional } from '../market/market.ts';
import { exact, mulDiv, mulDivNearest, type Price, powerOfTen, type Quantity, type Quote } from '../money/units.ts';

/**
 * What a bot holds of one pair, spot and futures alike.
 *
 * @see docs/accounting.md#spot-positions, docs/accounting.md#futures-positions
 */
export interface Holding {
  /** Direction of what is held; 1 on spot and when flat. */
  side: 1 | -1;
  quantity: Quantity;
  /** Spot: what it cost, entry fees included. Futures: its value at entry, without fees. */
  cost: Quote;
  /** Entry price of the exit tables: moved by entry fills only; 0 when flat. @see docs/exits.md#return-on-margin */
  entryPrice: Price;
  /** Σ price·quantity and Σ quantity of the entry fills since flat. */
  entryNotional: Quote;
  entryQuantity: Quantity;
  /**
   * Cost, margin and quantity when the holding last grew. Reductions take their share of these, so that a fill told in
   * parts leaves the same state as one told whole.
   */
  basisCost: Quote;
  basisMargin: Quote;
  basisQuantity: Quantity;
  /** Net of all fees, since the start of the epoch. Futures: Σ pnl − Σ fees + Σ funding. */
  realised: Quote;
  /** All fees at their time in quote. */
  fees: Quote;
  /** Funding received less paid. */
  funding: Quote;
  /** Kept until flat; 1 on spot. */
  leverage: number;
  isolated: boolean;
  /** IM_alloc: margin set apart for an isolated position; 0 for cross and spot. @see docs/accounting.md#futures-positions */
  margin: Quote;
}

export function emptyHolding(): Holding {
  return {
    side: 1,
    quantity: 0,
    cost: 0,
    entryPrice: 0,
    entryNotional: 0,
    entryQuantity: 0,
    basisCost: 0,
    basisMargin: 0,
    basisQuantity: 0,
    realised: 0,
    fees: 0,
    funding: 0,
    leverage: 1,
    isolated: false,
    margin: 0,
  };
}

/**
 * Ends the position: what is left is dust or nothing. Entry price, direction and the count of entry fills begin anew;
 * until this is called they still tell of the position that ended.
 *
 * @see docs/accounting.md#dust, docs/accounting.md#futures-positions
 */
export function closeEntryCount(holding: Holding): void {
  holding.entryNotional = 0;
  holding.entryQuantity = 0;
  holding.entryPrice = 0;
  if (holding.quantity === 0) holding.side = 1;
}

/** Result of selling everything at `mark` without a fee. @see docs/accounting.md#unrealised-pnl-and-equity */
export function unrealised(market: Market, holding: Holding, mark: Price): Quote {
  if (holding.quantity === 0) return 0;
  return exact(holding.side * (notional(market, mark, holding.quantity) - holding.cost));
}

/** A position that is never flat, such as that of a grid, would count beyond what can be held exactly. */
const COUNTED = 2 ** 52;

/** Counts an entry fill. @param value its order value */
export function countEntry(holding: Holding, quantity: Quantity, value: Quote): void {
  if (holding.entryNotional + value > COUNTED || holding.entryQuantity + quantity > COUNTED) {
    // Their ratio is what counts; halved it is the same to fifteen digits.
    holding.entryNotional = Math.floor(holding.entryNotional / 2);
    holding.entryQuantity = Math.floor(holding.entryQuantity / 2);
  }
  holding.entryNotional = exact(holding.entryNotional + value);
  holding.entryQuantity = exact(holding.entryQuantity + quantity);
}

/** What `quantity` bought for `value` cost on average. */
export function averagePrice(market: Market, value: Quote, quantity: Quantity): Price {
  return mulDivNearest(value, powerOfTen(market.assetDecimals), quantity);
}

/**
 * Reductions from here on take their share of the present margin, but of the cost as before: results must not depend on
 * what only moves margin (docs/invariants.md#futures, I-14).
 */
export function setMarginBasis(holding: Holding): void {
  const { margin, quantity, basisQuantity } = holding;
  holding.basisMargin = quantity === 0 ? 0 : mulDiv(margin, basisQuantity, quantity);
}

/** Reductions from here on take their share of the present cost and margin. */
export function setBasis(holding: Holding): void {
  holding.basisCost = holding.cost;
  holding.basisMargin = holding.margin;
  holding.basisQuantity = holding.quantity;
}
