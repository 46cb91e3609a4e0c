import type { WebSocket } from 'ws';
import type { FaultScript } from '../faults/fault-script.ts';
import { sendEvent } from '../faults/sockets.ts';
import type { Exchange, ExchangeEvent } from '../market/exchange.ts';
import type { PairMarket } from '../market/pair-market.ts';
import { decimal } from './format.ts';
import { INTERVALS } from './intervals.ts';
import {
  aggregate,
  aggregateRow,
  averagePrice,
  dayStatistics,
  depth,
  klineEvent,
  level,
  miniTickerEvent,
  tickerEvent,
} from './market-data.ts';

/** A listener with more than this unsent is too slow and is cut off, in bytes. */
const MOST_UNSENT = 8 * 1024 * 1024;
const MOST_STREAMS = 1024;
const PARTIAL_LEVELS = [5, 10, 20];

type Listener = { socket: WebSocket; combined: boolean; streams: Set<string> };

/** Depth changes gathered since the last push of one speed. */
type Gathered = { changed: Set<number>; from: number };

/**
 * Market streams. Trades and closed candles go out with the events that the exchange tells; books every 100 ms or second,
 * tickers and running candles every second, from the state as it then is.
 */
export class Streams {
  readonly #exchange: Exchange;
  readonly #script: FaultScript | undefined;
  readonly #byStream = new Map<string, Set<Listener>>();
  readonly #fast: Gathered[];
  readonly #slow: Gathered[];
  readonly #bestSent: string[];
  #tickersSent = new Map<string, string>();

