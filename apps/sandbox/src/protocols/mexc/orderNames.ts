import type { SpotOrder } from '../../accounts/spot/spotOrders.ts';

/** MEXC's order types; time in force is part of the type. */
export const ORDER_TYPES = ['LIMIT', 'MARKET', 'LIMIT_MAKER', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL'] as const;

export type OrderTypeName = (typeof ORDER_TYPES)[number];

export type OrderStatusName = 'NEW' | 'FILLED' | 'PARTIALLY_FILLED' | 'CANCELED' | 'PARTIALLY_CANCELED';

const PREFIX = 'C02__';
/** Orders that came without a client id bear one in our books that no client can send. */
const UNNAMED = '~';

/** Id of an order, unique over all pairs. @param pairIndex place of its pair in the list of pairs */
export function orderIdText(order: { id: number }, pairIndex: number): string {
  return `${PREFIX}${order.id}${String(pairIndex).padStart(3, '0')}`;
}

/** Reads an order id. @returns undefined when it is not one of that pair */
export function readOrderId(text: string, pairIndex: number): number | undefined {
  const digits = /^C02__([0-9]{1,15})([0-9]{3})$/.exec(text);
  return digits && Number(digits[2]) === pairIndex ? Number(digits[1]) : undefined;
}

/** Id of an account's trade. */
export function tradeIdText(trade: { id: number }, pairIndex: number): string {
  return `${trade.id}${String(pairIndex).padStart(3, '0')}X1`;
}

/** Makes the client id under which an unnamed order is kept. @param text unique */
export function unnamed(text: string): string {
  return UNNAMED + text;
}

/** Client id as the client sent it; null when it sent none. */
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
