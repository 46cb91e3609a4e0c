import type { GridFill, PlanOrder } from '@heron/engine/grid/planOrder.ts';
import { type Market, notional } from '@heron/engine/market/market.ts';
import { mulDiv, type Price, type Quantity, type Ratio, SCALE } from '@heron/engine/money/units.ts';
import { type OpenPlanOrder, orderDifferences } from '@heron/engine/plan/orderDifferences.ts';

/** An order of the test exchange. */
export class BookOrder implements OpenPlanOrder {
  readonly key: string;
  readonly kind: 'entry' | 'exit';
  readonly side: 'buy' | 'sell';
  readonly price: Price;
  rest: Quantity;
  leaving = false;

  constructor({ key, kind, side, price, quantity }: PlanOrder) {
    this.key = key;
    this.kind = kind;
    this.side = side;
    this.price = price;
    this.rest = quantity;
  }

  get planKey() {
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

/** Fees of the test exchange. */
export interface Charges {
  readonly fee: Ratio;
  /** Whether fees of buys are charged in the base asset. */
  readonly inAsset: boolean;
}

/** Creates a fill of `quantity` at `price`; fees round up. */
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

/** Reconciles the book with the wanted orders. A cancelled order stays in the book until the test drops it. */
export function apply(book: BookOrder[], wanted: readonly PlanOrder[]): PlanOrder[] {
  const { place, cancel } = orderDifferences(wanted, book);
  for (const order of cancel) order.leaving = true;
  for (const gridOrder of place) book.push(new BookOrder(gridOrder));
  return place;
}

/** Returns the orders that a trade at `price` fills. */
export function crossed(book: readonly BookOrder[], price: Price): BookOrder[] {
  return book.filter((order) => (order.side === 'buy' ? price < order.price : price > order.price));
}
