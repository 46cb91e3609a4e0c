import type { SpotOrder } from '../../accounts/spot/spotOrders.ts';

/** MEXC's order types; time in force is part of the type. */
export const ORDER_TYPES = ['LIMIT', 'MARKET', 'LIMIT_MAKER', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL'] as const;

export type OrderTypeName = (typeof ORDER_TYPES)[number];

export type OrderStatusName = 'NEW' | 'FILLED' | 'PARTIALLY_FILLED' | 'CANCELED' | 'PARTIALLY_CANCELED';

const PREFIX = 'C02__';
/** Client ids of orders that were sent without one begin with this character, which clients cannot send. */
const UNNAMED = '~';

/** Returns the id of an order, unique over all pairs. @param pairIndex place of its pair in the list of pairs */
export function orderIdText(order: { id: number }, pairIndex: number): string {
  return `${PREFIX}${order.id}${String(pairIndex).padStart(3, '0')}`;
}

/** Reads an order id. @returns undefined when it is not one of that pair */
export function readOrderId(text: string, pairIndex: number): number | undefined {
  const digits = /^C02__([0-9]{1,15})([0-9]{3})$/.exec(text);
  return digits && Number(digits[2]) === pairIndex ? Number(digits[1]) : undefined;
}

/** Returns the id of an account trade. */
export function tradeIdText(trade: { id: number }, pairIndex: number): string {
  return `${trade.id}${String(pairIndex).padStart(3, '0')}X1`;
}

/** Returns the stored client id of an order that was sent without one. @param text unique */
export function unnamed(text: string): string {
  return UNNAMED + text;
}

/** Returns the client id as the client sent it; null when it sent none. */
export function clientIdText(order: Pick<SpotOrder, 'clientId'>): string | null {
  return order.clientId.startsWith(UNNAMED) ? null : order.clientId;
}

export function orderTypeName(order: Pick<SpotOrder, 'type' | 'timeInForce'>): OrderTypeName {
  if (order.type === 'MARKET' || order.type === 'LIMIT_MAKER') return order.type;
  if (order.timeInForce === 'IOC') return 'IMMEDIATE_OR_CANCEL';
  return order.timeInForce === 'FOK' ? 'FILL_OR_KILL' : 'LIMIT';
}

export function orderStatusName(order: Pick<SpotOrder, 'status' | 'filled'>): OrderStatusName {
  if (order.status === 'NEW' || order.status === 'FILLED' || order.status === 'PARTIALLY_FILLED') return order.status;
  return order.filled > 0 ? 'PARTIALLY_CANCELED' : 'CANCELED';
}
