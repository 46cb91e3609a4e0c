import { commission, type Fees, notionalUnit, STANDARD_FEES, stepUnit } from '../../accounts/money.ts';
import {
  type AccountEvent,
  DEMO,
  Desk,
  type ExpiryReason,
  isAtMarket,
  isWaiting,
  type JournalRecord,
  leftOf,
  type Order,
  type OrderType,
  type TimeInForce,
} from '../../accounts/spot/spotAccount.ts';
import type { SelfTradePrevention, Side, Taker } from '../../book/book.ts';
import { type ExecutionRange, executionRange } from '../../market/executionRules.ts';
import type { Match, PairMarket } from '../../market/pairMarket.ts';
import type { Pair } from '../../market/pairs.ts';
import type { Folder, Loaded } from '../../storage/dataFolder.ts';
import { journalTrade, type MarketEvent, ownFills, Refused, Venue } from '../venue.ts';

/** What a new demo account finds in its purse, in whole coins. */
const DEPOSITS: { [asset: string]: number } = { USDT: 100_000, BTC: 1, ETH: 10 };

export type OrderRefusal =
  | 'insufficient-balance'
  | 'would-match'
  | 'duplicate-client-id'
  | 'unknown-order'
  | 'no-liquidity'
  | 'would-trigger'
  | 'market-closed'
  | 'not-smaller'
  | 'too-small'
  | 'no-change';

