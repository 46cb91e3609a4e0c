import type { GridFill, GridOrder } from '@heron/engine/grid/gridOrder.ts';
import { type Market, notional } from '@heron/engine/market/market.ts';
import { mulDiv, type Price, type Quantity, type Ratio, SCALE } from '@heron/engine/money/units.ts';
import { type Resting, reconcile } from '@heron/engine/plan/orderDifferences.ts';

/** An order of the test's exchange. */
export class BookOrder implements Resting {
  readonly key: string;
  readonly kind: 'entry' | 'exit';
  readonly side: 'buy' | 'sell';
  readonly price: Price;
  rest: Quantity;
  leaving = false;

  constructor({ key, kind, side, price, quantity }: GridOrder) {
    this.key = key;
    this.kind = kind;
    this.side = side;
    this.price = price;
    this.rest = quantity;
  }

  get rung() {
    return this.key;
  }

  get firstPrice() {
    return this.price;
  }

  get target() {
    return this.rest;
  }

  get filled() {
    return 0;
  }

  get afterCancel() {
    return this.leaving ? 'cancelled' : null;
  }
}

/** How the test's exchange charges. */
export interface Charges {
  readonly fee: Ratio;
  /** Fees of buys are taken out of the asset. */
  readonly inAsset: boolean;
}

/** A fill of `quantity` at `price`; fees round up. */
export function fillOf(
  market: Market,
  { fee, inAsset }: Charges,
  side: 'buy' | 'sell',
  price: Price,
  quantity: Quantity,
): GridFill {
  const value = notional(market, price, quantity);
  return inAsset && side === 'buy'
    ? { quantity, value, feeBase: mulDiv(quantity, fee, SCALE, 'up'), feeQuote: 0 }
    : { quantity, value, feeBase: 0, feeQuote: mulDiv(value, fee, SCALE, 'up') };
}

/** Brings the book to what is wanted; cancels stay on the way until {@link BookOrder} is dropped. */
export function apply(book: BookOrder[], wanted: readonly GridOrder[]): GridOrder[] {
  const { place, cancel } = reconcile(wanted, book);
  for (const order of cancel) order.leaving = true;
  for (const rung of place) book.push(new BookOrder(rung));
  return place;
}

/** Orders that a trade at `price` goes through. */
export function crossed(book: readonly BookOrder[], price: Price): BookOrder[] {
  return book.filter((order) => (order.side === 'buy' ? price < order.price : price > order.price));
}
