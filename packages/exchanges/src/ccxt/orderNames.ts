/** How many are remembered; a bot's orders are asked for within minutes. */
const MOST = 20_000;

/** Client ids by the venue's own order ids: lists of trades know only these. */
export interface OrderNames {
  learn(orderId: string, clientOrderId: string): void;
  of(orderId: string): string | undefined;
}

/** Remembers the newest names. */
export function openOrderNames(): OrderNames {
  const names = new Map<string, string>();
  return {
    learn(orderId, clientOrderId) {
      names.delete(orderId);
      names.set(orderId, clientOrderId);
      if (names.size > MOST) names.delete(names.keys().next().value as string);
    },
    of: (orderId) => names.get(orderId),
  };
}
