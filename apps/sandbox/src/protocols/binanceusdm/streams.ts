import type { WebSocket } from 'ws';
import type { FuturesChange, FuturesOrder } from '../../accounts/futures/futuresOrders.ts';
import type { FaultScript } from '../../faults/faultScript.ts';
import { dayStatistics } from '../../market/dayStatistics.ts';
import { INTERVALS } from '../../market/intervals.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { Trade } from '../../market/trade.ts';
import type { FuturesEvent, FuturesExchange } from '../../venues/futures/futuresExchange.ts';
import type { MarginCall } from '../../venues/futures/futuresState.ts';
import { aggregate, aggregateRow, klineEvent, miniTickerEvent } from '../binance/marketData.ts';
import { Subscriptions } from '../binance/subscriptions.ts';
import { contractLevel, markPrice, plain } from './format.ts';
import type { ListenKeys } from './listenKeys.ts';
import { fundingText, futuresTickerEvent } from './marketRows.ts';
import { orderRow } from './orderRows.ts';
import { marginCall, type UserEvent, userEvents } from './userEvents.ts';

const PARTIAL_LEVELS = [5, 10, 20];
/** Number of 100 ms intervals between pushes of a book, by the end of the stream's name. */
const SPEEDS = [
  { name: '@100ms', pulses: 1 },
  { name: '', pulses: 3 },
  { name: '@500ms', pulses: 5 },
] as const;

/** Depth changes since the last push of one speed. */
type PendingUpdates = { changed: Set<number>; from: number; previous: number };

/** The categories of stream addresses: each carries its own kind of streams, the legacy one all of them. */
export type Category = 'public' | 'market' | 'private' | 'all';

/** Returns the category of a stream: books and trades are public; all other market streams are market data. */
function categoryOf(name: string): 'public' | 'market' {
  return /@(depth|rpiDepth|bookTicker|trade)|^!bookTicker/.test(name) ? 'public' : 'market';
}

/**
 * Market and account streams. Trades, closed candles and account events are sent with the events of the exchange.
 * Books are sent at their speeds; tickers, mark prices and forming candles every second.
 */
export class Streams {
  readonly #exchange: FuturesExchange;
  readonly #listenKeys: ListenKeys;
  readonly #hubs: { readonly [category in Category]: Subscriptions };
  readonly #gathered: PendingUpdates[][];
  readonly #bestSent: string[];
  #pulses = 0;
  #seconds = 0;

  constructor(exchange: FuturesExchange, listenKeys: ListenKeys, script: FaultScript | undefined) {
    this.#exchange = exchange;
    this.#listenKeys = listenKeys;
    const hub = () => new Subscriptions(script, () => {});
    this.#hubs = { public: hub(), market: hub(), private: hub(), all: hub() };
    for (const { book } of exchange.markets) book.changed.clear();
    this.#gathered = exchange.markets.map(({ book }) =>
      SPEEDS.map(() => ({ changed: new Set<number>(), from: book.updateId + 1, previous: book.updateId })),
    );
    this.#bestSent = exchange.markets.map(() => '');
    exchange.addListener((events) => this.#onEvents(events));
  }

  accept(socket: WebSocket, category: Category, combined: boolean, names: readonly string[]): void {
    this.#hubs[category].accept(socket, combined, names);
  }

