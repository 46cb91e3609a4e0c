import { Book, CROWD, type MatchResult, type Side, type Taker } from '../book/book.ts';
import { type Candle, type Candles, MINUTE_MS } from './candles.ts';
import type { MarketConditions, MarketStatus } from './marketConditions.ts';
import { notionalDecimals, type Pair } from './pairs.ts';
import type { Random } from './random.ts';
import { RecentTrades } from './recentTrades.ts';
import type { Trade } from './trade.ts';

/** The result of a taker, for the accounts. `trades` correspond to `result.fills`, one for one. */
export type Match = { taker: Taker; result: MatchResult; trades: Trade[] };

/** Maximum number of orders that simulated makers add to one side at once, so that a gap fills within seconds. */
const REFILL = 12;

/** Additional spread, as a part of the price, when half of the liquidity is gone. */
const THIN_SPREAD = 0.00002;

/** Counters that must never go back. */
export type Counters = { nextTradeId: number; nextAggregateId: number; nextOrderId: number; updateId: number };

export type PairMarketOptions = {
  pair: Pair;
  /** Place of the pair in the list of its venue. */
  index: number;
  candles: Candles;
  counters: Counters;
  random: Random;
};

/**
 * The market of one pair: its book, its forming candle, its recent trades, and the simulated crowd. Makers keep orders
 * around a fair price, takers arrive at random, and fast takers fill stale orders.
 */
export class PairMarket {
  readonly pair: Pair;
  readonly index: number;
  readonly book: Book;
  readonly candles: Candles;
  readonly recent = new RecentTrades();
  readonly #random: Random;
  nextTradeId: number;
  nextAggregateId: number;
  nextOrderId: number;
  forming: Candle;
  /** Price of the last trade in ticks, and its quantity in steps. */
  lastTick: number;
  lastQuantity = 0;
  /** When the crowd acts next, epoch milliseconds. */
  nextQuoteAt = 0;
  nextTakerAt = 0;
  /** Matches that the venue has not booked yet. */
  matches: Match[] = [];
  /** Conditions by a script of faults; undefined when there is none. */
  conditions: MarketConditions | undefined;
  #crowdBids = 0;
  #crowdAsks = 0;
  #lastTaker: Side = 'buy';

  constructor({ pair, index, candles, counters, random }: PairMarketOptions) {
    const last = candles.last();
    if (!last) throw new Error(`${pair.symbol} has no history`);
    this.pair = pair;
    this.index = index;
    this.candles = candles;
    this.book = new Book(counters.updateId);
    this.nextTradeId = counters.nextTradeId;
    this.nextAggregateId = counters.nextAggregateId;
    this.nextOrderId = counters.nextOrderId;
    this.#random = random;
    this.lastTick = last.close;
    this.forming = flat(last.minute + 1, last.close, this.nextTradeId);
  }

  get counters(): Counters {
    return {
      nextTradeId: this.nextTradeId,
      nextAggregateId: this.nextAggregateId,
      nextOrderId: this.nextOrderId,
      updateId: this.book.updateId,
    };
  }

  get randomState() {
    return this.#random.state;
  }

  get status(): MarketStatus {
    return this.conditions?.status(this.pair.symbol) ?? 'trading';
  }

  /** Closes every candle that ended by `time`; minutes without trades are flat at the last price. */
  closeCandles(time: number): void {
    const minute = Math.floor(time / MINUTE_MS);
    while (this.forming.minute < minute) {
      this.candles.push(this.forming);
      this.forming = flat(this.forming.minute + 1, this.forming.close, this.nextTradeId);
    }
  }

  /** Restarts after a gap that was filled with generated candles: the forming candle follows the last of them. */
  resetAfterGap(): void {
    const last = this.candles.last() as Candle;
    this.lastTick = last.close;
    this.forming = flat(last.minute + 1, last.close, this.nextTradeId);
    this.#cancelCrowd('buy', () => true);
    this.#cancelCrowd('sell', () => true);
  }

