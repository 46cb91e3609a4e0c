import type { WebSocket } from 'ws';
import type { FaultScript } from '../../faults/faultScript.ts';
import { dayStatistics } from '../../market/dayStatistics.ts';
import { INTERVALS } from '../../market/intervals.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { Trade } from '../../market/trade.ts';
import type { ExchangeEvent, SpotExchange } from '../../venues/spot/spotExchange.ts';
import { referencePriceEvent } from './executionRuleRows.ts';
import { decimal } from './format.ts';
import {
  aggregate,
  aggregateRow,
  averagePrice,
  depth,
  klineEvent,
  level,
  miniTickerEvent,
  tickerEvent,
} from './marketData.ts';
import { Subscriptions } from './subscriptions.ts';

const PARTIAL_LEVELS = [5, 10, 20];

/** Depth changes since the last push of one speed. */
type PendingUpdates = { changed: Set<number>; from: number };

/**
 * Market streams. Trades and closed candles are sent with the events of the exchange, books every 100 ms or second,
 * tickers and forming candles every second.
 */
export class Streams {
  readonly #exchange: SpotExchange;
  readonly #subscriptions: Subscriptions;
  readonly #fast: PendingUpdates[];
  readonly #slow: PendingUpdates[];
  readonly #bestSent: string[];
  #tickersSent = new Map<string, string>();

  constructor(exchange: SpotExchange, script: FaultScript | undefined) {
    this.#exchange = exchange;
    this.#subscriptions = new Subscriptions(script, () => this.#tickersSent.clear());
    const pending = ({ book }: PairMarket): PendingUpdates => ({ changed: new Set(), from: book.updateId + 1 });
    for (const { book } of exchange.markets) book.changed.clear();
    this.#fast = exchange.markets.map(pending);
    this.#slow = exchange.markets.map(pending);
    this.#bestSent = exchange.markets.map(() => '');
    exchange.addListener((events) => this.#onEvents(events));
  }

  /**
   * Accepts a connection.
   *
   * @param combined whether its events are wrapped with the name of their stream
   * @param names streams that it subscribes to from the start
   */
  accept(socket: WebSocket, combined: boolean, names: readonly string[]): void {
    this.#subscriptions.accept(socket, combined, names);
  }

  /** Pushes the updates of every 100 ms. */
  pushEvery100ms(now: number): void {
    for (const market of this.#exchange.markets) {
      const fast = this.#fast[market.index] as PendingUpdates;
      const slow = this.#slow[market.index] as PendingUpdates;
      const { book } = market;
      if (book.changed.size > 0) {
        for (const key of book.changed) {
          fast.changed.add(key);
          slow.changed.add(key);
        }
        book.changed.clear();
        this.#pushBest(market);
      }
      this.#pushDepth(market, fast, '@100ms', now);
    }
  }

  /** Pushes the updates of every second. */
  pushEverySecond(now: number): void {
    const minis: object[] = [];
    const fulls: object[] = [];
    for (const market of this.#exchange.markets) {
      const name = market.pair.symbol.toLowerCase();
      this.#pushDepth(market, this.#slow[market.index] as PendingUpdates, '', now);
      for (const interval of INTERVALS.values()) {
        this.#subscriptions.push(`${name}@kline_${interval.name}`, () =>
          klineEvent(market, interval, interval.start(market.forming.minute), false, now),
        );
      }
      this.#subscriptions.push(`${name}@referencePrice`, () => referencePriceEvent(market, now));
      this.#subscriptions.push(`${name}@avgPrice`, () => {
        const average = averagePrice(market) as { price: string; closeTime: number };
        return { e: 'avgPrice', E: now, s: market.pair.symbol, i: '5m', w: average.price, T: average.closeTime };
      });
      if (!this.#wantsTicker(name)) continue;
      const day = dayStatistics(market, now);
      const state = `${market.nextTradeId} ${day.openTime} ${day.bid} ${day.ask}`;
      if (this.#tickersSent.get(name) === state) continue;
      this.#tickersSent.set(name, state);
      const mini = miniTickerEvent(day);
      const full = tickerEvent(day);
      minis.push(mini);
      fulls.push(full);
      this.#subscriptions.push(`${name}@miniTicker`, () => mini);
      this.#subscriptions.push(`${name}@ticker`, () => full);
    }
    if (minis.length > 0) this.#subscriptions.push('!miniTicker@arr', () => minis);
    if (fulls.length > 0) this.#subscriptions.push('!ticker@arr', () => fulls);
  }

