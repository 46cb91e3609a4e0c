/** How a market stands: `halted` for a while, `delisted` for good. Only a script of faults makes it other than trading. */
export type Standing = 'trading' | 'halted' | 'delisted';

/** What is done to markets from outside. */
export type Conditions = {
  standing(symbol: string): Standing;
  /** Which part of an order of the account finds a counterpart, above 0; 1 for all. Asked once for each order. */
  part(symbol: string): number;
};
