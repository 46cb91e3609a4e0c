import {
  type AccountEvent,
  DEMO,
  Desk,
  type JournalRecord,
  type Order,
  type OrderType,
  type TimeInForce,
} from '../account/desk.ts';
import { notionalUnit, stepUnit } from '../account/money.ts';
import { CROWD, type SelfTradePrevention, type Side, type Taker } from '../book/book.ts';
import type { Folder, Loaded, SavedState } from '../storage/folder.ts';
import { Candles, MINUTE_MS } from './candles.ts';
import { Fundamentals } from './fundamental.ts';
import { makeHistory } from './history.ts';
import { type Counters, type Match, PairMarket, type Trade } from './pair-market.ts';
import type { Pair } from './pairs.ts';
import { Random } from './random.ts';

/** How often beliefs move and makers look at them. */
const BELIEF_MS = 500;
/** After a pause longer than this the time between is filled with made candles instead of being played. */
const LONGEST_PLAYED_MS = 5 * MINUTE_MS;
/** A pause longer than this starts the history anew before now, from the last price. */
const LONGEST_FILLED_MINUTES = 90 * 1440;
const HISTORY_DAYS = 30;
const DAY_MINUTES = 1440;
/** What counters may have moved on between the last save and a kill. */
const COUNTER_GAP = 100_000;

/** What a new demo account finds in its purse, in whole coins. */
const DEPOSITS: { [asset: string]: number } = { USDT: 100_000, BTC: 1, ETH: 10 };

export type OrderRefusal =
  | 'insufficient-balance'
  | 'would-match'
  | 'duplicate-client-id'
  | 'unknown-order'
  | 'no-liquidity';

/** The market or the account says no; nothing has changed. */
export class OrderRefused extends Error {
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
};

export type ExchangeEvent =
  | { kind: 'trades'; market: PairMarket; trades: Trade[] }
  | { kind: 'candle'; market: PairMarket; index: number }
  | AccountEvent;

/**
 * The exchange: all pairs, the demo account, and time. Protocols (Binance and others) speak to it and render its events.
 *
 * Every public method first plays the market up to the given time, then acts, then writes down what happened, and only
 * then tells the listeners and returns.
 */
export class Exchange {
  readonly markets: readonly PairMarket[];
  readonly desk: Desk;
  readonly seed: number;
  /** Set when the folder could not be written: from then on nothing is done any more. */
  failure: Error | undefined;
  readonly #bySymbol: Map<string, PairMarket>;
  readonly #fundamentals: Fundamentals;
  readonly #folder: Folder | undefined;
  readonly #written: number[];
  readonly #listeners: ((events: readonly ExchangeEvent[]) => void)[] = [];
  #time: number;
  #beliefAt: number;
  #records: JournalRecord[] = [];
  #events: ExchangeEvent[] = [];

  private constructor(
    seed: number,
    markets: readonly PairMarket[],
    desk: Desk,
    fundamentals: Fundamentals,
    time: number,
    folder: Folder | undefined,
    written: number[],
  ) {
    this.seed = seed;
    this.markets = markets;
    this.desk = desk;
    this.#fundamentals = fundamentals;
    this.#folder = folder;
    this.#written = written;
    this.#time = time;
    this.#bySymbol = new Map(markets.map((market) => [market.pair.symbol, market]));
    this.#beliefAt = (Math.floor(time / BELIEF_MS) + 1) * BELIEF_MS;
  }

