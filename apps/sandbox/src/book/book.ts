import { PriceLevels } from './priceLevels.ts';

export type Side = 'buy' | 'sell';

/** The handling of orders by which an account would trade with itself (Binance: selfTradePreventionMode). */
export type SelfTradePrevention = 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT';

/** The owner of simulated orders. They may trade with one another, because they represent many participants. */
export const CROWD = 0;

export type Taker = {
  id: number;
  owner: number;
  side: Side;
  /** Worst acceptable price in ticks. */
  limit: number;
  /** Steps to fill; Infinity when only `budget` limits them. */
  quantity: number;
  /** Maximum value to spend or receive, in tick × step; Infinity when only `quantity` limits it. */
  budget: number;
  selfTrade: SelfTradePrevention;
};

export type Fill = {
  makerId: number;
  makerOwner: number;
  /** Price in ticks. */
  tick: number;
  /** Quantity in steps. */
  quantity: number;
  /** Steps of the maker order that stay in the book. */
  makerRemaining: number;
};

export type MatchResult = {
  fills: Fill[];
  /** Steps filled. */
  filled: number;
  /** Orders of the same owner that were removed instead of traded with. */
  expired: { id: number; quantity: number }[];
  /** Whether the taker itself must expire because of self-trade prevention. */
  takerExpired: boolean;
  /** DECREMENT: the steps that the taker and an order of the same owner lost without a trade. */
  decremented: { id: number; quantity: number; makerRemaining: number }[];
  /** Steps that the taker lost to DECREMENT. */
  prevented: number;
};

/**
 * A price-time-priority order book on integers: prices in ticks, quantities in steps. It knows no money, no accounts
 * and no clock. Its callers apply the rules (post-only, time in force, filters) by means of `preview`.
 */
export class Book {
  readonly bids = new PriceLevels();
  readonly asks = new PriceLevels();
  #bestBid = -1;
  #bestAsk = -1;
  /** Rises by one at each change of a level; depth streams carry it. */
  updateId: number;
  /** Levels that changed since the set was last cleared: tick for asks, -tick for bids. */
  readonly changed = new Set<number>();

  #slots = new Map<number, number>();
  #free: number[] = [];
  #used = 0;
  #id = new Float64Array(1024);
  #owner = new Int32Array(1024);
  #tick = new Int32Array(1024);
  #quantity = new Float64Array(1024);
  #isBid = new Uint8Array(1024);
  #next = new Int32Array(1024);
  #previous = new Int32Array(1024);

  constructor(updateId = 0) {
    this.updateId = updateId;
  }

  /** Highest bid in ticks, -1 when there is none. */
  get bestBid(): number {
    return this.#bestBid;
  }

  /** Lowest ask in ticks, -1 when there is none. */
  get bestAsk(): number {
    return this.#bestAsk;
  }

