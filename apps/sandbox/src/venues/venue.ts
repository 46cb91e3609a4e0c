import { MINUTE_MS } from '../market/candles.ts';
import type { Fundamentals } from '../market/fundamentals.ts';
import { generateHistory } from '../market/history.ts';
import type { Match, PairMarket } from '../market/pairMarket.ts';
import type { Trade } from '../market/trade.ts';
import type { DataFolder, SavedState, StoredMarket } from '../storage/dataFolder.ts';
import type { JournalledTrade } from './accountTrades.ts';
import { type OpenedMarkets, openMarkets, type VenueOptions } from './openMarkets.ts';

/** Interval at which fair prices move and makers update their orders. */
const FAIR_PRICE_MS = 500;
/** After a longer pause the time between is filled with generated candles instead of being played. */
const MAX_PLAYED_MS = 5 * MINUTE_MS;
/** The market or the account rejects a request; nothing has changed. */
export class RejectedByVenue extends Error {}

export type MarketEvent =
  | { kind: 'trades'; market: PairMarket; trades: Trade[] }
  | { kind: 'candle'; market: PairMarket; index: number };

/** The callbacks of an account at a venue. */
export type VenueHooks = {
  /** Books a match when an order of the account is on either side. */
  onMatch(market: PairMarket, match: Match): void;
  /** Called after all matches of a market are booked; its last price may have moved. */
  onTraded?(market: PairMarket): void;
  /** Called after a start, a pause, and each move of fair prices. */
  onStep(): void;
};

/**
 * Plays the markets of an exchange for any kind of account, and writes its folder. The account changes by records,
 * which are written before listeners are called.
 *
 * @typeParam R records of the journal
 * @typeParam E events of the account
 */
export class Venue<R, E> {
  readonly markets: readonly PairMarket[];
  readonly seed: number;
  /** Set when the folder could not be written; the venue then does nothing any more. */
  failure: Error | undefined;
  readonly #bySymbol: Map<string, PairMarket>;
  readonly #fundamentals: Fundamentals;
  readonly #folder: DataFolder | undefined;
  readonly #written: number[];
  readonly #listeners: ((events: readonly (MarketEvent | E)[]) => void)[] = [];
  #time: number;
  #nextPriceAt: number;
  #records: R[] = [];
  #events: (MarketEvent | E)[] = [];
  #hooks: VenueHooks = { onMatch: () => {}, onStep: () => {} };

  private constructor(options: VenueOptions, { markets, fundamentals, written }: OpenedMarkets) {
    this.seed = options.seed;
    this.markets = markets;
    this.#fundamentals = fundamentals;
    this.#folder = options.folder;
    this.#written = written;
    this.#time = options.now;
    this.#bySymbol = new Map(markets.map((market) => [market.pair.symbol, market]));
    this.#nextPriceAt = (Math.floor(options.now / FAIR_PRICE_MS) + 1) * FAIR_PRICE_MS;
  }

  /**
   * Opens new markets, or continues those of a folder. Nothing is played before `start`.
   *
   * @param journalled trades of the journal
   */
  static open<R, E>(options: VenueOptions, journalled: readonly JournalledTrade[]): Venue<R, E> {
    const opened = openMarkets(options, journalled);
    const venue = new Venue<R, E>(options, opened);
    if (options.stored && !opened.isNew) venue.#resumeTrades(options.stored, journalled);
    return venue;
  }

  /** Market time in epoch milliseconds; it never goes back. */
  get time(): number {
    return this.#time;
  }

  market(symbol: string): PairMarket | undefined {
    return this.#bySymbol.get(symbol);
  }

