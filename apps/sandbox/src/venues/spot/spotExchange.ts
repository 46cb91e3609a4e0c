import { commission, type Fees, notionalUnit, STANDARD_FEES, stepUnit } from '../../accounts/money.ts';
import { SpotAccount } from '../../accounts/spot/spotAccount.ts';
import {
  type AccountEvent,
  DEMO_OWNER,
  type ExpiryReason,
  isMarketPriced,
  isUntriggered,
  remainingSteps,
  type SpotOrder,
  type SpotRecord,
} from '../../accounts/spot/spotOrders.ts';
import { executionRange } from '../../market/executionRules.ts';
import type { Match, PairMarket } from '../../market/pairMarket.ts';
import { accountFills, tradeOfFill } from '../accountTrades.ts';
import type { VenueOptions } from '../openMarkets.ts';
import { type MarketEvent, Venue } from '../venue.ts';
import { OrderRejected, type OrderRequest } from './orderRequest.ts';
import { isOutsideRange, isTriggered, limitWithinRange, toTaker } from './spotTaker.ts';

/** Initial balances of a demo account, in whole coins. */
const DEPOSITS: { [asset: string]: number } = { USDT: 100_000, BTC: 1, ETH: 10 };

export type ExchangeEvent = MarketEvent | AccountEvent;

/**
 * A spot exchange: a venue with the demo account. Protocols (Binance and others) call it and write its events.
 *
 * Every method with a `now` first plays the market up to that time, then acts, then writes the journal. Only then it
 * calls the listeners and returns.
 */
export class SpotExchange {
  readonly account: SpotAccount;
  readonly #venue: Venue<SpotRecord, AccountEvent>;
  /** Fills of the present taker of the account. */
  #takerFills: AccountEvent[] = [];
  /** True while an order meets the book. Stop orders are triggered after that. */
  #isMatching = false;

  private constructor(venue: Venue<SpotRecord, AccountEvent>, account: SpotAccount) {
    this.#venue = venue;
    this.account = account;
  }