  /** Returns the steps of order `id` that are still open, 0 when it is not in the book. */
  remaining(id: number): number {
    const slot = this.#slots.get(id);
    return slot === undefined ? 0 : (this.#quantity[slot] as number);
  }

  /** Whether a limit order at `tick` would trade at once. */
  crosses(side: Side, tick: number): boolean {
    return side === 'buy'
      ? this.#bestAsk !== -1 && tick >= this.#bestAsk
      : this.#bestBid !== -1 && tick <= this.#bestBid;
  }

  /**
   * Adds an order at the end of the queue of its price. The caller has matched it before.
   *
   * @param tick price in ticks, 1 to 2^27 - 1
   * @param quantity steps, above 0
   * @throws Error on an order that crosses, exists already or is impossible, because the caller is wrong
   */
  addOrder(id: number, owner: number, side: Side, tick: number, quantity: number): void {
    if (this.crosses(side, tick) || this.#slots.has(id) || !(quantity > 0)) {
      throw new Error(`order ${id} cannot rest: ${side} ${quantity} at ${tick}`);
    }
    const slot = this.#free.pop() ?? this.#grow();
    const isBid = side === 'buy';
    const priceLevels = isBid ? this.bids : this.asks;
    const last = priceLevels.tail(tick);
    this.#id[slot] = id;
    this.#owner[slot] = owner;
    this.#tick[slot] = tick;
    this.#quantity[slot] = quantity;
    this.#isBid[slot] = isBid ? 1 : 0;
    this.#previous[slot] = last;
    this.#next[slot] = -1;
    if (last !== -1) this.#next[last] = slot;
    priceLevels.set(tick, last === -1 ? slot : priceLevels.head(tick), slot, quantity);
    this.#slots.set(id, slot);
    if (isBid) {
      if (tick > this.#bestBid) this.#bestBid = tick;
    } else if (this.#bestAsk === -1 || tick < this.#bestAsk) this.#bestAsk = tick;
    this.#markChanged(isBid, tick);
  }

  /** Removes an order. @returns the steps that were open, 0 when it was not in the book */
  cancel(id: number): number {
    const slot = this.#slots.get(id);
    if (slot === undefined) return 0;
    const left = this.#quantity[slot] as number;
    this.#remove(slot);
    return left;
  }

  /**
   * Reduces an order; it keeps its place in the queue.
   *
   * @param left steps that stay, 1 or more and no more than it has
   * @throws Error when it is not in the book or would not be smaller, because the caller is wrong
   */
  reduce(id: number, left: number): void {
    const slot = this.#slots.get(id);
    const resting = slot === undefined ? 0 : (this.#quantity[slot] as number);
    if (slot === undefined || !(left > 0 && left <= resting)) throw new Error(`order ${id} cannot be cut to ${left}`);
    if (left < resting) this.#reduceBy(slot, resting - left);
  }

  /** Fills a taker, best price first, oldest order first. The rest of the taker is not added to the book. */
  match(taker: Taker): MatchResult {
    const result: MatchResult = {
      fills: [],
      filled: 0,
      expired: [],
      takerExpired: false,
      decremented: [],
      prevented: 0,
    };
    const buying = taker.side === 'buy';
    const priceLevels = buying ? this.asks : this.bids;
    let wanted = taker.quantity;
    let budget = taker.budget;
    while (wanted > 0) {
      const tick = buying ? this.#bestAsk : this.#bestBid;
      if (tick === -1 || (buying ? tick > taker.limit : tick < taker.limit)) break;
      const affordable = budget === Infinity ? Infinity : Math.floor(budget / tick);
      if (affordable < 1) break;
      const slot = priceLevels.head(tick);
      const owner = this.#owner[slot] as number;
      const resting = this.#quantity[slot] as number;
      if (owner === taker.owner && owner !== CROWD && taker.selfTrade !== 'NONE') {
        if (taker.selfTrade === 'DECREMENT') {
          const quantity = Math.min(wanted, resting, affordable);
          result.decremented.push({ id: this.#id[slot] as number, quantity, makerRemaining: resting - quantity });
          result.prevented += quantity;
          wanted -= quantity;
          budget -= quantity * tick;
          this.#reduceBy(slot, quantity);
          continue;
        }
        if (taker.selfTrade !== 'EXPIRE_TAKER') {
          result.expired.push({ id: this.#id[slot] as number, quantity: this.#quantity[slot] as number });
          this.#remove(slot);
        }
        if (taker.selfTrade === 'EXPIRE_MAKER') continue;
        result.takerExpired = true;
        break;
      }
      const quantity = Math.min(wanted, resting, affordable);
      result.fills.push({
        makerId: this.#id[slot] as number,
        makerOwner: owner,
        tick,
        quantity,
        makerRemaining: resting - quantity,
      });
      result.filled += quantity;
      wanted -= quantity;
      budget -= quantity * tick;
      this.#reduceBy(slot, quantity);
    }
    return result;
  }

  /**
   * Returns the fills of `match` without executing it.
   *
   * @returns steps that would fill and their cost in tick × step
   */
  preview(taker: Taker): { filled: number; cost: bigint } {
    const buying = taker.side === 'buy';
    const priceLevels = buying ? this.asks : this.bids;
    let tick = buying ? this.#bestAsk : this.#bestBid;
    let wanted = taker.quantity;
    let budget = taker.budget;
    let filled = 0;
    let cost = 0n;
    while (tick !== -1 && wanted > 0 && (buying ? tick <= taker.limit : tick >= taker.limit)) {
      for (let slot = priceLevels.head(tick); slot !== -1 && wanted > 0; slot = this.#next[slot] as number) {
        const own = this.#owner[slot] === taker.owner && taker.owner !== CROWD && taker.selfTrade !== 'NONE';
        if (own && taker.selfTrade === 'EXPIRE_MAKER') continue;
        const affordable = budget === Infinity ? Infinity : Math.floor(budget / tick);
        if ((own && taker.selfTrade !== 'DECREMENT') || affordable < 1) return { filled, cost };
        const quantity = Math.min(wanted, this.#quantity[slot] as number, affordable);
        if (own) {
          wanted -= quantity;
          budget -= quantity * tick;
          continue;
        }
        filled += quantity;
        wanted -= quantity;
        budget -= quantity * tick;
        cost += BigInt(quantity) * BigInt(tick);
      }
      tick = buying ? priceLevels.atOrAbove(tick + 1) : priceLevels.atOrBelow(tick - 1);
    }
    return { filled, cost };
  }

  /** Returns the best `limit` levels of a side as [tick, steps], best first. */
  levels(side: Side, limit: number): [number, number][] {
    const out: [number, number][] = [];
    const priceLevels = side === 'buy' ? this.bids : this.asks;
    let tick = side === 'buy' ? this.#bestBid : this.#bestAsk;
    while (tick !== -1 && out.length < limit) {
      out.push([tick, priceLevels.quantity(tick)]);
      tick = side === 'buy' ? priceLevels.atOrBelow(tick - 1) : priceLevels.atOrAbove(tick + 1);
    }
    return out;
  }

  /** Returns the orders at one price, oldest first. */
  queue(side: Side, tick: number): { id: number; owner: number; quantity: number }[] {
    const out: { id: number; owner: number; quantity: number }[] = [];
    for (
      let slot = (side === 'buy' ? this.bids : this.asks).head(tick);
      slot !== -1;
      slot = this.#next[slot] as number
    ) {
      out.push({
        id: this.#id[slot] as number,
        owner: this.#owner[slot] as number,
        quantity: this.#quantity[slot] as number,
      });
    }
    return out;
  }

  /** Reduces an order by some steps, and removes it when none are left. */
  #reduceBy(slot: number, quantity: number): void {
    const left = (this.#quantity[slot] as number) - quantity;
    if (left === 0) {
      this.#remove(slot);
      return;
    }
    const tick = this.#tick[slot] as number;
    const isBid = this.#isBid[slot] === 1;
    this.#quantity[slot] = left;
    (isBid ? this.bids : this.asks).add(tick, -quantity);
    this.#markChanged(isBid, tick);
  }

  #remove(slot: number): void {
    const isBid = this.#isBid[slot] === 1;
    const tick = this.#tick[slot] as number;
    const priceLevels = isBid ? this.bids : this.asks;
    const before = this.#previous[slot] as number;
    const after = this.#next[slot] as number;
    if (before !== -1) this.#next[before] = after;
    if (after !== -1) this.#previous[after] = before;
    const head = before === -1 ? after : priceLevels.head(tick);
    const tail = after === -1 ? before : priceLevels.tail(tick);
    priceLevels.set(tick, head, tail, -(this.#quantity[slot] as number));
    this.#slots.delete(this.#id[slot] as number);
    this.#free.push(slot);
    if (head === -1) {
      if (isBid) {
        if (tick === this.#bestBid) this.#bestBid = priceLevels.atOrBelow(tick - 1);
      } else if (tick === this.#bestAsk) this.#bestAsk = priceLevels.atOrAbove(tick + 1);
    }
    this.#markChanged(isBid, tick);
  }

  #markChanged(isBid: boolean, tick: number): void {
    this.updateId++;
    this.changed.add(isBid ? -tick : tick);
  }

  #grow(): number {
    if (this.#used === this.#id.length) {
      const size = this.#used * 2;
      this.#id = enlarge(this.#id, new Float64Array(size));
      this.#owner = enlarge(this.#owner, new Int32Array(size));
      this.#tick = enlarge(this.#tick, new Int32Array(size));
      this.#quantity = enlarge(this.#quantity, new Float64Array(size));
      this.#isBid = enlarge(this.#isBid, new Uint8Array(size));
      this.#next = enlarge(this.#next, new Int32Array(size));
      this.#previous = enlarge(this.#previous, new Int32Array(size));
    }
    return this.#used++;
  }
}

function enlarge<T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