  /** Pushes the updates of every 100 ms, or of multiples of it. */
  pushEvery100ms(now: number): void {
    this.#pulses++;
    for (const market of this.#exchange.markets) {
      const { book } = market;
      const pending = this.#gathered[market.index] as PendingUpdates[];
      if (book.changed.size > 0) {
        for (const { changed } of pending) for (const key of book.changed) changed.add(key);
        book.changed.clear();
        this.#pushBest(market, now);
      }
      SPEEDS.forEach(({ name, pulses }, i) => {
        if (this.#pulses % pulses === 0) this.#pushDepth(market, pending[i] as PendingUpdates, name, now);
      });
    }
    const expired = this.#listenKeys.expire(now);
    if (expired === undefined) return;
    this.#pushUser(expired, { e: 'listenKeyExpired', E: now, listenKey: expired });
  }

  /** Pushes the updates of every second. */
  pushEverySecond(now: number): void {
    this.#seconds++;
    const marks = this.#exchange.markets.map((market) => this.#markEvent(market, now));
    const minis: object[] = [];
    const fulls: object[] = [];
    for (const market of this.#exchange.markets) {
      const name = market.pair.symbol.toLowerCase();
      const mark = marks[market.index];
      this.#push(`${name}@markPrice@1s`, () => mark);
      if (this.#seconds % 3 === 0) this.#push(`${name}@markPrice`, () => mark);
      for (const interval of INTERVALS.values()) {
        this.#push(`${name}@kline_${interval.name}`, () =>
          klineEvent(market, interval, interval.start(market.forming.minute), false, now),
        );
      }
      if (!this.#wantsTicker(name)) continue;
      const day = dayStatistics(market, now);
      const mini = miniTickerEvent(day);
      const full = futuresTickerEvent(day);
      minis.push(mini);
      fulls.push(full);
      this.#push(`${name}@miniTicker`, () => mini);
      this.#push(`${name}@ticker`, () => full);
    }
    this.#push('!markPrice@arr@1s', () => marks);
    if (this.#seconds % 3 === 0) this.#push('!markPrice@arr', () => marks);
    this.#push('!miniTicker@arr', () => minis);
    this.#push('!ticker@arr', () => fulls);
  }

  #wantsTicker(name: string): boolean {
    const names = ['!miniTicker@arr', '!ticker@arr', `${name}@miniTicker`, `${name}@ticker`];
    return names.some((stream) => this.#hubs.market.has(stream) || this.#hubs.all.has(stream));
  }

  #push(name: string, event: () => object | undefined): void {
    this.#hubs[categoryOf(name)].push(name, event);
    this.#hubs.all.push(name, event);
  }

  #pushUser(listenKey: string, event: UserEvent): void {
    for (const hub of [this.#hubs.private, this.#hubs.all]) hub.push(listenKey, () => event, `user ${event.e}`);
  }

  #onEvents(events: readonly FuturesEvent[]): void {
    const now = this.#exchange.time;
    for (const event of events) {
      if (event.kind === 'trades') this.#pushTrades(event.market, event.trades);
      else if (event.kind === 'candle') this.#pushClosed(event.market, event.index);
      else this.#pushAccount(event, now);
    }
  }

  #pushAccount(event: FuturesChange | MarginCall, now: number): void {
    if (event.kind === 'account' && event.order?.liquidation && event.trade) this.#pushForced(event.order, now);
    const key = this.#listenKeys.current;
    if (key === undefined) return;
    const accountEvents =
      event.kind === 'margin-call' ? [marginCall(event, now)] : userEvents(this.#exchange, event, now);
    for (const one of accountEvents) this.#pushUser(key, one);
  }

  #markEvent(market: PairMarket, now: number): object {
    const { mark, index } = this.#exchange.mark(market);
    const { rate, at } = this.#exchange.funding(market);
    return {
      e: 'markPriceUpdate',
      E: now,
      s: market.pair.symbol,
      p: markPrice(mark),
      ap: markPrice(mark),
      P: markPrice(index),
      i: markPrice(index),
      r: fundingText(rate),
      T: at,
    };
  }

  #pushForced(order: FuturesOrder, now: number): void {
    const row = orderRow(this.#exchange.account, order);
    const event = () => ({
      e: 'forceOrder',
      E: now,
      o: {
        s: order.symbol,
        S: row.side,
        o: row.type,
        f: row.timeInForce,
        q: row.origQty,
        p: row.price,
        ap: row.avgPrice,
        X: row.status,
        l: row.executedQty,
        z: row.executedQty,
        T: order.updateTime,
      },
    });
    this.#push(`${order.symbol.toLowerCase()}@forceOrder`, event);
    this.#push('!forceOrder@arr', event);
  }

  #pushTrades(market: PairMarket, trades: readonly Trade[]): void {
    const { pair } = market;
    const name = pair.symbol.toLowerCase();
    const E = this.#exchange.time;
    for (const trade of trades) {
      this.#push(`${name}@trade`, () => ({
        e: 'trade',
        E,
        T: trade.time,
        s: pair.symbol,
        t: trade.id,
        p: plain(trade.tick, pair.priceDecimals),
        q: plain(trade.quantity, pair.quantityDecimals),
        X: 'MARKET',
        m: trade.buyerIsMaker,
      }));
    }
    for (const row of aggregate(trades)) {
      this.#push(`${name}@aggTrade`, () => ({ e: 'aggTrade', E, s: pair.symbol, ...aggregateRow(pair, row) }));
    }
  }

  /** Pushes every interval that ends with a closed minute. */
  #pushClosed(market: PairMarket, index: number): void {
    const name = market.pair.symbol.toLowerCase();
    const minute = market.candles.firstMinute + index;
    for (const interval of INTERVALS.values()) {
      const start = interval.start(minute);
      if (interval.next(start) !== minute + 1) continue;
      this.#push(`${name}@kline_${interval.name}`, () =>
        klineEvent(market, interval, start, true, this.#exchange.time),
      );
    }
  }

  #pushBest(market: PairMarket, now: number): void {
    const { pair, book } = market;
    const [b, B] = contractLevel(pair, book.bestBid, book.bids.quantity(book.bestBid));
    const [a, A] = contractLevel(pair, book.bestAsk, book.asks.quantity(book.bestAsk));
    const best = `${b} ${B} ${a} ${A}`;
    if (best === this.#bestSent[market.index]) return;
    this.#bestSent[market.index] = best;
    const event = () => ({ e: 'bookTicker', u: book.updateId, s: pair.symbol, b, B, a, A, T: now, E: now });
    this.#push(`${pair.symbol.toLowerCase()}@bookTicker`, event);
    this.#push('!bookTicker', event);
  }

  #pushDepth(market: PairMarket, pending: PendingUpdates, speed: string, now: number): void {
    if (pending.changed.size === 0) return;
    const { pair, book } = market;
    const name = pair.symbol.toLowerCase();
    const { changed, from, previous } = pending;
    const common = { e: 'depthUpdate', E: now, T: now, s: pair.symbol, U: from, u: book.updateId, pu: previous };
    this.#push(`${name}@depth${speed}`, () => {
      const bids: string[][] = [];
      const asks: string[][] = [];
      for (const key of changed) {
        if (key < 0) bids.push(contractLevel(pair, -key, book.bids.quantity(-key)));
        else asks.push(contractLevel(pair, key, book.asks.quantity(key)));
      }
      return { ...common, b: bids, a: asks };
    });
    for (const levels of PARTIAL_LEVELS) {
      this.#push(`${name}@depth${levels}${speed}`, () => ({
        ...common,
        b: book.levels('buy', levels).map(([tick, steps]) => contractLevel(pair, tick, steps)),
        a: book.levels('sell', levels).map(([tick, steps]) => contractLevel(pair, tick, steps)),
      }));
    }
    changed.clear();
    pending.from = book.updateId + 1;
    pending.previous = book.updateId;
  }
}
