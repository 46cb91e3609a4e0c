import type { Market } from '../market/market.ts';
import {
  exact,
  mulDivUp,
  type Price,
  powerOfTen,
  type Quantity,
  type Quote,
  type Ratio,
  SCALE,
} from '../money/units.ts';

/** Fields of an open spot order that determine its locked balance. */
export type HoldingOrder =
  | {
      readonly type: 'limit';
      readonly side: 'buy' | 'sell';
      readonly price: Price;
      readonly quantity: Quantity;
      readonly filled: Quantity;
      /** Fees of its fills that were charged in quote. */
      readonly feePaid: Quote;
    }
  /** A market order to buy locks its budget, one to sell its unfilled quantity. */
  | { readonly type: 'market'; readonly side: 'buy'; readonly budget: Quote }
  | { readonly type: 'market'; readonly side: 'sell'; readonly rest: Quantity };

/** Balance of one asset: `free + locked = total`. @see docs/accounting.md#spot-balances */
export interface Balance {
  readonly total: number;
  readonly free: number;
  readonly locked: number;
}

/**
 * Returns the quote amount that an open buy order locks: `rest·price·(1 + f)` for a limit order, the budget for a market
 * order. The result rounds up. The fee is reserved once for the whole order, since parts that each round up would reserve more.
 *
 * @param fee fee rate of our own reservation; 0 for the amount that the exchange itself locks
 * @see docs/accounting.md#spot-balances
 */
export function lockedQuote(market: Market, order: HoldingOrder, fee: Ratio): Quote {
  if (order.side === 'sell') return 0;
  if (order.type === 'market') return order.budget;
  const unit = powerOfTen(market.assetDecimals);
  const reserved = mulDivUp(mulDivUp(order.quantity, order.price, unit), fee, SCALE);
  const rest = mulDivUp(order.quantity - order.filled, order.price, unit);
  return exact(rest + Math.max(0, reserved - order.feePaid));
}

/** Returns the asset quantity that an open sell order locks: its unfilled part. @see docs/accounting.md#spot-balances */
export function lockedAsset(order: HoldingOrder): Quantity {
  if (order.side === 'buy') return 0;
  return order.type === 'market' ? order.rest : exact(order.quantity - order.filled);
}

/** Splits a total into the free amount and the amount that open orders lock. @see docs/accounting.md#spot-balances */
export function balanceOf(total: number, locked: number): Balance {
  return { total, free: exact(total - locked), locked };
}

/**
 * Returns the cash for entries of a spot bot that shares an account. Its limits are the free amount at the exchange and its own
 * allotment less the cost of its positions and its locked cash. The allotment is start capital, own results and own transfers.
 *
 * @see docs/accounting.md#cash-for-entries
 */
export function allottedCash(given: {
  exchangeFree: Quote;
  start: Quote;
  transfers: Quote;
  /** Σ realised PnL of its holdings. */
  realised: Quote;
  /** Σ cost of its holdings. */
  costs: Quote;
  /** Σ {@link lockedQuote} of its orders. */
  locked: Quote;
}): Quote {
  const own = exact(given.start + given.transfers + given.realised - given.costs - given.locked);
  return Math.max(0, Math.min(given.exchangeFree, own));
}