  /** Adds a stored trade to the forming candle and the recent trades. */
  restoreTrade(trade: Trade): void {
    this.closeCandles(trade.time);
    if (Math.floor(trade.time / MINUTE_MS) === this.forming.minute) {
      if (this.forming.trades === 0) this.forming.firstTradeId = trade.id;
      this.#addToCandle(trade);
      this.lastTick = trade.tick;
    }
    this.lastQuantity = trade.quantity;
    this.recent.push(trade);
    this.nextTradeId = Math.max(this.nextTradeId, trade.id + 1);
    this.nextAggregateId = Math.max(this.nextAggregateId, trade.aggregateId + 1);
    this.nextOrderId = Math.max(this.nextOrderId, trade.buyerOrderId + 1, trade.sellerOrderId + 1);
  }

  /** Matches a taker and records the trades. The caller handles the rest of the taker. */
  take(taker: Taker, time: number): Match {
    this.closeCandles(time);
    const result = this.book.match(taker);
    const trades: Trade[] = [];
    let aggregateTick = -1;
    for (const fill of result.fills) {
      if (fill.tick !== aggregateTick) {
        if (aggregateTick !== -1) this.nextAggregateId++;
        aggregateTick = fill.tick;
      }
      const buying = taker.side === 'buy';
      const trade: Trade = {
        id: this.nextTradeId++,
        aggregateId: this.nextAggregateId,
        tick: fill.tick,
        quantity: fill.quantity,
        time,
        buyerOrderId: buying ? taker.id : fill.makerId,
        sellerOrderId: buying ? fill.makerId : taker.id,
        buyerIsMaker: !buying,
      };
      trades.push(trade);
      this.recent.push(trade);
      this.#addToCandle(trade);
      this.lastTick = trade.tick;
      this.lastQuantity = trade.quantity;
      if (fill.makerOwner === CROWD && fill.makerRemaining === 0) {
        if (buying) this.#crowdAsks--;
        else this.#crowdBids--;
      }
    }
    if (aggregateTick !== -1) this.nextAggregateId++;
    const match = { taker, result, trades };
    if (trades.length > 0 || result.expired.length > 0 || result.decremented.length > 0) this.matches.push(match);
    return match;
  }

  /**
   * Cancels simulated orders until a taker within `limit` finds no more than `steps`.
   *
   * @param side of the taker
   */
  thinBook(side: Side, limit: number, steps: number): void {
    const opposite = side === 'buy' ? 'sell' : 'buy';
    const priceLevels = side === 'buy' ? this.book.asks : this.book.bids;
    let left = steps;
    let tick = side === 'buy' ? this.book.bestAsk : this.book.bestBid;
    while (tick !== -1 && (side === 'buy' ? tick <= limit : tick >= limit)) {
      for (const order of this.book.queue(opposite, tick)) {
        if (order.owner !== CROWD) continue;
        if (left === 0) this.#cancel(opposite, order.id);
        else if (order.quantity > left) this.book.reduce(order.id, left);
        left = Math.max(0, left - order.quantity);
      }
      tick = side === 'buy' ? priceLevels.atOrAbove(tick + 1) : priceLevels.atOrBelow(tick - 1);
    }
  }

  /**
   * Fills an order of an account by a simulated taker, after cancelling the simulated orders before it. Does nothing
   * when another order of an account is before it.
   */
  fillFromCrowd({ id, side, tick }: { id: number; side: Side; tick: number }, steps: number, time: number): void {
    this.#cancelCrowd(side, (other) => (side === 'buy' ? other > tick : other < tick));
    for (const order of this.book.queue(side, tick)) {
      if (order.id === id) break;
      if (order.owner === CROWD) this.#cancel(side, order.id);
    }
    const best = side === 'buy' ? this.book.bestBid : this.book.bestAsk;
    if (best !== tick || this.book.queue(side, tick)[0]?.id !== id) return;
    this.take(
      {
        id: this.nextOrderId++,
        owner: CROWD,
        side: side === 'buy' ? 'sell' : 'buy',
        limit: tick,
        quantity: steps,
        budget: Infinity,
        selfTrade: 'NONE',
      },
      time,
    );
  }