/** The market or the account says no; nothing has changed. */
export class OrderRefused extends Refused {
  readonly refusal: OrderRefusal;
  constructor(refusal: OrderRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

export type OrderRequest = {
  clientId: string;
  side: Side;
  type: OrderType;
  timeInForce: TimeInForce;
  /** limit price in ticks; 0 for orders at market */
  tick: number;
  /** last price in ticks that wakes a stop order; left out for others */
  stopTick?: number;
  /** steps; 0 when ordered by value */
  steps: number;
  /** value in units of the quote asset; 0 when ordered by quantity */
  quoteOrdered: bigint;
  selfTrade: SelfTradePrevention;
  /** what becomes of a LIMIT_MAKER order that would trade at once; default `refuse` */
  onCross?: 'refuse' | 'expire';
};

export type ExchangeEvent = MarketEvent | AccountEvent;

/**
 * A spot exchange: a venue with the demo account at it. Protocols (Binance and others) speak to it and render its events.
 *
 * Every public method first plays the market up to the given time, then acts, then writes down what happened, and only
 * then tells the listeners and returns.
 */
export class Exchange {
  readonly desk: Desk;
  readonly #venue: Venue<JournalRecord, AccountEvent>;
  /** fills of the order that meets the book right now, as taker */
  #own: AccountEvent[] = [];
  /** while an order meets the book: stop orders wait until it is where it belongs */
  #isMatching = false;

  private constructor(venue: Venue<JournalRecord, AccountEvent>, desk: Desk) {
    this.#venue = venue;
    this.desk = desk;
  }

  /**
   * Opens a new market, or continues the one that a folder holds.
   *
   * @param now epoch milliseconds
   */
  static open(
    seed: number,
    pairs: readonly Pair[],
    now: number,
    folder?: Folder,
    loaded?: Loaded,
    fees: Fees = STANDARD_FEES,
  ): Exchange {
    // the folder holds what this class wrote there
    const journal = (loaded?.journal ?? []) as JournalRecord[];
    const desk = new Desk(pairs, fees);
    for (const record of journal) desk.apply(record);
    const known = journal
      .filter((record) => record.kind === 'fill')
      .map((fill) => journalTrade(fill, desk.order(fill.symbol, fill.orderId)?.side === 'buy'));
    const venue = Venue.open<JournalRecord, AccountEvent>(seed, pairs, now, folder, loaded, known);
    const exchange = new Exchange(venue, desk);
    if (journal.length === 0) exchange.#deposit();
    const seat = {
      settle: (market: PairMarket, match: Match) => exchange.#settleMatch(market, match),
      traded: (market: PairMarket) => exchange.#wakeStops(market),
      step: () => exchange.#endDelisted(),
    };
    venue.wake(seat, (market) => exchange.#putBack(market));
    return exchange;
  }

  get markets(): readonly PairMarket[] {
    return this.#venue.markets;
  }

  get seed(): number {
    return this.#venue.seed;
  }

  /** Set when the folder could not be written: from then on nothing is done any more. */
  get failure(): Error | undefined {
    return this.#venue.failure;
  }

  set failure(error: Error | undefined) {
    this.#venue.failure = error;
  }

  /** Market time, epoch milliseconds: the clock's, but never going back. */
  get time(): number {
    return this.#venue.time;
  }

  market(symbol: string): PairMarket | undefined {
    return this.#venue.market(symbol);
  }

  listen(listener: (events: readonly ExchangeEvent[]) => void): void {
    this.#venue.listen(listener);
  }

  /** Plays the market up to `now`. */
  advance(now: number): void {
    this.#venue.act(now, () => {});
  }

  /**
   * Places an order of the demo account.
   *
   * @throws OrderRefused when it breaks no filter but cannot be accepted
   * @returns the order as it stands after matching, and its trades
   */
  place(symbol: string, request: OrderRequest, now: number): { order: Order; fills: AccountEvent[] } {
    return this.#venue.act(now, () => this.#place(this.#market(symbol), request));
  }

  /** Checks an order as `place` does and leaves everything as it is. @throws OrderRefused */
  check(symbol: string, request: OrderRequest, now: number): void {
    this.#venue.act(now, () => {
      this.#prepare(this.#market(symbol), request);
    });
  }

  /**
   * Cancels an open order.
   *
   * @param find looks the order up once the market has been played up to `now`
   * @param cancelId client id of the cancel request
   * @throws OrderRefused `unknown-order` when it is not open any more
   */
  cancel(symbol: string, find: (desk: Desk) => Order | undefined, cancelId: string, now: number): Order {
    return this.#venue.act(now, () => {
      const order = find(this.desk);
      if (!order || !this.desk.isOpen(order)) throw new OrderRefused('unknown-order');
      this.#market(symbol).book.cancel(order.id);
      return this.#end(order, 'CANCELED', cancelId).order as Order;
    });
  }

  /**
   * Makes an open order smaller; it keeps its place in the queue.
   *
   * @param find looks the order up once the market has been played up to `now`
   * @param steps what it shall have ordered in all
   * @param clientId its client id from now on
   * @returns the order before and after
   * @throws OrderRefused
   */
  amend(
    symbol: string,
    find: (desk: Desk) => Order | undefined,
    steps: number,
    clientId: string,
    now: number,
  ): { before: Order; after: Order } {
    return this.#venue.act(now, () => {
      const market = this.#market(symbol);
      const order = find(this.desk);
      if (market.standing !== 'trading') throw new OrderRefused('market-closed');
      if (!order || !this.desk.isOpen(order)) throw new OrderRefused('unknown-order');
      if (steps === order.steps) throw new OrderRefused('no-change');
      if (steps > order.steps) throw new OrderRefused('not-smaller');
      if (steps <= order.filled + order.prevented) throw new OrderRefused('too-small');
      const other = this.desk.orderByClientId(symbol, clientId);
      if (other && other !== order && this.desk.isOpen(other)) throw new OrderRefused('duplicate-client-id');
      const before = { ...order };
      if (!isWaiting(order)) market.book.reduce(order.id, steps - order.filled - order.prevented);
      const event = this.#apply({ kind: 'amend', symbol, orderId: order.id, steps, clientId, time: this.time });
      return { before, after: event.order as Order };
    });
  }

  /** Saves the simulation's state. @param clean true when nothing will happen any more */
  save(clean: boolean): void {
    this.#venue.save(clean);
  }

  #market(symbol: string): PairMarket {
    return this.#venue.market(symbol) as PairMarket;
  }

  #apply(record: JournalRecord): AccountEvent {
    const event = this.desk.apply(record);
    this.#venue.record(record, event);
    return event;
  }

  #deposit(): void {
    for (const [asset, coins] of Object.entries(DEPOSITS)) {
      this.#apply({ kind: 'deposit', asset, units: String(BigInt(coins) * 10n ** 8n), time: this.time });
    }
  }

  #putBack(market: PairMarket): void {
    for (const order of this.desk.orders.get(market.pair.symbol) ?? []) {
      market.nextOrderId = Math.max(market.nextOrderId, order.id + 1);
      if (!this.desk.isOpen(order)) continue;
      if (isWaiting(order)) continue;
      // an order that was written down but not matched before a kill
      if (isAtMarket(order.type) || order.timeInForce !== 'GTC' || market.book.crosses(order.side, order.tick)) {
        this.#expire(order, 'EXCHANGE_CANCELED');
      } else market.book.rest(order.id, DEMO, order.side, order.tick, leftOf(order));
    }
  }

  #settleMatch(market: PairMarket, match: Match): void {
    const { symbol } = market.pair;
    for (const { orderId, counterId, maker, fill, trade } of ownFills(match)) {
      const event = this.#apply({
        kind: 'fill',
        symbol,
        orderId,
        tradeId: trade.id,
        aggregateId: trade.aggregateId,
        counterId,
        tick: fill.tick,
        steps: fill.quantity,
        maker,
        time: trade.time,
      });
      if (!maker) this.#own.push(event);
    }
    const { expired, decremented } = match.result;
    for (const { id } of expired) this.#end(this.desk.order(symbol, id) as Order, 'EXPIRED_IN_MATCH');
    for (const { id, quantity: steps } of decremented) {
      for (const orderId of [match.taker.id, id]) {
        this.#apply({ kind: 'prevent', symbol, orderId, steps, time: this.time });
      }
    }
  }

  #end(order: Order, status: 'EXPIRED_IN_MATCH' | 'CANCELED', clientId = ''): AccountEvent {
    const { symbol, id: orderId } = order;
    return this.#apply({ kind: 'end', symbol, orderId, status, clientId, time: this.time });
  }

  #expire(order: Order, reason: ExpiryReason): void {
    const { symbol, id: orderId } = order;
    this.#apply({ kind: 'end', symbol, orderId, status: 'EXPIRED', reason, clientId: '', time: this.time });
  }

  /** Wakes the stop orders whose price the last trade has reached, oldest first. */
  #wakeStops(market: PairMarket): void {
    const { symbol } = market.pair;
    if (this.#isMatching || market.standing !== 'trading') return;
    for (;;) {
      const due = this.desk.waiting(symbol).find((order) => isReached(order, market.lastTick));
      if (!due) return;
      this.#apply({ kind: 'trigger', symbol, orderId: due.id, time: this.time });
      const part = market.conditions?.part(symbol) ?? 1;
      const taker = takerOf(due, market.pair, due.id);
      if (part < 1) market.thin(due.side, taker.limit, Math.max(1, Math.floor(leftOf(due) * part)));
      const { filled, cost } = market.book.preview(taker);
      const { quote } = market.pair;
      const unpayable =
        due.type !== 'STOP_LOSS_LIMIT' &&
        due.type !== 'TAKE_PROFIT_LIMIT' &&
        due.side === 'buy' &&
        cost * notionalUnit(market.pair) > this.desk.balance(quote).free;
      if (unpayable) this.#expire(due, 'REJECTED');
      else this.#work(market, due, filled >= leftOf(due), part);
    }
  }

  /** Ends the open orders of markets that have been delisted. */
  #endDelisted(): void {
    for (const market of this.markets) {
      if (market.standing !== 'delisted') continue;
      for (const order of this.desk.openOrders(market.pair.symbol)) {
        market.book.cancel(order.id);
        this.#expire(order, 'EXCHANGE_CANCELED');
      }
    }
  }

  /** Refuses what cannot be accepted. @returns the steps to order, and whether it would fill in full at once */
  #prepare(market: PairMarket, request: OrderRequest): { steps: number; full: boolean } {
    const { pair, book } = market;
    if (market.standing !== 'trading') throw new OrderRefused('market-closed');
    const open = this.desk.orderByClientId(pair.symbol, request.clientId);
    if (open && this.desk.isOpen(open)) throw new OrderRefused('duplicate-client-id');
    const { stopTick = 0 } = request;
    if (stopTick > 0 && isReached({ ...request, stopTick }, market.lastTick)) throw new OrderRefused('would-trigger');
    const isMarket = request.type === 'MARKET';
    const byValue = request.quoteOrdered > 0n;
    const preview = book.preview(takerOf({ ...request, filled: 0, prevented: 0 }, market.pair, 0));
    const steps = byValue ? preview.filled : request.steps;
    if (isMarket && preview.filled === 0) throw new OrderRefused('no-liquidity');
    // what a stop order at market will cost is taken at its own price
    const price = isAtMarket(request.type) ? stopTick : request.tick;
    const units =
      request.side === 'sell'
        ? BigInt(steps) * stepUnit(pair)
        : (isMarket ? preview.cost : BigInt(price) * BigInt(steps)) * notionalUnit(pair);
    const { fees } = this.desk;
    const fee =
      request.side === 'buy' && fees.asset === 'quote' && request.type !== 'LIMIT_MAKER'
        ? commission(preview.cost * notionalUnit(pair), fees.taker)
        : 0n;
    const asset = request.side === 'sell' ? pair.base : pair.quote;
    if (units + fee > this.desk.balance(asset).free) throw new OrderRefused('insufficient-balance');
    if (request.type === 'LIMIT_MAKER' && request.onCross !== 'expire' && book.crosses(request.side, request.tick)) {
      throw new OrderRefused('would-match');
    }
    return { steps, full: preview.filled >= steps };
  }

  #place(market: PairMarket, request: OrderRequest): { order: Order; fills: AccountEvent[] } {
    const { symbol } = market.pair;
    const { stopTick = 0 } = request;
    const part = stopTick > 0 ? 1 : (market.conditions?.part(symbol) ?? 1);
    if (part < 1) {
      const { limit, budget } = takerOf({ ...request, filled: 0, prevented: 0 }, market.pair, 0);
      const wanted = budget === Infinity ? request.steps : Math.floor(budget / market.lastTick);
      market.thin(request.side, limit, Math.max(1, Math.floor(wanted * part)));
    }
    const { steps, full } = this.#prepare(market, request);
    const id = market.nextOrderId++;
    this.#apply({
      kind: 'order',
      symbol,
      id,
      clientId: request.clientId,
      side: request.side,
      type: request.type,
      timeInForce: request.timeInForce,
      tick: request.tick,
      ...(stopTick > 0 && { stopTick }),
      steps,
      quoteOrdered: String(request.quoteOrdered),
      selfTrade: request.selfTrade,
      time: this.time,
    });
    const order = this.desk.order(symbol, id) as Order;
    const fills = isWaiting(order) ? [] : this.#work(market, order, full, part);
    const placed = { order: { ...order }, fills };
    this.#wakeStops(market);
    this.#venue.keepTwoSided(market);
    return placed;
  }

  /**
   * Lets an order that was written down meet the book, and rest there or end.
   *
   * @param full whether it would fill in full at once
   * @param part which part of it finds a counterpart
   * @returns its fills
   */
  #work(market: PairMarket, order: Order, full: boolean, part: number): AccountEvent[] {
    const crossed = order.type === 'LIMIT_MAKER' && market.book.crosses(order.side, order.tick);
    if (crossed || (order.timeInForce === 'FOK' && !full)) {
      this.#expire(order, crossed ? 'REJECTED' : 'UNFILLED_FOK_ORDER_EXPIRED');
      return [];
    }
    this.#isMatching = true;
    this.#own = [];
    // an order by value has found its steps already
    const taker = takerOf({ ...order, quoteOrdered: 0n }, market.pair, order.id);
    const range = executionRange(market, this.time);
    const { result } = market.take({ ...taker, limit: withinRange(market, taker, range) }, this.time);
    this.#venue.settle(market);
    const fills = this.#own;
    if (this.desk.isOpen(order)) {
      if (result.takerExpired) this.#end(order, 'EXPIRED_IN_MATCH');
      else if (isBeyond(market, taker, range)) this.#expire(order, 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED');
      else if (isAtMarket(order.type)) this.#expire(order, 'INSUFFICIENT_LIQUIDITY');
      else if (order.timeInForce !== 'GTC') this.#expire(order, 'UNFILLED_IOC_QUANTITY_EXPIRED');
      else {
        market.book.rest(order.id, DEMO, order.side, order.tick, leftOf(order));
        if (part < 1 && result.filled === 0) {
          const steps = Math.max(1, Math.floor(leftOf(order) * part));
          market.hit(order.id, order.side, order.tick, steps, this.time);
          this.#venue.settle(market);
        }
      }
    }
    this.#isMatching = false;
    return fills;
  }
}