  constructor(exchange: Exchange, script: FaultScript | undefined) {
    this.#exchange = exchange;
    this.#script = script;
    const gathered = ({ book }: PairMarket): Gathered => ({ changed: new Set(), from: book.updateId + 1 });
    for (const { book } of exchange.markets) book.changed.clear();
    this.#fast = exchange.markets.map(gathered);
    this.#slow = exchange.markets.map(gathered);
    this.#bestSent = exchange.markets.map(() => '');
    exchange.listen((events) => this.#tell(events));
  }

  /**
   * Takes a connection over.
   *
   * @param combined whether its events are wrapped with the name of their stream
   * @param names streams it listens to from the start
   */
  accept(socket: WebSocket, combined: boolean, names: readonly string[]): void {
    const listener: Listener = { socket, combined, streams: new Set() };
    for (const name of names.slice(0, MOST_STREAMS)) this.#subscribe(listener, name);
    socket.on('message', (data, isBinary) => {
      socket.send(JSON.stringify(isBinary ? invalidJson : this.#control(listener, String(data))));
    });
    socket.on('close', () => {
      for (const name of listener.streams) this.#unsubscribe(listener, name);
    });
  }

  /** Pushes what goes out every 100 ms. */
  pulse(now: number): void {
    for (const market of this.#exchange.markets) {
      const fast = this.#fast[market.index] as Gathered;
      const slow = this.#slow[market.index] as Gathered;
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

  /** Pushes what goes out every second. */
  secondPulse(now: number): void {
    const minis: object[] = [];
    const fulls: object[] = [];
    for (const market of this.#exchange.markets) {
      const name = market.pair.symbol.toLowerCase();
      this.#pushDepth(market, this.#slow[market.index] as Gathered, '', now);
      for (const interval of INTERVALS.values()) {
        this.#push(`${name}@kline_${interval.name}`, () =>
          klineEvent(market, interval, interval.start(market.running.minute), false, now),
        );
      }
      this.#push(`${name}@avgPrice`, () => {
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
      this.#push(`${name}@miniTicker`, () => mini);
      this.#push(`${name}@ticker`, () => full);
    }
    if (minis.length > 0) this.#push('!miniTicker@arr', () => minis);
    if (fulls.length > 0) this.#push('!ticker@arr', () => fulls);
  }

  #wantsTicker(name: string): boolean {
    return ['!miniTicker@arr', '!ticker@arr', `${name}@miniTicker`, `${name}@ticker`].some((stream) =>
      this.#byStream.has(stream),
    );
  }

  #tell(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.kind === 'trades') this.#pushTrades(event.market, event.trades);
      else if (event.kind === 'candle') this.#pushClosed(event.market, event.index);
    }
  }

  #pushTrades(market: PairMarket, trades: readonly PairMarket['recent'][number][]): void {
    const { pair } = market;
    const name = pair.symbol.toLowerCase();
    const E = this.#exchange.time;
    for (const trade of trades) {
      this.#push(`${name}@trade`, () => ({
        e: 'trade',
        E,
        s: pair.symbol,
        t: trade.id,
        p: decimal(trade.tick, pair.priceDecimals),
        q: decimal(trade.quantity, pair.quantityDecimals),
        b: trade.buyerOrderId,
        a: trade.sellerOrderId,
        T: trade.time,
        m: trade.buyerIsMaker,
        M: true,
      }));
    }
    if (!this.#byStream.has(`${name}@aggTrade`)) return;
    for (const row of aggregate(trades)) {
      this.#push(`${name}@aggTrade`, () => ({ e: 'aggTrade', E, s: pair.symbol, ...aggregateRow(pair, row) }));
    }
  }

  /** A minute closed, and with it every interval that ends there. */
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

  #pushBest(market: PairMarket): void {
    const { pair, book } = market;
    const [b, B] = level(pair, book.bestBid, book.bids.quantity(book.bestBid));
    const [a, A] = level(pair, book.bestAsk, book.asks.quantity(book.bestAsk));
    const best = `${b} ${B} ${a} ${A}`;
    if (best === this.#bestSent[market.index]) return;
    this.#bestSent[market.index] = best;
    this.#push(`${pair.symbol.toLowerCase()}@bookTicker`, () => ({ u: book.updateId, s: pair.symbol, b, B, a, A }));
  }

  #pushDepth(market: PairMarket, gathered: Gathered, speed: string, now: number): void {
    if (gathered.changed.size === 0) return;
    const { pair, book } = market;
    const name = pair.symbol.toLowerCase();
    const { changed, from } = gathered;
    this.#push(`${name}@depth${speed}`, () => {
      const bids: string[][] = [];
      const asks: string[][] = [];
      for (const key of changed) {
        if (key < 0) bids.push(level(pair, -key, book.bids.quantity(-key)));
        else asks.push(level(pair, key, book.asks.quantity(key)));
      }
      return { e: 'depthUpdate', E: now, s: pair.symbol, U: from, u: book.updateId, b: bids, a: asks };
    });
    for (const levels of PARTIAL_LEVELS) this.#push(`${name}@depth${levels}${speed}`, () => depth(market, levels));
    changed.clear();
    gathered.from = book.updateId + 1;
  }

  #push(name: string, event: () => object | undefined): void {
    const listeners = this.#byStream.get(name);
    if (!listeners) return;
    const data = event();
    if (!data) return;
    const raw = JSON.stringify(data);
    const wrapped = `{"stream":"${name}","data":${raw}}`;
    for (const { socket, combined } of listeners) {
      if (socket.bufferedAmount > MOST_UNSENT) socket.terminate();
      else sendEvent(this.#script, socket, name, combined ? wrapped : raw);
    }
  }

  #subscribe(listener: Listener, name: string): void {
    listener.streams.add(name);
    let listeners = this.#byStream.get(name);
    if (!listeners) {
      listeners = new Set();
      this.#byStream.set(name, listeners);
    }
    listeners.add(listener);
    this.#tickersSent.clear();
  }

  #unsubscribe(listener: Listener, name: string): void {
    listener.streams.delete(name);
    const listeners = this.#byStream.get(name);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#byStream.delete(name);
  }

  /** Carries out a control message. @returns the answer */
  #control(listener: Listener, text: string): object {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return invalidJson;
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return invalidJson;
    const { method, params, id } = message as { [name: string]: unknown };
    if (id !== null && !(typeof id === 'number' && Number.isSafeInteger(id)) && !isShortText(id)) {
      return { code: 2, msg: 'Invalid request: request ID must be an unsigned integer' };
    }
    const names = Array.isArray(params) ? params : [];
    switch (method) {
      case undefined:
        return { code: 2, msg: 'Invalid request: missing field `method` at line 1 column 1', id };
      case 'SUBSCRIBE':
      case 'UNSUBSCRIBE': {
        if (!Array.isArray(params) || !names.every((name) => typeof name === 'string' && name.length <= 100)) {
          return { code: 2, msg: 'Invalid request: params must be a list of stream names', id };
        }
        if (method === 'SUBSCRIBE' && listener.streams.size + names.length > MOST_STREAMS) {
          return { code: 2, msg: 'Invalid request: too many parameters', id };
        }
        for (const name of names as string[]) {
          if (method === 'SUBSCRIBE') this.#subscribe(listener, name);
          else this.#unsubscribe(listener, name);
        }
        return { result: null, id };
      }
      case 'LIST_SUBSCRIPTIONS':
        return { result: [...listener.streams], id };
      case 'SET_PROPERTY':
      case 'GET_PROPERTY': {
        const [property, value] = names;
        if (typeof property !== 'string') {
          return { code: 2, msg: 'Invalid request: property name must be a string', id };
        }
        if (property !== 'combined') return { code: 0, msg: 'Unknown property', id };
        if (method === 'GET_PROPERTY') return { result: listener.combined, id };
        if (typeof value !== 'boolean') return { code: 1, msg: 'Invalid value type: expected Boolean', id };
        listener.combined = value;
        return { result: null, id };
      }
      default:
        return {
          code: 2,
          msg: `Invalid request: unknown variant ${JSON.stringify(method)?.slice(0, 50)}, expected one of \`SUBSCRIBE\`, \`UNSUBSCRIBE\`, \`LIST_SUBSCRIPTIONS\`, \`SET_PROPERTY\`, \`GET_PROPERTY\` at line 1 column 1`,
          id,
        };
    }
  }
}

const invalidJson = { code: 3, msg: 'Invalid JSON: expected value at line 1 column 1' };

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 36;
}