  /** Returns the liquidity of a market as a part of its usual one, above 0; 1 in quiet times. */
  #liquidity(market: PairMarket): number {
    return this.#fundamentals.liquidity(market.index);
  }

  /** Returns the fair price of a market, in quote. */
  fairPrice(market: PairMarket): number {
    return this.#fundamentals.price(market.index);
  }

  addListener(listener: (events: readonly (MarketEvent | E)[]) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Starts the markets: fills the time since the last run, restores the orders of the account, then those of the crowd.
   *
   * @param restoreOrders adds the open orders of the account to the book of a market
   */
  start(seat: VenueHooks, restoreOrders: (market: PairMarket) => void): void {
    this.#hooks = seat;
    this.#time = Math.max(this.#time, ...this.markets.map((market) => market.forming.minute * MINUTE_MS));
    this.#fillGap();
    for (const market of this.markets) {
      restoreOrders(market);
      this.#startCrowd(market);
    }
    this.#settleAll();
    this.#hooks.onStep();
    this.#commit();
    this.save(false);
  }

  /** Plays the market up to `now`, executes `action`, writes the folder, then calls the listeners. */
  transact<T>(now: number, action: () => T): T {
    if (this.failure) throw this.failure;
    try {
      this.#advance(now);
      const result = action();
      this.#commit();
      return result;
    } catch (error) {
      if (error instanceof RejectedByVenue) this.#commit();
      // After any other error memory and folder may differ, so that only a restart from the folder is safe.
      else this.failure = error as Error;
      throw error;
    }
  }

  /** Appends a record that the account has applied, and its event. */
  record(record: R, event: E): void {
    this.#records.push(record);
    this.#events.push(event);
  }

  /** Emits an event without a record. */
  emit(event: E): void {
    this.#events.push(event);
  }

  /** Saves the state of the simulation. @param clean true when nothing will happen any more */
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

  /** Books the matches of a market since the last call. */
  settle(market: PairMarket): void {
    const matches = market.matches;
    market.matches = [];
    for (const match of matches) {
      if (match.trades.length > 0) this.#events.push({ kind: 'trades', market, trades: match.trades });
      this.#hooks.onMatch(market, match);
    }
    this.#hooks.onTraded?.(market);
  }

  /** Lets makers return to a side that the account has emptied. */
  ensureTwoSided(market: PairMarket): void {
    if (market.book.bestBid !== -1 && market.book.bestAsk !== -1) return;
    market.updateQuotes(this.fairPrice(market), this.#time, this.#liquidity(market));
    this.settle(market);
  }

  /** Restores the trades since the last candle, and those that the journal has but the tape lost. */
  #resumeTrades(loaded: StoredMarket, journalled: readonly JournalledTrade[]): void {
    for (const { pair, trade } of loaded.trades) this.markets[pair]?.restoreTrade(trade);
    const missed = journalled
      .filter(({ symbol, trade }) => trade.id >= (this.#bySymbol.get(symbol)?.nextTradeId ?? Infinity))
      .sort((a, b) => a.trade.id - b.trade.id);
    for (const { symbol, trade } of missed) {
      const market = this.#bySymbol.get(symbol) as PairMarket;
      if (trade.id < market.nextTradeId) continue;
      market.restoreTrade(trade);
      this.#folder?.appendTrades([{ pair: market.index, trade }]);
    }
  }

  #startCrowd(market: PairMarket): void {
    market.updateQuotes(this.fairPrice(market), this.#time, this.#liquidity(market));
    market.nextQuoteAt = this.#nextPriceAt + quoteOffset(market);
    market.nextTakerAt = this.#time + 1 + market.index;
  }

  /** Fills every minute between the forming minutes and now with generated candles. */
  #fillGap(): void {
    const minute = Math.floor(this.#time / MINUTE_MS);
    const latest = Math.max(...this.markets.map((market) => market.forming.minute));
    for (const market of this.markets) {
      market.closeCandles(Math.min(minute, latest + 1) * MINUTE_MS);
      this.#fundamentals.setPrice(market.index, market.forming.close / 10 ** market.pair.priceDecimals);
    }
    if (minute > latest + 1) {
      generateHistory(this.seed, this.#fundamentals, [...this.markets], latest + 1, minute);
      for (const market of this.markets) market.resetAfterGap();
    }
  }

  #advance(now: number): void {
    if (now <= this.#time) return;
    if (now - this.#time > MAX_PLAYED_MS) {
      this.#skipTo(now);
      return;
    }
    for (const market of this.markets) {
      if (market.status === 'trading') continue;
      // The crowd does not act there before the end of this call.
      market.nextQuoteAt = Math.max(market.nextQuoteAt, now + FAIR_PRICE_MS);
      market.nextTakerAt = Math.max(market.nextTakerAt, now + FAIR_PRICE_MS);
    }
    for (;;) {
      const { at, market: next } = this.#nextAction();
      if (at > now) break;
      this.#time = Math.max(this.#time, at);
      if (!next) {
        this.#fundamentals.step(FAIR_PRICE_MS / MINUTE_MS);
        this.#nextPriceAt += FAIR_PRICE_MS;
        this.#hooks.onStep();
      } else if (next.nextQuoteAt <= next.nextTakerAt) {
        next.updateQuotes(this.fairPrice(next), at, this.#liquidity(next));
        next.nextQuoteAt += FAIR_PRICE_MS;
        this.settle(next);
      } else {
        next.nextTakerAt = at + next.sendTaker(at, this.#fundamentals.volatility(next.index));
        this.settle(next);
        this.ensureTwoSided(next);
      }
    }
    this.#time = now;
    for (const market of this.markets) market.closeCandles(now);
  }

  /** Fills a long pause with generated candles. */
  #skipTo(now: number): void {
    this.#time = now;
    this.#fillGap();
    this.#nextPriceAt = (Math.floor(now / FAIR_PRICE_MS) + 1) * FAIR_PRICE_MS;
    for (const market of this.markets) this.#startCrowd(market);
    this.#settleAll();
    this.#hooks.onStep();
  }

  /** Returns when something happens next, and the market whose crowd acts; no market when fair prices move. */
  #nextAction(): { at: number; market: PairMarket | undefined } {
    let at = this.#nextPriceAt;
    let next: PairMarket | undefined;
    for (const market of this.markets) {
      const due = Math.min(market.nextQuoteAt, market.nextTakerAt);
      if (due < at) {
        at = due;
        next = market;
      }
    }
    return { at, market: next };
  }

  #settleAll(): void {
    for (const market of this.markets) this.settle(market);
  }

  /** Writes the folder, then calls the listeners. */
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
    // Candles are trimmed last, because events refer to them by index.
    for (const market of this.markets) {
      this.#written[market.index] = (this.#written[market.index] as number) - market.candles.trim();
    }
  }
}

function isTrades(event: unknown): event is MarketEvent & { kind: 'trades' } {
  return (event as { kind?: unknown }).kind === 'trades';
}

/** Returns the offset of a market, so that makers of different pairs act at different moments. */
function quoteOffset(market: PairMarket): number {
  return market.index * 47;
}
