import type { Trade } from './trade.ts';

/** Trades that a market keeps in memory. */
const CAPACITY = 20_000;
const FIELDS = 8;
/** Fields that never fall from one trade to the next, by their place in a record. */
const RISING = { id: 0, aggregateId: 1, time: 4 } as const;

/**
 * The latest trades of a market, oldest first. They are stored in one ring of numbers, because garbage collection of
 * many objects that live for hours is slow.
 */
export class RecentTrades {
  readonly #ring = new Float64Array(CAPACITY * FIELDS);
  /** Number of trades ever pushed. */
  #pushed = 0;

  get length(): number {
    return Math.min(this.#pushed, CAPACITY);
  }

  push(trade: Trade): void {
    const at = (this.#pushed % CAPACITY) * FIELDS;
    const ring = this.#ring;
    ring[at] = trade.id;
    ring[at + 1] = trade.aggregateId;
    ring[at + 2] = trade.tick;
    ring[at + 3] = trade.quantity;
    ring[at + 4] = trade.time;
    ring[at + 5] = trade.buyerOrderId;
    ring[at + 6] = trade.sellerOrderId;
    ring[at + 7] = trade.buyerIsMaker ? 1 : 0;
    this.#pushed++;
  }

  /** Returns the newest trade. */
  last(): Trade | undefined {
    return this.slice(-1)[0];
  }

  /** Returns the trades from `start` to `end` (exclusive); negative starts count from the end, as in Array.slice. */
  slice(start: number, end = this.length): Trade[] {
    const from = start < 0 ? Math.max(0, this.length + start) : start;
    const trades: Trade[] = [];
    for (let i = from; i < Math.min(end, this.length); i++) {
      const at = this.#at(i);
      const field = (offset: number) => this.#ring[at + offset] as number;
      trades.push({
        id: field(0),
        aggregateId: field(1),
        tick: field(2),
        quantity: field(3),
        time: field(4),
        buyerOrderId: field(5),
        sellerOrderId: field(6),
        buyerIsMaker: field(7) === 1,
      });
    }
    return trades;
  }

  /** Returns the index of the first trade whose `field` is `min` or more; the length when there is none. */
  firstAtLeast(field: keyof typeof RISING, min: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ring[this.#at(middle) + RISING[field]] as number) < min) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #at(index: number): number {
    return ((this.#pushed - this.length + index) % CAPACITY) * FIELDS;
  }
}
