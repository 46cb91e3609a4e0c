import type { AccountSnapshot, PairOnAccount } from '@heron/engine/live/executionEvent.ts';
import { ORDER_LIFETIME_MS, type OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OrderReport, OwnFill, TradeCursor } from '@heron/engine/live/report.ts';
import { type Market, notional } from '@heron/engine/market/market.ts';
import { mulDivUp, type Price, type Quantity, type Quote } from '@heron/engine/money/units.ts';

/** Fee rate of 0.1 %. */
const FEE = 100_000;

interface ModelOrder {
  readonly request: OrderRequest;
  filled: Quantity;
  status: OrderReport['status'];
  updatedAt: number;
  /** Whether this is a stop that has not triggered. */
  waits: boolean;
}

/** Result of a request: the response, and the reports on the stream. */
export interface Answered {
  readonly report: OrderReport | null;
  readonly updates: readonly (OrderReport | OwnFill)[];
}

type Rejection = 'duplicate' | 'too late' | 'would take' | 'offered already' | 'too little cash' | 'would trigger';

/** A strict, exact exchange with one pair and one account: it rejects late and duplicate requests. */
export class ModelExchange {
  readonly market: Market;
  readonly orders = new Map<string, ModelOrder>();
  readonly fills: OwnFill[] = [];
  cash: Quote;
  held: Quantity = 0;
  price: Price;
  /** Number of orders of one parent order that were open at the same time. */
  doubled = 0;
  /** Number of sell orders, stops included, for a quantity that another order already offered. */
  oversold = 0;
  /** Number of orders that were sent although the exchange had them. */
  sentTwice = 0;

  constructor(market: Market, cash: Quote, price: Price) {
    this.market = market;
    this.cash = cash;
    this.price = price;
  }

  /** @param share filled share of a taker order, 0–1; the rest of an IOC expires */
  place(request: OrderRequest, at: number, share: number): Answered {
    const { clientOrderId: name, type, trigger } = request;
    const rejection = this.rejectionOf(request, at);
    if (rejection === 'duplicate') this.sentTwice += 1;
    if (rejection === 'offered already') this.oversold += 1;
    if (rejection !== null) return { report: null, updates: [] };
    if (this.hasOpenOrderOf(parentOf(name))) this.doubled += 1;
    const order: ModelOrder = {
      request,
      filled: 0,
      status: 'open',
      updatedAt: at,
      waits: trigger !== undefined,
    };
    this.orders.set(name, order);
    const updates: (OrderReport | OwnFill)[] = [reportOf(order)];
    if (type !== 'limit_maker' && trigger === undefined) updates.push(...this.fillAtOnce(order, at, share));
    return { report: reportOf(order), updates };
  }

  /** Returns why an order is rejected, or null. */
  private rejectionOf(request: OrderRequest, at: number): Rejection | null {
    const { clientOrderId: name, decidedAt, side, type, price, quantity, trigger } = request;
    if (this.orders.has(name)) return 'duplicate';
    if (at - decidedAt > ORDER_LIFETIME_MS) return 'too late';
    if (type === 'limit_maker' && this.crosses(side, price)) return 'would take';
    if (side === 'sell' && quantity > this.held - this.offered()) return 'offered already';
    const value = notional(this.market, price || this.price, quantity);
    if (side === 'buy' && value > this.cash - this.locked()) return 'too little cash';
    return trigger !== undefined && this.price <= trigger.price ? 'would trigger' : null;
  }

  private crosses(side: 'buy' | 'sell', price: Price): boolean {
    return side === 'buy' ? price >= this.price : price <= this.price;
  }

  private hasOpenOrderOf(parent: string): boolean {
    return [...this.orders].some(([name, { status }]) => parentOf(name) === parent && status === 'open');
  }

  /** Fills a share of a taker order in two parts; the rest expires. */
  private fillAtOnce(order: ModelOrder, at: number, share: number): (OrderReport | OwnFill)[] {
    const { clientOrderId: name, quantity } = order.request;
    const { step } = this.market;
    const wanted = Math.floor((quantity * share) / step) * step;
    const half = Math.floor(wanted / 2 / step) * step;
    const parts = [half, wanted - half].filter((part) => part > 0);
    const updates = parts.flatMap((part) => this.fill(name, part, this.price, at));
    if (order.status !== 'open') return updates;
    order.status = 'expired';
    return [...updates, reportOf(order)];
  }

  /** Moves the price and triggers the stops that it reaches. The unfilled rest of a limit order stays open. */
  moveTo(price: Price, at: number): (OrderReport | OwnFill)[] {
    this.price = price;
    const updates: (OrderReport | OwnFill)[] = [];
    for (const [name, order] of this.orders) {
      const { request, status, filled } = order;
      const { quantity, trigger } = request;
      if (status !== 'open' || trigger === undefined) continue;
      if (!order.waits && price >= request.price) updates.push(...this.fill(name, quantity - filled, price, at));
      if (!order.waits || price > trigger.price) continue;
      order.waits = false;
      const half = Math.floor(quantity / 2 / this.market.step) * this.market.step;
      updates.push(...this.fill(name, half, price, at));
      if (price >= request.price) updates.push(...this.fill(name, quantity - half, price, at));
    }
    return updates;
  }

