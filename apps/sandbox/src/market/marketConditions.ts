/**
 * The status of a market: `cancel-only` rejects new orders, `halted` is temporary, `delisted` final. Only a script of
 * faults changes it from trading.
 */
export type MarketStatus = 'trading' | 'cancel-only' | 'halted' | 'delisted';

/** Changes of the markets by a script of faults. */
export type MarketConditions = {
  status(symbol: string): MarketStatus;
  /** Returns how far from the reference price orders are filled, as a part of it; undefined for the usual range. */
  executionRange(symbol: string): number | undefined;
  /**
   * Returns the part of an order of the account that finds a counterpart, above 0 to 1. It must be called once for each
   * order.
   */
  fillablePart(symbol: string): number;
};
