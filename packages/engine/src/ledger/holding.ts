import { type Market, notional } from '../market/market.ts';
import { exact, mulDiv, mulDivNearest, type Price, powerOfTen, type Quantity, type Quote } from '../money/units.ts';

/**
 * Holding of a bot in one pair, on spot or futures.
 *
 * @see docs/accounting.md#spot-positions, docs/accounting.md#futures-positions
 */
export interface Holding {
  /** Direction of the position; 1 on spot and when flat. */
  side: 1 | -1;
  quantity: Quantity;
  /** Cost with entry fees on spot, value at entry without fees on futures. */
  cost: Quote;
  /** Entry price for exits: only entry fills change it; 0 when flat. @see docs/exits.md#return-on-margin */
  entryPrice: Price;
  /** Σ price·quantity of the entry fills since flat; `entryQuantity` is their Σ quantity. */
  entryNotional: Quote;
  entryQuantity: Quantity;
  /**
   * Cost, margin and quantity after the last increase. Reductions compute their share of these, so that partial fills leave the
   * same state as one whole fill.
   */
  basisCost: Quote;
  basisMargin: Quote;
  basisQuantity: Quantity;
  /** Realised PnL net of all fees since the start of the epoch; Σ pnl − Σ fees + Σ funding on futures. */
  realised: Quote;
  /** All fees, in quote at the time of each fill. */
  fees: Quote;
  /** Funding received less paid. */
  funding: Quote;
  /** Leverage, which stays the same until flat; 1 on spot. */
  leverage: number;
  isolated: boolean;
  /** IM_alloc: margin allocated to an isolated position; 0 for cross and spot. @see docs/accounting.md#futures-positions */
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
 * Ends a position that is flat but for dust: resets the entry price, the sums of entry fills and, when flat, the direction.
 * Until this call these fields describe the position that ended.
 *
 * @see docs/accounting.md#dust, docs/accounting.md#futures-positions
 */
export function closeEntryCount(holding: Holding): void {
  holding.entryNotional = 0;
  holding.entryQuantity = 0;
  holding.entryPrice = 0;
  if (holding.quantity === 0) holding.side = 1;
}

/** Returns the result of closing the holding at `mark` without a fee. @see docs/accounting.md#unrealised-pnl-and-equity */
export function unrealised(market: Market, holding: Holding, mark: Price): Quote {
  if (holding.quantity === 0) return 0;
  return exact(holding.side * (notional(market, mark, holding.quantity) - holding.cost));
}

/** Maximum of each entry sum: a position that is never flat, such as that of a grid, would leave the exact range. */
const COUNTED = 2 ** 52;

/** Adds an entry fill to the entry sums. @param value its order value */
export function countEntry(holding: Holding, quantity: Quantity, value: Quote): void {
  if (holding.entryNotional + value > COUNTED || holding.entryQuantity + quantity > COUNTED) {
    // Only the ratio of the sums is used; halving both keeps it to fifteen digits.
    holding.entryNotional = Math.floor(holding.entryNotional / 2);
    holding.entryQuantity = Math.floor(holding.entryQuantity / 2);
  }
  holding.entryNotional = exact(holding.entryNotional + value);
  holding.entryQuantity = exact(holding.entryQuantity + quantity);
}

/** Returns the average price of `quantity` with the order value `value`. */
export function averagePrice(market: Market, value: Quote, quantity: Quantity): Price {
  return mulDivNearest(value, powerOfTen(market.assetDecimals), quantity);
}

/**
 * Makes later reductions use a share of the current margin. Their share of the cost stays the same: results must not depend
 * on events that only change margin (docs/invariants.md#futures, I-14).
 */
export function setMarginBasis(holding: Holding): void {
  const { margin, quantity, basisQuantity } = holding;
  holding.basisMargin = quantity === 0 ? 0 : mulDiv(margin, basisQuantity, quantity);
}

/** Makes later reductions use a share of the current cost and margin. */
export function setBasis(holding: Holding): void {
  holding.basisCost = holding.cost;
  holding.basisMargin = holding.margin;
  holding.basisQuantity = holding.quantity;
}