  /** Opens a new market, or continues the one of a folder. */
  static open(options: VenueOptions, fees: Fees = STANDARD_FEES): SpotExchange {
    // The folder holds the records that this class wrote.
    const journal = (options.stored?.journal ?? []) as SpotRecord[];
    const account = new SpotAccount(options.pairs, fees);
    for (const record of journal) account.apply(record);
    const journalled = journal
      .filter((record) => record.kind === 'fill')
      .map((fill) => tradeOfFill(fill, account.order(fill.symbol, fill.orderId)?.side === 'buy'));
    const venue = Venue.open<SpotRecord, AccountEvent>(options, journalled);
    const exchange = new SpotExchange(venue, account);
    if (journal.length === 0) exchange.#deposit();
    const hooks = {
      onMatch: (market: PairMarket, match: Match) => exchange.#settleMatch(market, match),
      onTraded: (market: PairMarket) => exchange.#triggerStops(market),
      onStep: () => exchange.#expireDelisted(),
    };
    venue.start(hooks, (market) => exchange.#restoreOrders(market));
    return exchange;
  }

  get markets(): readonly PairMarket[] {
    return this.#venue.markets;
  }

  get seed(): number {
    return this.#venue.seed;
  }

  /** Set when the folder could not be written; the exchange then does nothing any more. */
  get failure(): Error | undefined {
    return this.#venue.failure;
  }

  set failure(error: Error | undefined) {
    this.#venue.failure = error;
  }

  /** Market time in epoch milliseconds; it never goes back. */
  get time(): number {
    return this.#venue.time;
  }

  market(symbol: string): PairMarket | undefined {
    return this.#venue.market(symbol);
  }

  addListener(listener: (events: readonly ExchangeEvent[]) => void): void {
    this.#venue.addListener(listener);
  }

  /** Plays the market up to `now`. */
  advance(now: number): void {
    this.#venue.transact(now, () => {});
  }

  /**
   * Places an order of the demo account.
   *
   * @throws OrderRejected when it breaks no filter but cannot be accepted
   * @returns the order after matching, and its trades
   */
  place(symbol: string, request: OrderRequest, now: number): { order: SpotOrder; fills: AccountEvent[] } {
    return this.#venue.transact(now, () => this.#place(this.#market(symbol), request));
  }

  /** Checks an order as `place` does and changes nothing. @throws OrderRejected */
  check(symbol: string, request: OrderRequest, now: number): void {
    this.#venue.transact(now, () => {
      this.#checkOrder(this.#market(symbol), request);
    });
  }

  /**
   * Cancels an open order.
   *
   * @param find looks the order up once the market has been played up to `now`
   * @param cancelId client id of the cancel request
   * @throws OrderRejected `unknown-order` when it is not open any more
   */
  cancel(
    symbol: string,
    find: (account: SpotAccount) => SpotOrder | undefined,
    cancelId: string,
    now: number,
  ): SpotOrder {
    return this.#venue.transact(now, () => {
      const order = find(this.account);
      if (!order || !this.account.isOpen(order)) throw new OrderRejected('unknown-order');
      this.#market(symbol).book.cancel(order.id);
      return this.#end(order, 'CANCELED', cancelId).order as SpotOrder;
    });
  }

  /**
   * Reduces an open order; it keeps its place in the queue.
   *
   * @param find looks the order up once the market has been played up to `now`
   * @param steps new quantity of the whole order
   * @param clientId its new client id
   * @returns the order before and after
   * @throws OrderRejected
   */
  amend(
    symbol: string,
    find: (account: SpotAccount) => SpotOrder | undefined,
    steps: number,
    clientId: string,
    now: number,
  ): { before: SpotOrder; after: SpotOrder } {
    return this.#venue.transact(now, () => {
      const market = this.#market(symbol);
      const order = find(this.account);
      if (market.status !== 'trading') throw new OrderRejected('market-closed');
      if (!order || !this.account.isOpen(order)) throw new OrderRejected('unknown-order');
      if (steps === order.steps) throw new OrderRejected('no-change');
      if (steps > order.steps) throw new OrderRejected('not-smaller');
      if (steps <= order.filled + order.prevented) throw new OrderRejected('too-small');
      const other = this.account.orderByClientId(symbol, clientId);
      if (other && other !== order && this.account.isOpen(other)) throw new OrderRejected('duplicate-client-id');
      const before = { ...order };
      if (!isUntriggered(order)) market.book.reduce(order.id, steps - order.filled - order.prevented);
      const event = this.#apply({ kind: 'amend', symbol, orderId: order.id, steps, clientId, time: this.time });
      return { before, after: event.order as SpotOrder };
    });
  }

  /** Saves the state of the simulation. @param clean true when nothing will happen any more */
  save(clean: boolean): void {
    this.#venue.save(clean);
  }

  #market(symbol: string): PairMarket {
    return this.#venue.market(symbol) as PairMarket;
  }

  #apply(record: SpotRecord): AccountEvent {
    const event = this.account.apply(record);
    this.#venue.record(record, event);
    return event;
  }

  #deposit(): void {
    for (const [asset, coins] of Object.entries(DEPOSITS)) {
      this.#apply({ kind: 'deposit', asset, units: String(BigInt(coins) * 10n ** 8n), time: this.time });
    }
  }

  #restoreOrders(market: PairMarket): void {
    for (const order of this.account.orders.get(market.pair.symbol) ?? []) {
      market.nextOrderId = Math.max(market.nextOrderId, order.id + 1);
      if (!this.account.isOpen(order)) continue;
      if (isUntriggered(order)) continue;
      // The process was killed after this order was journalled and before it met the book.
      if (isMarketPriced(order.type) || order.timeInForce !== 'GTC' || market.book.crosses(order.side, order.tick)) {
        this.#expire(order, 'EXCHANGE_CANCELED');
      } else market.book.addOrder(order.id, DEMO_OWNER, order.side, order.tick, remainingSteps(order));
    }
  }

  #settleMatch(market: PairMarket, match: Match): void {
    const { symbol } = market.pair;
    for (const { orderId, counterId, maker, fill, trade } of accountFills(match)) {
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
      if (!maker) this.#takerFills.push(event);
    }
    const { expired, decremented } = match.result;
    for (const { id } of expired) this.#end(this.account.order(symbol, id) as SpotOrder, 'EXPIRED_IN_MATCH');
    for (const { id, quantity: steps } of decremented) {
      for (const orderId of [match.taker.id, id]) {
        this.#apply({ kind: 'prevent', symbol, orderId, steps, time: this.time });
      }
    }
  }

  #end(order: SpotOrder, status: 'EXPIRED_IN_MATCH' | 'CANCELED', clientId = ''): AccountEvent {
    const { symbol, id: orderId } = order;
    return this.#apply({ kind: 'end', symbol, orderId, status, clientId, time: this.time });
  }

  #expire(order: SpotOrder, reason: ExpiryReason): void {
    const { symbol, id: orderId } = order;
    this.#apply({ kind: 'end', symbol, orderId, status: 'EXPIRED', reason, clientId: '', time: this.time });
  }

  /** Triggers the stop orders whose price the last trade has reached, oldest first. */
  #triggerStops(market: PairMarket): void {
    const { symbol } = market.pair;
    if (this.#isMatching || market.status !== 'trading') return;
    for (;;) {
      const due = this.account.untriggeredStops(symbol).find((order) => isTriggered(order, market.lastTick));
      if (!due) return;
      this.#apply({ kind: 'trigger', symbol, orderId: due.id, time: this.time });
      const part = market.conditions?.fillablePart(symbol) ?? 1;
      const taker = toTaker(due, market.pair, due.id);
      if (part < 1) market.thinBook(due.side, taker.limit, Math.max(1, Math.floor(remainingSteps(due) * part)));
      const { filled, cost } = market.book.preview(taker);
      const { quote } = market.pair;
      const unpayable =
        due.type !== 'STOP_LOSS_LIMIT' &&
        due.type !== 'TAKE_PROFIT_LIMIT' &&
        due.side === 'buy' &&
        cost * notionalUnit(market.pair) > this.account.balance(quote).free;
      if (unpayable) this.#expire(due, 'REJECTED');
      else this.#matchOrder(market, due, filled >= remainingSteps(due), part);
    }
  }

  /** Expires the open orders of delisted markets. */
  #expireDelisted(): void {
    for (const market of this.markets) {
      if (market.status !== 'delisted') continue;
      for (const order of this.account.openOrders(market.pair.symbol)) {
        market.book.cancel(order.id);
        this.#expire(order, 'EXCHANGE_CANCELED');
      }
    }
  }

  /**
   * Rejects an order that cannot be accepted. @returns the steps to order, and whether it would fill in full at once
   */
  #checkOrder(market: PairMarket, request: OrderRequest): { steps: number; full: boolean } {
    const { pair, book } = market;
    if (market.status !== 'trading') throw new OrderRejected('market-closed');
    const open = this.account.orderByClientId(pair.symbol, request.clientId);
    if (open && this.account.isOpen(open)) throw new OrderRejected('duplicate-client-id');
    const { stopTick = 0 } = request;
    if (stopTick > 0 && isTriggered({ ...request, stopTick }, market.lastTick))
      throw new OrderRejected('would-trigger');
    const isMarket = request.type === 'MARKET';
    const byValue = request.quoteOrdered > 0n;
    const preview = book.preview(toTaker({ ...request, filled: 0, prevented: 0 }, market.pair, 0));
    const steps = byValue ? preview.filled : request.steps;
    if (isMarket && preview.filled === 0) throw new OrderRejected('no-liquidity');
    // A market stop order is valued at its stop price.
    const price = isMarketPriced(request.type) ? stopTick : request.tick;
    const units =
      request.side === 'sell'
        ? BigInt(steps) * stepUnit(pair)
        : (isMarket ? preview.cost : BigInt(price) * BigInt(steps)) * notionalUnit(pair);
    const { fees } = this.account;
    const fee =
      request.side === 'buy' && fees.asset === 'quote' && request.type !== 'LIMIT_MAKER'
        ? commission(preview.cost * notionalUnit(pair), fees.taker)
        : 0n;
    const asset = request.side === 'sell' ? pair.base : pair.quote;
    if (units + fee > this.account.balance(asset).free) throw new OrderRejected('insufficient-balance');
    if (request.type === 'LIMIT_MAKER' && request.onCross !== 'expire' && book.crosses(request.side, request.tick)) {
      throw new OrderRejected('would-match');
    }
    return { steps, full: preview.filled >= steps };
  }

  #place(market: PairMarket, request: OrderRequest): { order: SpotOrder; fills: AccountEvent[] } {
    const { symbol } = market.pair;
    const { stopTick = 0 } = request;
    const part = stopTick > 0 ? 1 : (market.conditions?.fillablePart(symbol) ?? 1);
    if (part < 1) {
      const { limit, budget } = toTaker({ ...request, filled: 0, prevented: 0 }, market.pair, 0);
      const wanted = budget === Infinity ? request.steps : Math.floor(budget / market.lastTick);
      market.thinBook(request.side, limit, Math.max(1, Math.floor(wanted * part)));
    }
    const { steps, full } = this.#checkOrder(market, request);
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
    const order = this.account.order(symbol, id) as SpotOrder;
    const fills = isUntriggered(order) ? [] : this.#matchOrder(market, order, full, part);
    const placed = { order: { ...order }, fills };
    this.#triggerStops(market);
    this.#venue.ensureTwoSided(market);
    return placed;
  }

  /**
   * Lets a journalled order meet the book. The rest of it is added to the book, or ends.
   *
   * @param full whether it would fill in full at once
   * @param part the part of it that finds a counterpart
   * @returns its fills
   */
  #matchOrder(market: PairMarket, order: SpotOrder, full: boolean, part: number): AccountEvent[] {
    const crossed = order.type === 'LIMIT_MAKER' && market.book.crosses(order.side, order.tick);
    if (crossed || (order.timeInForce === 'FOK' && !full)) {
      this.#expire(order, crossed ? 'REJECTED' : 'UNFILLED_FOK_ORDER_EXPIRED');
      return [];
    }
    this.#isMatching = true;
    this.#takerFills = [];
    // The steps of an order by value are known by now.
    const taker = toTaker({ ...order, quoteOrdered: 0n }, market.pair, order.id);
    const range = executionRange(market, this.time);
    const { result } = market.take({ ...taker, limit: limitWithinRange(market, taker, range) }, this.time);
    this.#venue.settle(market);
    const fills = this.#takerFills;
    if (this.account.isOpen(order)) {
      if (result.takerExpired) this.#end(order, 'EXPIRED_IN_MATCH');
      else if (isOutsideRange(market, taker, range)) this.#expire(order, 'EXECUTION_RULE_PRICE_RANGE_EXCEEDED');
      else if (isMarketPriced(order.type)) this.#expire(order, 'INSUFFICIENT_LIQUIDITY');
      else if (order.timeInForce !== 'GTC') this.#expire(order, 'UNFILLED_IOC_QUANTITY_EXPIRED');
      else this.#addToBook(market, order, result.filled === 0 ? part : 1);
    }
    this.#isMatching = false;
    return fills;
  }

  /** Adds the rest of an order to the book. @param part below 1 the crowd fills this part of it at once */
  #addToBook(market: PairMarket, order: SpotOrder, part: number): void {
    market.book.addOrder(order.id, DEMO_OWNER, order.side, order.tick, remainingSteps(order));
    if (part === 1) return;
    market.fillFromCrowd(order, Math.max(1, Math.floor(remainingSteps(order) * part)), this.time);
    this.#venue.settle(market);
  }
}