  #wantsTicker(name: string): boolean {
    return ['!miniTicker@arr', '!ticker@arr', `${name}@miniTicker`, `${name}@ticker`].some((stream) =>
      this.#subscriptions.has(stream),
    );
  }

  #onEvents(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.kind === 'trades') this.#pushTrades(event.market, event.trades);
      else if (event.kind === 'candle') this.#pushClosed(event.market, event.index);
    }
  }

  #pushTrades(market: PairMarket, trades: readonly Trade[]): void {
    const { pair } = market;
    const name = pair.symbol.toLowerCase();
    const E = this.#exchange.time;
    for (const trade of trades) {
      this.#subscriptions.push(`${name}@trade`, () => ({
        e: 'trade',
        E,
        s: pair.symbol,
        t: trade.id,
        p: decimal(trade.tick, pair.priceDecimals),
        q: decimal(trade.quantity, pair.quantityDecimals),
        T: trade.time,
        m: trade.buyerIsMaker,
        M: true,
      }));
    }
    if (!this.#subscriptions.has(`${name}@aggTrade`)) return;
    for (const row of aggregate(trades)) {
      this.#subscriptions.push(`${name}@aggTrade`, () => ({
        e: 'aggTrade',
        E,
        s: pair.symbol,
        ...aggregateRow(pair, row),
      }));
    }
  }

  /** Pushes every interval that ends with a closed minute. */
  #pushClosed(market: PairMarket, index: number): void {
    const name = market.pair.symbol.toLowerCase();
    const minute = market.candles.firstMinute + index;
    for (const interval of INTERVALS.values()) {
      const start = interval.start(minute);
      if (interval.next(start) !== minute + 1) continue;
      this.#subscriptions.push(`${name}@kline_${interval.name}`, () =>
        klineEvent(market, interval, start, true, this.#exchange.time),
      );
    }
  }

  #pushBest(market: PairMarket): void {
    const { pair, book } = market;
    const [b, B] = level(pair, book.bestBid, book.bids.quantity(book.bestBid));
    const [a, A] = level(pair, book.bestAsk, book.asks.quantity(book.bestAsk));
    const best = `${b} ${B} ${a} ${A}`;
    if (best === this.#bestSent[market.index]) return;
    this.#bestSent[market.index] = best;
    this.#subscriptions.push(`${pair.symbol.toLowerCase()}@bookTicker`, () => ({
      u: book.updateId,
      s: pair.symbol,
      b,
      B,
      a,
      A,
    }));
  }

  #pushDepth(market: PairMarket, pending: PendingUpdates, speed: string, now: number): void {
    if (pending.changed.size === 0) return;
    const { pair, book } = market;
    const name = pair.symbol.toLowerCase();
    const { changed, from } = pending;
    this.#subscriptions.push(`${name}@depth${speed}`, () => {
      const bids: string[][] = [];
      const asks: string[][] = [];
      for (const key of changed) {
        if (key < 0) bids.push(level(pair, -key, book.bids.quantity(-key)));
        else asks.push(level(pair, key, book.asks.quantity(key)));
      }
      return { e: 'depthUpdate', E: now, s: pair.symbol, U: from, u: book.updateId, b: bids, a: asks };
    });
    for (const levels of PARTIAL_LEVELS)
      this.#subscriptions.push(`${name}@depth${levels}${speed}`, () => depth(market, levels));
    changed.clear();
    pending.from = book.updateId + 1;
  }
}
