/** How a market stands: `cancel-only` takes no new order, `halted` for a while, `delisted` for good. Only a script of faults makes it other than trading. */
export type MarketStatus = 'trading' | 'cancel-only' | 'halted' | 'delisted';

/** What is done to markets from outside. */
export type MarketConditions = {
  status(symbol: string): MarketStatus;
  /** How far from the reference price orders are filled, as a part of it; undefined for as far as always. */
  executionRange(symbol: string): number | undefined;
  /** Which part of an order of the account finds a counterpart, above 0; 1 for all. Asked once for each order. */
  fillablePart(symbol: string): number;
};
