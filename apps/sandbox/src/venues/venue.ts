import { CROWD } from '../book/book.ts';
import { Candles, MINUTE_MS } from '../market/candles.ts';
import { Fundamentals } from '../market/fundamentals.ts';
import { makeHistory } from '../market/history.ts';
import { type Counters, type Match, PairMarket } from '../market/pairMarket.ts';
import type { Pair } from '../market/pairs.ts';
import { Random } from '../market/random.ts';
import type { Trade } from '../market/trade.ts';
import type { Folder, Loaded, SavedState } from '../storage/dataFolder.ts';

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

/** The market or the account says no; nothing has changed. */
export class Refused extends Error {}

export type MarketEvent =
  | { kind: 'trades'; market: PairMarket; trades: Trade[] }
  | { kind: 'candle'; market: PairMarket; index: number };

/** How an account sits at a venue. */
export type Seat = {
  /** Books what a taker met, where an order of the account was on either side. */
  settle(market: PairMarket, match: Match): void;
  /** What was met in a market has been booked, and its last price may have moved. */
  traded?(market: PairMarket): void;
  /** A start, a pause, or new beliefs: what depends on prices and time is looked at again. */
  step(): void;
};

/** A trade that the journal knows, so that one which a kill kept from the tape can be put back. */
export type JournalTrade = { symbol: string; trade: Trade };

/**
 * All that an exchange is without an account: pairs, time, and what is written down and told. An account takes its seat
 * and changes by records, which are written before anybody is told.
 *
 * @typeParam R records of the journal
 * @typeParam E events that the account tells
 */
export class Venue<R, E> {
  readonly markets: readonly PairMarket[];
  readonly seed: number;
  /** Set when the folder could not be written: from then on nothing is done any more. */
  failure: Error | undefined;
  readonly #bySymbol: Map<string, PairMarket>;
  readonly #fundamentals: Fundamentals;
  readonly #folder: Folder | undefined;
  readonly #written: number[];
  readonly #listeners: ((events: readonly (MarketEvent | E)[]) => void)[] = [];
  #time: number;
  #beliefAt: number;
  #records: R[] = [];
  #events: (MarketEvent | E)[] = [];
  #seat: Seat = { settle: () => {}, step: () => {} };

  private constructor(
    seed: number,
    markets: readonly PairMarket[],
    fundamentals: Fundamentals,
    time: number,
    folder: Folder | undefined,
    written: number[],
  ) {
    this.seed = seed;
    this.markets = markets;
    this.#fundamentals = fundamentals;
    this.#folder = folder;
    this.#written = written;
    this.#time = time;
    this.#bySymbol = new Map(markets.map((market) => [market.pair.symbol, market]));
    this.#beliefAt = (Math.floor(time / BELIEF_MS) + 1) * BELIEF_MS;
  }

  /**
   * Opens new markets, or continues those that a folder holds. Nothing is played before `wake`.
   *
   * @param now epoch milliseconds
   * @param known trades of the journal
   */
  static open<R, E>(
    seed: number,
    pairs: readonly Pair[],
    now: number,
    folder: Folder | undefined,
    loaded: Loaded | undefined,
    known: readonly JournalTrade[],
  ): Venue<R, E> {
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
    const nextIds = nextTradeIds(pairs, stores, loaded, known);
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
    const venue = new Venue<R, E>(seed, markets, fundamentals, now, folder, written);
    if (loaded && !isNew) venue.#resumeTrades(loaded, known);
    return venue;
  }

  /** Market time, epoch milliseconds: the clock's, but never going back. */
  get time(): number {
    return this.#time;
  }

  market(symbol: string): PairMarket | undefined {
    return this.#bySymbol.get(symbol);
  }

