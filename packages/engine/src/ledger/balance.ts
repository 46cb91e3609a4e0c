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

/** An open spot order as balances see it. */
export type HoldingOrder =
  | {
      readonly type: 'limit';
      readonly side: 'buy' | 'sell';
      readonly price: Price;
      readonly quantity: Quantity;
      readonly filled: Quantity;
      /** Fees of its fills that were taken in quote. */
      readonly feePaid: Quote;
    }
  /** A market order to buy keeps its budget, one to sell its quantity. */
  | { readonly type: 'market'; readonly side: 'buy'; readonly budget: Quote }
  | { readonly type: 'market'; readonly side: 'sell'; readonly rest: Quantity };

/** Of one asset. `free + locked = total`. @see docs/accounting.md#spot-balances */
export interface Balance {
  readonly total: number;
  readonly free: number;
  readonly locked: number;
}

/**
 * Quote that an open order holds: `rest·price·(1 + f)` of a limit to buy, the budget of a market order to buy. Rounded
 * up; the fee is reserved for the whole order once, since parts that each round up would come to more.
 *
 * @param fee our own reservation for it; 0 for what the exchange itself holds
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

/** Asset that an open order holds: the rest of a sale. @see docs/accounting.md#spot-balances */
export function lockedAsset(order: HoldingOrder): Quantity {
  if (order.side === 'buy') return 0;
  return order.type === 'market' ? order.rest : exact(order.quantity - order.filled);
}

/** Splits a total by what open orders hold of it. @see docs/accounting.md#spot-balances */
export function balanceOf(total: number, locked: number): Balance {
  return { total, free: exact(total - locked), locked };
}

/**
 * Cash for entries of a spot bot that shares an account: no more than the exchange has free, and no more than its own
 * allotment (start capital, its own results, transfers assigned to it) less what its positions cost and its orders hold.
 *
 * @see docs/accounting.md#cash-for-entries
 */
export function allottedCash(given: {
  exchangeFree: Quote;
  start: Quote;
  transfers: Quote;
  /** Σ realised of its holdings. */
  realised: Quote;
  /** Σ cost of its holdings. */
  costs: Quote;
  /** Σ {@link lockedQuote} of its orders. */
  locked: Quote;
}): Quote {
  const own = exact(given.start + given.transfers + given.realised - given.costs - given.locked);
  return Math.max(0, Math.min(given.exchangeFree, own));
}
