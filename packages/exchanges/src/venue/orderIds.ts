/** How many are remembered; a bot's orders are asked for within minutes. */
const MAX_NAMES = 20_000;

/** Client ids by what else is known of an order: lists of trades know only the venue's own ids. */
export interface OrderNames {
  set(order: string, clientOrderId: string): void;
  get(order: string): string | undefined;
}

/**
 * What tells an order from all others of its venue, which numbers those of each pair for themselves.
 *
 * @param symbol the venue's name of the pair
 */
export function orderKey(symbol: unknown, orderId: unknown): string {
  return `${String(symbol)} ${String(orderId)}`;
}

/** Remembers the newest names. */
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