  /** Returns the quantity of the asset that open orders sell. */
  private offered(): Quantity {
    return [...this.orders.values()]
      .filter(({ status, request }) => status === 'open' && request.side === 'sell')
      .reduce((sum, { request, filled }) => sum + request.quantity - filled, 0);
  }

  /** Fills a part of an order; the fill precedes the report that includes it. */
  fill(name: string, quantity: Quantity, price: Price, at: number): (OrderReport | OwnFill)[] {
    const order = this.orders.get(name);
    if (order === undefined || order.status !== 'open' || quantity <= 0) return [];
    const { request } = order;
    const buys = request.side === 'buy';
    const value = notional(this.market, price, quantity);
    const fee = mulDivUp(buys ? quantity : value, FEE, 1e8);
    this.cash += buys ? -value : value - fee;
    this.held += buys ? quantity - fee : -quantity;
    order.filled += quantity;
    order.updatedAt = at;
    if (order.filled === request.quantity) order.status = 'filled';
    const fill: OwnFill = {
      id: `${this.fills.length + 1}`,
      at,
      pair: request.pair,
      clientOrderId: name,
      side: request.side,
      price,
      quantity,
      fee,
      feeAsset: buys ? this.market.base : this.market.quote,
      liquidity: request.type === 'limit_maker' ? 'maker' : 'taker',
      exit: request.exit,
    };
    this.fills.push(fill);
    return [fill, reportOf(order)];
  }

  cancel(name: string, at: number): Answered {
    return this.end(name, 'canceled', at);
  }

  /** Ends an open order before it is filled. */
  end(name: string, how: 'canceled' | 'expired', at: number): Answered {
    const order = this.orders.get(name);
    if (order === undefined || order.status !== 'open') return { report: null, updates: [] };
    order.status = how;
    order.updatedAt = at;
    return { report: reportOf(order), updates: [reportOf(order)] };
  }

  /** Deposits, or withdraws cash that no order locks. @returns the moved amount */
  moveCash(amount: Quote): Quote {
    const moved = Math.max(amount, -Math.max(0, this.cash - this.locked()));
    this.cash += moved;
    return moved;
  }

  /** Sells, as the user, a quantity that no order offers, without a fee. @returns the sold quantity */
  sellByHand(quantity: Quantity): Quantity {
    const sold = Math.min(quantity, Math.max(0, this.held - this.offered()));
    this.held -= sold;
    this.cash += notional(this.market, this.price, sold);
    return sold;
  }

  /** Returns the amount of the currency that open orders lock. */
  private locked(): Quote {
    return [...this.orders.values()]
      .filter(({ status, request }) => status === 'open' && request.side === 'buy')
      .reduce((sum, { request, filled }) => sum + notional(this.market, request.price, request.quantity - filled), 0);
  }

  report(name: string): OrderReport | null {
    const order = this.orders.get(name);
    return order === undefined ? null : reportOf(order);
  }

  /** Returns fills as MEXC does: from the whole second of the cursor on, so that some earlier fills are repeated. */
  fillsFrom({ at }: TradeCursor): OwnFill[] {
    return this.fills.filter((fill) => fill.at >= Math.floor(at / 1_000) * 1_000);
  }

  /** @param since time of the cursor of the bot */
  snapshot(at: number, since: number): AccountSnapshot {
    const pair: PairOnAccount = {
      pair: this.market.pair,
      quantity: this.held,
      others: 0,
      leverage: 1,
      isolated: false,
      margin: 0,
      market: this.market,
      brackets: [],
    };
    const open = [...this.orders.values()].filter(({ status }) => status === 'open');
    return {
      askedAt: at,
      cash: this.cash,
      free: this.cash - this.locked(),
      otherBots: [],
      fills: this.fillsFrom({ at: since, id: '' }),
      cursors: { [this.market.pair]: { at: Math.max(since, at - 60_000), id: '' } },
      incomes: [],
      incomesSince: 0,
      openOrders: open.map((order) => ({ ...reportOf(order), exit: order.request.exit })),
      settled: true,
      pairs: [pair],
    };
  }
}

/** Returns the part of a client id that the orders of one parent order share. */
function parentOf(name: string): string {
  return name.slice(0, name.lastIndexOf('-') + 1);
}

function reportOf({ request, filled, status, updatedAt }: ModelOrder): OrderReport {
  const { clientOrderId, pair, side, type, price, quantity, trigger } = request;
  const order = { clientOrderId, pair, side, type, price, quantity, filled, status, at: updatedAt };
  return trigger === undefined ? order : { ...order, trigger };
}