  /** How much of its usual liquidity a market has, above 0; 1 in quiet times. */
  #liquidity(market: PairMarket): number {
    return this.#fundamentals.liquidity(market.index);
  }

  /** Price that the makers of a market believe in, in quote. */
  believed(market: PairMarket): number {
    return this.#fundamentals.price(market.index);
  }

  listen(listener: (events: readonly (MarketEvent | E)[]) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * After a start: fills the time that was missed, lets the account come back and then the crowd.
   *
   * @param putBack puts the account's open orders of a market into its book
   */
  wake(seat: Seat, putBack: (market: PairMarket) => void): void {
    this.#seat = seat;
    this.#time = Math.max(this.#time, ...this.markets.map((market) => market.running.minute * MINUTE_MS));
    this.#bridge();
    for (const market of this.markets) {
      putBack(market);
      this.#callMakers(market);
    }
    this.#settleAll();
    this.#seat.step();
    this.#commit();
    this.save(false);
  }

  /** Plays the market up to `now`, then does `action`, then writes down and tells what happened. */
  act<T>(now: number, action: () => T): T {
    if (this.failure) throw this.failure;
    try {
      this.#play(now);
      const result = action();
      this.#commit();
      return result;
    } catch (error) {
      if (error instanceof Refused) this.#commit();
      // after anything else memory and folder may differ: only a restart from the folder is safe
      else this.failure = error as Error;
      throw error;
    }
  }

  /** Takes a record that the account has applied, and what it has to tell. */
  record(record: R, event: E): void {
    this.#records.push(record);
    this.#events.push(event);
  }

  /** Takes what the account has to tell without a change. */
  tell(event: E): void {
    this.#events.push(event);
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

  /** Books what takers met in a market since the last time. */
  settle(market: PairMarket): void {
    const matches = market.matches;
    market.matches = [];
    for (const match of matches) {
      if (match.trades.length > 0) this.#events.push({ kind: 'trades', market, trades: match.trades });
      this.#seat.settle(market, match);
    }
    this.#seat.traded?.(market);
  }

  /** Lets makers return to a side that the account has emptied. */
  keepTwoSided(market: PairMarket): void {
    if (market.book.bestBid !== -1 && market.book.bestAsk !== -1) return;
    market.quote(this.believed(market), this.#time, this.#liquidity(market));
    this.settle(market);
  }

  /** Brings back the trades since the last candle, and those the journal knows but the tape missed. */
  #resumeTrades(loaded: Loaded, known: readonly JournalTrade[]): void {
    for (const { pair, trade } of loaded.trades) this.markets[pair]?.restore(trade);
    const missed = known
      .filter(({ symbol, trade }) => trade.id >= (this.#bySymbol.get(symbol)?.nextTradeId ?? Infinity))
      .sort((a, b) => a.trade.id - b.trade.id);
    for (const { symbol, trade } of missed) {
      const market = this.#bySymbol.get(symbol) as PairMarket;
      if (trade.id < market.nextTradeId) continue;
      market.restore(trade);
      this.#folder?.appendTrades([{ pair: market.index, trade }]);
    }
  }

  #callMakers(market: PairMarket): void {
    market.quote(this.believed(market), this.#time, this.#liquidity(market));
    market.quoteAt = this.#beliefAt + quoteOffset(market);
    market.takerAt = this.#time + 1 + market.index;
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
      for (const market of this.markets) this.#callMakers(market);
      this.#settleAll();
      this.#seat.step();
      return;
    }
    for (const market of this.markets) {
      if (market.standing === 'trading') continue;
      // nobody acts there before the end of this play
      market.quoteAt = Math.max(market.quoteAt, now + BELIEF_MS);
      market.takerAt = Math.max(market.takerAt, now + BELIEF_MS);
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
        this.#seat.step();
      } else if (next.quoteAt <= next.takerAt) {
        next.quote(this.believed(next), at, this.#liquidity(next));
        next.quoteAt += BELIEF_MS;
        this.settle(next);
      } else {
        next.takerAt = at + next.arrive(at, this.#fundamentals.volatility(next.index));
        this.settle(next);
        this.keepTwoSided(next);
      }
    }
    this.#time = now;
    for (const market of this.markets) market.roll(now);
  }

  #settleAll(): void {
    for (const market of this.markets) this.settle(market);
  }

  /** Writes down what happened, then tells it. */
  #commit(): void {
    const events = this.#events;
    this.#events = [];
    if (this.#folder) {
      if (this.#records.length > 0) this.#folder.appendJournal(this.#records);
      const trades = events.flatMap((event) =>
        isTrades(event) ? event.trades.map((trade) => ({ pair: event.market.index, trade })) : [],
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
    // not before: events name candles by index
    for (const market of this.markets) {
      this.#written[market.index] = (this.#written[market.index] as number) - market.candles.trim();
    }
  }
}

/**
 * The trade in which an order of the account took part.
 *
 * @param buying whether the account's order is the buyer
 */
export function journalTrade(
  fill: {
    symbol: string;
    orderId: number;
    counterId: number;
    tradeId: number;
    aggregateId: number;
    tick: number;
    steps: number;
    maker: boolean;
    time: number;
  },
  buying: boolean,
): JournalTrade {
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
  return { symbol: fill.symbol, trade };
}

/** One side of a fill that is not the crowd's. */
export type OwnFill = {
  orderId: number;
  owner: number;
  counterId: number;
  maker: boolean;
  fill: Match['result']['fills'][number];
  trade: Trade;
};

/** What a match gave to those who are not the crowd, fill by fill, taker first. */
export function ownFills({ taker, result, trades }: Match): OwnFill[] {
  return result.fills.flatMap((fill, i) => {
    const trade = trades[i] as Trade;
    const sides = [
      { orderId: taker.id, owner: taker.owner, counterId: fill.makerId, maker: false, fill, trade },
      { orderId: fill.makerId, owner: fill.makerOwner, counterId: taker.id, maker: true, fill, trade },
    ];
    return sides.filter(({ owner }) => owner !== CROWD);
  });
}

function isTrades(event: unknown): event is MarketEvent & { kind: 'trades' } {
  return (event as { kind?: unknown }).kind === 'trades';
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
function nextTradeIds(
  pairs: readonly Pair[],
  stores: readonly Candles[],
  loaded: Loaded | undefined,
  known: readonly JournalTrade[],
): number[] {
  const next = stores.map((store) => {
    const last = store.last();
    return last ? last.firstTradeId + last.trades : 1;
  });
  const see = (pair: number, id: number) => {
    next[pair] = Math.max(next[pair] as number, id + 1);
  };
  for (const { pair, trade } of loaded?.trades ?? []) see(pair, trade.id);
  for (const fill of known) {
    see(
      pairs.findIndex(({ symbol }) => symbol === fill.symbol),
      fill.trade.id,
    );
  }
  return next;
}
