import {
  type AccountEvent,
  DEMO,
  Desk,
  type JournalRecord,
  type Order,
  type OrderType,
  type TimeInForce,
} from '../account/desk.ts';
import { commission, type Fees, notionalUnit, STANDARD_FEES, stepUnit } from '../account/money.ts';
import type { SelfTradePrevention, Side, Taker } from '../book/book.ts';
import type { Folder, Loaded } from '../storage/folder.ts';
import type { Match, PairMarket } from './pair-market.ts';
import type { Pair } from './pairs.ts';
import { journalTrade, type MarketEvent, ownFills, Refused, Venue } from './venue.ts';

/** What a new demo account finds in its purse, in whole coins. */
const DEPOSITS: { [asset: string]: number } = { USDT: 100_000, BTC: 1, ETH: 10 };

export type OrderRefusal =
  | 'insufficient-balance'
  | 'would-match'
  | 'duplicate-client-id'
  | 'unknown-order'
  | 'no-liquidity';

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
  /** limit price in ticks; 0 for market orders */
  tick: number;
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
  /** fills of the order that is being placed, as taker */
  #own: AccountEvent[] = [];

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
    venue.wake({ settle: (market, match) => exchange.#settleMatch(market, match), step: () => {} }, (market) =>
      exchange.#putBack(market),
    );
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
      this.#prepare(this.#market(symbol), request, 0);
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
      const event = this.#apply({
        kind: 'end',
        symbol,
        orderId: order.id,
        status: 'CANCELED',
        clientId: cancelId,
        time: this.time,
      });
      return event.order as Order;
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
      const left = order.steps - order.filled;
      // an order that was written down but not matched before a kill
      if (order.type === 'MARKET' || order.timeInForce !== 'GTC' || market.book.crosses(order.side, order.tick)) {
        this.#end(order, 'EXPIRED');
      } else market.book.rest(order.id, DEMO, order.side, order.tick, left);
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
    for (const { id } of match.result.expired) this.#end(this.desk.order(symbol, id) as Order, 'EXPIRED_IN_MATCH');
  }

  #end(order: Order, status: 'EXPIRED' | 'EXPIRED_IN_MATCH'): void {
    this.#apply({ kind: 'end', symbol: order.symbol, orderId: order.id, status, clientId: '', time: this.time });
  }

  /** Refuses what cannot be accepted. @returns the steps to order, and whether it would fill in full at once */
  #prepare(market: PairMarket, request: OrderRequest, id: number): { steps: number; taker: Taker; full: boolean } {
    const { pair, book } = market;
    const open = this.desk.orderByClientId(pair.symbol, request.clientId);
    if (open && this.desk.isOpen(open)) throw new OrderRefused('duplicate-client-id');
    const isMarket = request.type === 'MARKET';
    const byValue = request.quoteOrdered > 0n;
    const taker: Taker = {
      id,
      owner: DEMO,
      side: request.side,
      limit: isMarket ? (request.side === 'buy' ? Infinity : 0) : request.tick,
      quantity: byValue ? Infinity : request.steps,
      budget: byValue ? Number(request.quoteOrdered / notionalUnit(pair)) : Infinity,
      selfTrade: request.selfTrade,
    };
    const preview = book.preview(taker);
    const steps = byValue ? preview.filled : request.steps;
    if (isMarket && preview.filled === 0) throw new OrderRefused('no-liquidity');
    const units =
      request.side === 'sell'
        ? BigInt(steps) * stepUnit(pair)
        : (isMarket ? preview.cost : BigInt(request.tick) * BigInt(steps)) * notionalUnit(pair);
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
    return { steps, taker: { ...taker, quantity: steps, budget: Infinity }, full: preview.filled >= steps };
  }

  #place(market: PairMarket, request: OrderRequest): { order: Order; fills: AccountEvent[] } {
    const { symbol } = market.pair;
    const { steps, taker, full } = this.#prepare(market, request, market.nextOrderId);
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
      steps,
      quoteOrdered: String(request.quoteOrdered),
      selfTrade: request.selfTrade,
      time: this.time,
    });
    const order = this.desk.order(symbol, id) as Order;
    const crossed = request.type === 'LIMIT_MAKER' && market.book.crosses(request.side, request.tick);
    if (crossed || (request.timeInForce === 'FOK' && !full)) {
      this.#end(order, 'EXPIRED');
      return { order: { ...order }, fills: [] };
    }
    const { result } = market.take(taker, this.time);
    this.#own = [];
    this.#venue.settle(market);
    const fills = this.#own;
    if (this.desk.isOpen(order)) {
      if (result.takerExpired) this.#end(order, 'EXPIRED_IN_MATCH');
      else if (request.type === 'MARKET' || request.timeInForce !== 'GTC') this.#end(order, 'EXPIRED');
      else market.book.rest(id, DEMO, request.side, request.tick, steps - result.filled);
    }
    const placed = { order: { ...order }, fills };
    this.#venue.keepTwoSided(market);
    return placed;
  }
}