  /**
   * Opens a new market, or continues the one that a folder holds.
   *
   * @param now epoch milliseconds
   */
  static open(seed: number, pairs: readonly Pair[], now: number, folder?: Folder, loaded?: Loaded): Exchange {
    const state = loaded?.state;
    const fundamentals = state
      ? Fundamentals.restored(state.fundamentals, seed, pairs)
      : Fundamentals.seeded(seed, pairs);
    let stores = loaded?.candles ?? pairs.map(() => new Candles());
    const nowMinute = Math.floor(now / MINUTE_MS);
    const tapeEnd = (loaded?.trades ?? []).reduce((latest, { trade }) => Math.max(latest, trade.time), 0);
    const keptUntil = Math.max(...stores.map((store) => store.endMinute), Math.floor(tapeEnd / MINUTE_MS));
    const written = stores.map((store) => store.length);
    // without a saved state the first start was interrupted
    const isNew =
      !state || nowMinute - keptUntil > LONGEST_FILLED_MINUTES || stores.some((store) => store.length === 0);
    const nextIds = nextTradeIds(pairs, stores, loaded);
    if (isNew) {
      // a whole number of UTC days, so that daily candles begin whole
      const from = Math.floor(nowMinute / DAY_MINUTES) * DAY_MINUTES - HISTORY_DAYS * DAY_MINUTES;
      stores.forEach((store, i) => {
        const last = store.last();
        if (last) fundamentals.setPrice(i, last.close / 10 ** (pairs[i] as Pair).priceDecimals);
      });
      stores = pairs.map(() => new Candles((HISTORY_DAYS + 3) * DAY_MINUTES));
      const fresh = pairs.map((pair, i) => ({
        pair,
        candles: stores[i] as Candles,
        nextTradeId: nextIds[i] as number,
      }));
      makeHistory(seed, fundamentals, fresh, from, nowMinute);
      folder?.restartCandles(stores.map((store) => store.bytes()));
      stores.forEach((store, i) => {
        written[i] = store.length;
      });
    }
    const markets = pairs.map((pair, i) => {
      const candles = stores[i] as Candles;
      const last = candles.last();
      const saved = state?.pairs[pair.symbol];
      const counters = startCounters(saved?.counters, state?.clean === true);
      counters.nextTradeId = Math.max(counters.nextTradeId, last ? last.firstTradeId + last.trades : 1);
      counters.nextAggregateId = Math.max(counters.nextAggregateId, counters.nextTradeId);
      const random = saved ? new Random(saved.random) : Random.seeded(seed, `${pair.symbol}/crowd`);
      return new PairMarket(pair, i, candles, counters, random);
    });
    const desk = new Desk(pairs);
    for (const record of loaded?.journal ?? []) desk.apply(record);
    const exchange = new Exchange(seed, markets, desk, fundamentals, now, folder, written);
    exchange.#resumeTrades(loaded, isNew);
    if (!loaded?.journal.length) exchange.#deposit();
    exchange.#wake(now);
    return exchange;
  }

  /** Market time, epoch milliseconds: the clock's, but never going back. */
  get time(): number {
    return this.#time;
  }

  market(symbol: string): PairMarket | undefined {
    return this.#bySymbol.get(symbol);
  }