/** What is left of an order could only be filled outside the range, or not at all. */
function isBeyond({ book }: PairMarket, { side, limit }: Taker, { low, high }: ExecutionRange): boolean {
  const best = side === 'buy' ? book.bestAsk : book.bestBid;
  if (best === -1 || (side === 'buy' ? best > limit : best < limit)) return false;
  return best < low || best > high;
}

/** The worst price at which an order may be filled; one that fills nothing when the best price lies beyond the range. */
function withinRange({ book }: PairMarket, { side, limit }: Taker, { low, high }: ExecutionRange): number {
  if (side === 'buy') return book.bestAsk < low ? 0 : Math.min(limit, high);
  return book.bestBid > high ? Infinity : Math.max(limit, low);
}

/** Whether a last price wakes a stop order. */
function isReached({ type, side, stopTick }: Pick<Order, 'type' | 'side' | 'stopTick'>, lastTick: number): boolean {
  const isLoss = type === 'STOP_LOSS' || type === 'STOP_LOSS_LIMIT';
  return isLoss === (side === 'buy') ? lastTick >= stopTick : lastTick <= stopTick;
}

/** What of an order meets the book. */
function takerOf(
  order: Pick<Order, 'side' | 'type' | 'tick' | 'steps' | 'filled' | 'prevented' | 'quoteOrdered' | 'selfTrade'>,
  pair: Pair,
  id: number,
): Taker {
  const byValue = order.quoteOrdered > 0n;
  return {
    id,
    owner: DEMO,
    side: order.side,
    limit: isAtMarket(order.type) ? (order.side === 'buy' ? Infinity : 0) : order.tick,
    quantity: byValue ? Infinity : order.steps - order.filled - order.prevented,
    budget: byValue ? Number(order.quoteOrdered / notionalUnit(pair)) : Infinity,
    selfTrade: order.selfTrade,
  };
}