  /**
   * Moves the orders of the makers to a fair price. Faster takers fill orders on its wrong side, or the makers cancel
   * them. Then the makers set a new best bid and ask and fill up the levels behind.
   *
   * @param price fair price in quote
   * @param liquidity part of the usual liquidity; with less of it orders are fewer, smaller and farther apart
   */
  updateQuotes(price: number, time: number, liquidity = 1): void {
    const { pair, book } = this;
    const exact = price * 10 ** pair.priceDecimals;
    const spread = Math.max(pair.spreadTicks, Math.round(exact * THIN_SPREAD * (1 / liquidity - 1)));
    const bid = Math.min(pair.maxTick - spread, Math.max(1, Math.floor(exact - spread / 2)));
    const ask = bid + spread;
    if (book.bestAsk !== -1 && book.bestAsk <= bid) this.#sendCrowdTaker('buy', bid, time);
    else if (book.bestBid !== -1 && book.bestBid >= ask) this.#sendCrowdTaker('sell', ask, time);
    this.#cancelCrowd('sell', (tick) => tick < ask);
    this.#cancelCrowd('buy', (tick) => tick > bid);
    if (book.bestBid < bid) this.#addCrowdMaker('buy', bid, time, liquidity);
    if (book.bestAsk === -1 || book.bestAsk > ask) this.#addCrowdMaker('sell', ask, time, liquidity);
    const reach = Math.max(2, pair.depth * exact);
    this.#fillSide('buy', bid, { reach, time, liquidity });
    this.#fillSide('sell', ask, { reach, time, liquidity });
  }