  listen(listener: (events: readonly ExchangeEvent[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Plays the market up to `now`. */
  advance(now: number): void {
    this.#guard(() => {
      this.#play(now);
      this.#commit();
    });
  }

  /**
   * Places an order of the demo account.
   *
   * @throws OrderRefused when it breaks no filter but cannot be accepted
   * @returns the order as it stands after matching, and its trades
   */
  place(symbol: string, request: OrderRequest, now: number): { order: Order; fills: AccountEvent[] } {
    return this.#guard(() => {
      this.#play(now);
      const placed = this.#place(this.#bySymbol.get(symbol) as PairMarket, request);
      this.#commit();
      return placed;
    });
  }

  /** Checks an order as `place` does and leaves everything as it is. @throws OrderRefused */
  check(symbol: string, request: OrderRequest, now: number): void {
    this.#guard(() => {
      this.#play(now);
      this.#prepare(this.#bySymbol.get(symbol) as PairMarket, request, 0);
      this.#commit();
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
    return this.#guard(() => {
      this.#play(now);
      const order = find(this.desk);
      if (!order || !this.desk.isOpen(order)) throw new OrderRefused('unknown-order');
      this.#market(symbol).book.cancel(order.id);
      const event = this.#apply({
        kind: 'end',
        symbol,
        orderId: order.id,
        status: 'CANCELED',
        clientId: cancelId,
        time: this.#time,
      });
      this.#commit();
      return event.order as Order;
    });
  }

  /** Saves the simulation's state. @param clean true when nothing will happen any more */
  save(clean: boolean): void {
    if (!this.#folder || this.failure) return;
    const state: SavedState = {
      version: 1,
      seed: this.seed,
      time: this.#time,
      clean,
      fundamentals: this.#fundamentals.state,
      pairs: Object.fromEntries(
        this.markets.map((market) => [market.pair.symbol, { counters: market.counters, random: market.randomState }]),
      ),
    };
    this.#folder.saveState(state);
  }

  #guard<T>(action: () => T): T {
    if (this.failure) throw this.failure;
    try {
      return action();
    } catch (error) {
      if (error instanceof OrderRefused) this.#commit();
      // after anything else memory and folder may differ: only a restart from the folder is safe
      else this.failure = error as Error;
      throw error;
    }
  }

  #market(symbol: string): PairMarket {
    return this.#bySymbol.get(symbol) as PairMarket;
  }

  #apply(record: JournalRecord): AccountEvent {
    const event = this.desk.apply(record);
    this.#records.push(record);
    this.#events.push(event);
    return event;
  }

  #deposit(): void {
    for (const [asset, coins] of Object.entries(DEPOSITS)) {
      this.#apply({ kind: 'deposit', asset, units: String(BigInt(coins) * 10n ** 8n), time: this.#time });
    }
  }

  /** Brings back the trades since the last candle, and those the journal knows but the tape missed. */
  #resumeTrades(loaded: Loaded | undefined, isNew: boolean): void {
    if (!loaded || isNew) return;
    for (const { pair, trade } of loaded.trades) this.markets[pair]?.restore(trade);
    const missed = loaded.journal
      .filter((record) => record.kind === 'fill')
      .filter((fill) => fill.tradeId >= (this.#bySymbol.get(fill.symbol)?.nextTradeId ?? Infinity))
      .sort((a, b) => a.tradeId - b.tradeId);
    for (const fill of missed) {
      const market = this.#market(fill.symbol);
      if (fill.tradeId < market.nextTradeId) continue;
      const buying = (this.desk.order(fill.symbol, fill.orderId) as Order).side === 'buy';
      const trade: Trade = {
        id: fill.tradeId,
        aggregateId: fill.aggregateId,
        tick: fill.tick,
        quantity: fill.steps,
        time: fill.time,
        buyerOrderId: buying ? fill.orderId : fill.counterId,
        sellerOrderId: buying ? fill.counterId : fill.orderId,
        buyerIsMaker: buying === fill.maker,
      };
      market.restore(trade);
      this.#folder?.appendTrades([{ pair: market.index, trade }]);
    }
  }

  /** After a start: fills the time that was missed, puts open orders back and lets the crowd return. */
  #wake(now: number): void {
    this.#time = Math.max(now, ...this.markets.map((market) => market.running.minute * MINUTE_MS));
    this.#bridge();
    for (const order of this.desk.openOrders()) {
      const market = this.#market(order.symbol);
      market.nextOrderId = Math.max(market.nextOrderId, order.id + 1);
    }
    for (const market of this.markets) {
      for (const order of this.desk.orders.get(market.pair.symbol) ?? []) {
        market.nextOrderId = Math.max(market.nextOrderId, order.id + 1);
        if (!this.desk.isOpen(order)) continue;
        const left = order.steps - order.filled;
        // an order that was written down but not matched before a kill
        if (order.type === 'MARKET' || order.timeInForce !== 'GTC' || market.book.crosses(order.side, order.tick)) {
          this.#end(order, 'EXPIRED');
        } else market.book.rest(order.id, DEMO, order.side, order.tick, left);
      }
      market.quote(this.#fundamentals.price(market.index), this.#time);
      market.quoteAt = this.#beliefAt + quoteOffset(market);
      market.takerAt = this.#time + 1 + market.index;
    }
    this.#settleAll();
    this.#commit();
    this.save(false);
  }

  /** Fills every minute between the markets' running minutes and now with made candles. */
  #bridge(): void {
    const minute = Math.floor(this.#time / MINUTE_MS);
    const latest = Math.max(...this.markets.map((market) => market.running.minute));
    for (const market of this.markets) {
      market.roll(Math.min(minute, latest + 1) * MINUTE_MS);
      this.#fundamentals.setPrice(market.index, market.running.close / 10 ** market.pair.priceDecimals);
    }
    if (minute > latest + 1) {
      makeHistory(this.seed, this.#fundamentals, [...this.markets], latest + 1, minute);
      for (const market of this.markets) market.resume();
    }
  }

  #play(now: number): void {
    if (now <= this.#time) return;
    if (now - this.#time > LONGEST_PLAYED_MS) {
      this.#time = now;
      this.#bridge();
      this.#beliefAt = (Math.floor(now / BELIEF_MS) + 1) * BELIEF_MS;
      for (const market of this.markets) {
        market.quote(this.#fundamentals.price(market.index), now);
        market.quoteAt = this.#beliefAt + quoteOffset(market);
        market.takerAt = now + 1 + market.index;
      }
      this.#settleAll();
      return;
    }
    for (;;) {
      let at = this.#beliefAt;
      let next: PairMarket | undefined;
      for (const market of this.markets) {
        const due = Math.min(market.quoteAt, market.takerAt);
        if (due < at) {
          at = due;
          next = market;
        }
      }
      if (at > now) break;
      this.#time = Math.max(this.#time, at);
      if (!next) {
        this.#fundamentals.step(BELIEF_MS / MINUTE_MS);
        this.#beliefAt += BELIEF_MS;
      } else if (next.quoteAt <= next.takerAt) {
        next.quote(this.#fundamentals.price(next.index), at);
        next.quoteAt += BELIEF_MS;
        this.#settle(next);
      } else {
        next.takerAt = at + next.arrive(at, this.#fundamentals.volatility(next.index));
        this.#settle(next);
        this.#keepTwoSided(next);
      }
    }
    this.#time = now;
    for (const market of this.markets) market.roll(now);
  }

  #keepTwoSided(market: PairMarket): void {
    if (market.book.bestBid !== -1 && market.book.bestAsk !== -1) return;
    market.quote(this.#fundamentals.price(market.index), this.#time);
    this.#settle(market);
  }

  #settleAll(): void {
    for (const market of this.markets) this.#settle(market);
  }

  /** Books what the account's orders met since the last time. */
  #settle(market: PairMarket): AccountEvent[] {
    const own: AccountEvent[] = [];
    const matches = market.matches;
    market.matches = [];
    for (const match of matches) {
      if (match.trades.length > 0) this.#events.push({ kind: 'trades', market, trades: match.trades });
      own.push(...this.#settleMatch(market, match));
    }
    return own;
  }

  #settleMatch(market: PairMarket, { taker, result, trades }: Match): AccountEvent[] {
    const own: AccountEvent[] = [];
    const { symbol } = market.pair;
    result.fills.forEach((fill, i) => {
      const trade = trades[i] as Trade;
      const record = {
        kind: 'fill',
        symbol,
        tradeId: trade.id,
        aggregateId: trade.aggregateId,
        tick: fill.tick,
        steps: fill.quantity,
        time: trade.time,
      } as const;
      if (taker.owner !== CROWD) {
        own.push(this.#apply({ ...record, orderId: taker.id, counterId: fill.makerId, maker: false }));
      }
      if (fill.makerOwner !== CROWD) {
        this.#apply({ ...record, orderId: fill.makerId, counterId: taker.id, maker: true });
      }
    });
    for (const { id } of result.expired) this.#end(this.desk.order(symbol, id) as Order, 'EXPIRED_IN_MATCH');
    return own;
  }

  #end(order: Order, status: 'EXPIRED' | 'EXPIRED_IN_MATCH'): void {
    this.#apply({ kind: 'end', symbol: order.symbol, orderId: order.id, status, clientId: '', time: this.#time });
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
    const asset = request.side === 'sell' ? pair.base : pair.quote;
    if (units > this.desk.balance(asset).free) throw new OrderRefused('insufficient-balance');
    if (request.type === 'LIMIT_MAKER' && book.crosses(request.side, request.tick))
      throw new OrderRefused('would-match');
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
      time: this.#time,
    });
    const order = this.desk.order(symbol, id) as Order;
    if (request.timeInForce === 'FOK' && !full) {
      this.#end(order, 'EXPIRED');
      return { order: { ...order }, fills: [] };
    }
    const { result } = market.take(taker, this.#time);
    const fills = this.#settle(market);
    if (this.desk.isOpen(order)) {
      if (result.takerExpired) this.#end(order, 'EXPIRED_IN_MATCH');
      else if (request.type === 'MARKET' || request.timeInForce !== 'GTC') this.#end(order, 'EXPIRED');
      else market.book.rest(id, DEMO, request.side, request.tick, steps - result.filled);
    }
    const placed = { order: { ...order }, fills };
    this.#keepTwoSided(market);
    return placed;
  }

  /** Writes down what happened, then tells it. */
  #commit(): void {
    const events = this.#events;
    this.#events = [];
    if (this.#folder) {
      if (this.#records.length > 0) this.#folder.appendJournal(this.#records);
      const trades = events.flatMap((event) =>
        event.kind === 'trades' ? event.trades.map((trade) => ({ pair: event.market.index, trade })) : [],
      );
      if (trades.length > 0) this.#folder.appendTrades(trades);
    }
    this.#records = [];
    for (const market of this.markets) {
      const from = this.#written[market.index] as number;
      if (market.candles.length === from) continue;
      this.#folder?.appendCandles(market.index, market.candles.bytes(from));
      for (let index = from; index < market.candles.length; index++) events.push({ kind: 'candle', market, index });
      this.#written[market.index] = market.candles.length;
    }
    if (events.length > 0) for (const listener of this.#listeners) listener(events);
  }
}

/** Makers of different pairs look at slightly different moments. */
function quoteOffset(market: PairMarket): number {
  return market.index * 47;
}

function startCounters(saved: Counters | undefined, clean: boolean): Counters {
  if (!saved) return { nextTradeId: 1, nextAggregateId: 1, nextOrderId: 1, updateId: 1 };
  if (clean) return { ...saved };
  // trades are on the tape to the last one; the others may have been used since the save
  return { ...saved, nextOrderId: saved.nextOrderId + COUNTER_GAP, updateId: saved.updateId + COUNTER_GAP };
}

/** The first trade id of each pair that nobody has seen yet, from all that was kept. */
function nextTradeIds(pairs: readonly Pair[], stores: readonly Candles[], loaded: Loaded | undefined): number[] {
  const next = stores.map((store) => {
    const last = store.last();
    return last ? last.firstTradeId + last.trades : 1;
  });
  const see = (pair: number, id: number) => {
    next[pair] = Math.max(next[pair] as number, id + 1);
  };
  for (const { pair, trade } of loaded?.trades ?? []) see(pair, trade.id);
  for (const record of loaded?.journal ?? []) {
    if (record.kind !== 'fill') continue;
    see(
      pairs.findIndex(({ symbol }) => symbol === record.symbol),
      record.tradeId,
    );
  }
  return next;
}
