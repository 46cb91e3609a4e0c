import type { MarketById } from '../binance/parseAccount.ts';
import type { Row } from '../http/row.ts';
import type { OpenOrder } from '../trading.ts';
import { type OrderNames, openOrderNames, orderKey } from '../venue/orderIds.ts';
import { orderOf, stopOf } from './parseAccount.ts';

/** Keeps what is known of orders by the venue's ids: lists of trades contain only these. */
export interface OrderRegister {
  /** Client ids by order. */
  readonly names: OrderNames;
  /** @param order key of `orderKey` */
  remember(order: string, clientOrderId: string, reduceOnly: boolean): void;
  /** Stores that a stop became an order. */
  onTriggered(order: string, stopClientId: string): void;
  /** Returns the client id of the stop that became this order. */
  stopBehind(order: string): string | undefined;
  isReduceOnly(order: string): boolean;
  /** Reads and remembers an order of REST. One that was a stop has the stop's client id. */
  readOrder(row: Row): OpenOrder;
  /** Reads a stop of REST, and remembers the order that it became. */
  readStop(row: Row): OpenOrder;
}

export function openOrderRegister(marketById: MarketById): OrderRegister {
  const names = openOrderNames();
  const reduceOnlyOrders = openOrderNames();
  const stops = openOrderNames();

  function remember(order: string, clientOrderId: string, reduceOnly: boolean): void {
    names.set(order, clientOrderId);
    if (reduceOnly) reduceOnlyOrders.set(order, clientOrderId);
  }

  return {
    names,
    remember,
    onTriggered: stops.set,
    stopBehind: stops.get,
    isReduceOnly: (order) => reduceOnlyOrders.get(order) !== undefined,
    readOrder(row) {
      const order = orderOf(row, marketById);
      const key = orderKey(row.symbol, row.orderId);
      remember(key, order.clientOrderId, order.exit);
      return { ...order, clientOrderId: stops.get(key) ?? order.clientOrderId };
    },
    readStop(row) {
      const stop = stopOf(row, marketById);
      if (row.actualOrderId) stops.set(orderKey(row.symbol, row.actualOrderId), stop.clientOrderId);
      return stop;
    },
  };
}