  /** Fills up the levels behind the best price of a side. @param reach mean distance of an order in ticks */
  #fillSide(
    side: Side,
    best: number,
    { reach, time, liquidity }: { reach: number; time: number; liquidity: number },
  ): void {
    const { pair } = this;
    const random = this.#random;
    const present = side === 'buy' ? this.#crowdBids : this.#crowdAsks;
    const levels = Math.ceil(pair.levels * liquidity);
    const missing = levels - present;
    const wanted = present < levels / 4 ? missing : Math.min(REFILL, missing);
    for (let i = 0; i < wanted; i++) {
      // Most orders are near; one in seven is far away.
      const distance = 1 + Math.floor(random.exponential(random.next() < 0.14 ? reach * 8 : reach));
      const tick = side === 'buy' ? best - distance : best + distance;
      if (tick >= 1 && tick <= pair.maxTick) this.#addCrowdMaker(side, tick, time, liquidity);
    }
    if (missing <= 0 || random.next() < 0.5) this.#cancelFarthest(side);
  }

  /** Sends one market taker. @returns milliseconds to the next one, 1 or more */
  sendTaker(time: number, volatility: number): number {
    const random = this.#random;
    // Flow is persistent: a buyer follows a buyer more often than not.
    if (random.next() < 0.4) this.#lastTaker = this.#lastTaker === 'buy' ? 'sell' : 'buy';
    const best = this.#lastTaker === 'buy' ? this.book.bestAsk : this.book.bestBid;
    if (best !== -1) {
      const slip = Math.ceil(best * 0.0005);
      this.#sendCrowdTaker(this.#lastTaker, this.#lastTaker === 'buy' ? best + slip : best - slip, time);
    }
    const excitement = Math.min(3, Math.max(0.5, volatility / this.pair.volatility));
    return Math.max(1, Math.round(random.exponential(1000 / (this.pair.takersPerSecond * excitement))));
  }

  #sendCrowdTaker(side: Side, limit: number, time: number): void {
    const quantity = this.#drawQuantity(0.8, 1.1);
    this.take(
      {
        id: this.nextOrderId++,
        owner: CROWD,
        side,
        limit,
        quantity,
        budget: Infinity,
        selfTrade: 'NONE',
      },
      time,
    );
  }

  #addCrowdMaker(side: Side, tick: number, time: number, liquidity: number): void {
    const id = this.nextOrderId++;
    let quantity = this.#drawQuantity(4 * Math.sqrt(liquidity), 0.8);
    if (this.book.crosses(side, tick)) {
      // Only an order of an account can cross here.
      quantity -= this.take(
        { id, owner: CROWD, side, limit: tick, quantity, budget: Infinity, selfTrade: 'NONE' },
        time,
      ).result.filled;
      if (quantity === 0 || this.book.crosses(side, tick)) return;
    }
    this.book.addOrder(id, CROWD, side, tick, quantity);
    if (side === 'buy') this.#crowdBids++;
    else this.#crowdAsks++;
  }

  /**
   * Returns the steps of a random order: `factor` typical taker orders, spread by `sigma`, never below the pair's
   * minimum.
   */
  #drawQuantity(factor: number, sigma: number): number {
    const { pair } = this;
    const typical = (0.6 * pair.minuteTurnover) / (60 * pair.takersPerSecond);
    const value = Math.max(pair.minNotional * 1.1, typical * factor * this.#random.lognormal(sigma));
    return Math.max(1, Math.ceil((value / this.lastTick) * 10 ** notionalDecimals(pair)));
  }

  #cancelCrowd(side: Side, stale: (tick: number) => boolean): void {
    const priceLevels = side === 'buy' ? this.book.bids : this.book.asks;
    let tick = side === 'buy' ? this.book.bestBid : this.book.bestAsk;
    while (tick !== -1 && stale(tick)) {
      for (const order of this.book.queue(side, tick)) if (order.owner === CROWD) this.#cancel(side, order.id);
      tick = side === 'buy' ? priceLevels.atOrBelow(tick - 1) : priceLevels.atOrAbove(tick + 1);
    }
  }

  /** Cancels the simulated order that is farthest from the market. */
  #cancelFarthest(side: Side): void {
    const priceLevels = side === 'buy' ? this.book.bids : this.book.asks;
    let tick = side === 'buy' ? priceLevels.atOrAbove(0) : priceLevels.atOrBelow(this.pair.maxTick);
    while (tick !== -1) {
      const order = this.book.queue(side, tick).find(({ owner }) => owner === CROWD);
      if (order) {
        this.#cancel(side, order.id);
        return;
      }
      tick = side === 'buy' ? priceLevels.atOrAbove(tick + 1) : priceLevels.atOrBelow(tick - 1);
    }
  }

  #cancel(side: Side, id: number): void {
    this.book.cancel(id);
    if (side === 'buy') this.#crowdBids--;
    else this.#crowdAsks--;
  }

  #addToCandle(trade: Trade): void {
    const candle = this.forming;
    const turnover = trade.tick * trade.quantity;
    if (candle.trades === 0) candle.open = candle.high = candle.low = trade.tick;
    if (trade.tick > candle.high) candle.high = trade.tick;
    if (trade.tick < candle.low) candle.low = trade.tick;
    candle.close = trade.tick;
    candle.trades++;
    candle.volume += trade.quantity;
    candle.turnover += turnover;
    if (!trade.buyerIsMaker) {
      candle.takerBuyVolume += trade.quantity;
      candle.takerBuyTurnover += turnover;
    }
  }
}

function flat(minute: number, price: number, firstTradeId: number): Candle {
  return {
    minute,
    open: price,
    high: price,
    low: price,
    close: price,
    trades: 0,
    volume: 0,
    turnover: 0,
    takerBuyVolume: 0,
    takerBuyTurnover: 0,
    firstTradeId,
  };
}
