import type { Price } from '../money/units.ts';

/** A pair that buying and holding would have bought when the account began. @see docs/accounting.md#figures-of-a-bot */
export interface BenchmarkPair {
  readonly pair: string;
  /** Its mark, or last price, at its first quote; 0 before it. */
  first: Price;
  /** Last price of a pair that the bot no longer follows; 0 while it follows the pair. */
  last: Price;
}
