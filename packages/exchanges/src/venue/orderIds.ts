/** Number of ids that are kept. The orders of a bot are read within minutes. */
const MAX_NAMES = 20_000;

/** Client ids by the venue's order ids: lists of trades contain only the latter. */
export interface OrderNames {
  set(order: string, clientOrderId: string): void;
  get(order: string): string | undefined;
}

/**
 * Returns a key that is unique at the venue, which numbers the orders of each pair separately.
 *
 * @param symbol the venue's name of the pair
 */
export function orderKey(symbol: unknown, orderId: unknown): string {
  return `${String(symbol)} ${String(orderId)}`;
}

/** Keeps the newest client ids. */
export function openOrderNames(): OrderNames {
  const names = new Map<string, string>();
  return {
    set(order, clientOrderId) {
      names.delete(order);
      names.set(order, clientOrderId);
      if (names.size > MAX_NAMES) names.delete(names.keys().next().value as string);
    },
    get: (order) => names.get(order),
  };
}
