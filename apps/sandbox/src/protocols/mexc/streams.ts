import type { WebSocket } from 'ws';
import type { AccountEvent, Balance } from '../../accounts/spot/spotOrders.ts';
import { type Clock, wallClock } from '../../clock.ts';
import { sendEvent } from '../../faults/socketFaults.ts';
import { dayStatistics } from '../../market/dayStatistics.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { Trade } from '../../market/trade.ts';
import type { ExchangeEvent } from '../../venues/spot/spotExchange.ts';
import { accountPushes, dealPush, orderPush } from './accountPushes.ts';
import { ACCOUNT, DEALS, eventTypes, isChannel, klineChannel, LEVELS, ORDERS, type Speed } from './channels.ts';
import { STREAM_INTERVALS } from './intervals.ts';
import {
  bestOf,
  bookTickerPush,
  bookTickersPush,
  dealsPush,
  depthPush,
  klinePush,
  limitDepthPush,
  miniTicker,
} from './marketPushes.ts';
import { encodePush, type Push } from './protobuf.ts';
import type { Mexc } from './routes.ts';

/** A listener with more unsent bytes than this is too slow and is disconnected. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024;
export const MAX_CHANNELS = 30;
/** Maximum number of messages of a client in a second. */
const MAX_MESSAGES = 100;
/** A connection without subscriptions, without messages, or of this age is closed. */
const IDLE_MS = 30_000;
const SILENT_MS = 60_000;
const MAX_MS = 24 * 3_600_000;
const TICKER_SECONDS = 3;

type Connection = {
  socket: WebSocket;
  isAccount: boolean;
  channels: Set<string>;
  openedAt: number;
  /** When a message was last sent or received. */
  aliveAt: number;
  second: number;
  messages: number;
};

/** Changes of a market since the last push of one speed. */
type PendingUpdates = { changed: Set<number>; from: number; trades: Trade[]; best: string };

/**
 * The streams of MEXC in protobuf. The fast channels are sent with the events of the exchange, the others every 100 ms,
 * candles every second and when they close.
 */
export class Streams {
  readonly #mexc: Mexc;
  /** The time of connections, which is not the market's. */
  readonly #connectionClock: Pick<Clock, 'now'>;
  readonly #connections = new Set<Connection>();
  readonly #byChannel = new Map<string, Set<Connection>>();
  readonly #fast: PendingUpdates[];
  readonly #slow: PendingUpdates[];
  readonly #sentBalances = new Map<string, Balance>();
  #seconds = 0;

  constructor(mexc: Mexc, connectionClock: Pick<Clock, 'now'> = wallClock) {
    this.#mexc = mexc;
    this.#connectionClock = connectionClock;
    const { exchange } = mexc;
    const pending = ({ book }: PairMarket): PendingUpdates => ({
      changed: new Set(),
      from: book.updateId + 1,
      trades: [],
      best: '',
    });
    for (const { book } of exchange.markets) book.changed.clear();
    this.#fast = exchange.markets.map(pending);
    this.#slow = exchange.markets.map(pending);
    for (const [asset, balance] of exchange.account.balances) this.#sentBalances.set(asset, { ...balance });
    exchange.addListener((events) => this.#onEvents(events));
  }

  /** Accepts a connection. @param listenKey gives access to the account channels */
  accept(socket: WebSocket, listenKey: string | undefined): void {
    const now = this.#connectionClock.now();
    const connection: Connection = {
      socket,
      isAccount: listenKey !== undefined,
      channels: new Set(),
      openedAt: now,
      aliveAt: now,
      second: 0,
      messages: 0,
    };
    if (listenKey !== undefined) {
      const { listenKeys, clock } = this.#mexc;
      const rejection = listenKeys.connect(listenKey, connection, () => socket.close(), clock.now());
      if (rejection) {
        socket.send(rejection === 'unknown' ? 'Invalid listen key' : 'Too many connections of this listen key');
        socket.close();
        return;
      }
    }
    this.#connections.add(connection);
    socket.on('message', (data, isBinary) => this.#onMessage(connection, isBinary ? '' : String(data)));
    socket.on('close', () => {
      this.#connections.delete(connection);
      for (const name of connection.channels) this.#unsubscribe(connection, name);
      if (listenKey !== undefined) this.#mexc.listenKeys.disconnect(listenKey, connection);
    });
  }

  /** Pushes the updates of every 100 ms. */
  pushEvery100ms(now: number): void {
    for (const market of this.#mexc.exchange.markets) {
      this.#collect(market);
      this.#flush(market, '10ms', now);
      this.#flush(market, '100ms', now);
    }
  }

  /** Pushes the updates of every second, and closes expired connections. */
  pushEverySecond(now: number): void {
    const { exchange, listenKeys } = this.#mexc;
    for (const market of exchange.markets) {
      for (const [name, interval] of STREAM_INTERVALS) {
        const channel = klineChannel(market, name, interval);
        this.#push(channel.name, () => klinePush(channel, interval.start(market.forming.minute), now));
      }
    }
    if (this.#seconds++ % TICKER_SECONDS === 0) this.#pushTickers(now);
    listenKeys.expire(now);
    this.#closeIdle();
  }

  #pushTickers(now: number): void {
    const all = this.#mexc.exchange.markets;
    for (const name of this.#byChannel.keys()) {
      const isAll = name.startsWith(eventTypes.miniTickers);
      if (!isAll && !name.startsWith(eventTypes.miniTicker)) continue;
      const [, , symbol = ''] = name.split('@');
      this.#push(name, () => {
        if (!isAll) {
          const day = dayStatistics(this.#mexc.exchange.market(symbol) as PairMarket, now);
          return { channel: name, symbol, sendTime: now, publicMiniTicker: miniTicker(day) };
        }
        const items = all.map((market) => miniTicker(dayStatistics(market, now)));
        return { channel: name, sendTime: now, publicMiniTickers: { items } };
      });
    }
  }

  #closeIdle(): void {
    const now = this.#connectionClock.now();
    for (const { socket, channels, openedAt, aliveAt } of this.#connections) {
      const idle = channels.size === 0 && now - Math.max(openedAt, aliveAt) >= IDLE_MS;
      if (idle || now - aliveAt >= SILENT_MS || now - openedAt >= MAX_MS) socket.close();
    }
  }

  #onEvents(events: readonly ExchangeEvent[]): void {
    const { time } = this.#mexc.exchange;
    const touched = new Set<PairMarket>();
    for (const event of events) {
      if (event.kind === 'trades') {
        for (const pending of [this.#fast, this.#slow]) {
          pending[event.market.index]?.trades.push(...event.trades);
        }
        touched.add(event.market);
      } else if (event.kind === 'candle') this.#pushClosed(event.market, event.index, time);
      else if (event.kind === 'account') this.#pushAccount(event, time);
    }
    for (const market of touched) {
      this.#collect(market);
      this.#flush(market, '10ms', time);
    }
  }

  /** Pushes every interval that ends with a closed minute. */
  #pushClosed(market: PairMarket, index: number, time: number): void {
    const minute = market.candles.firstMinute + index;
    for (const [name, interval] of STREAM_INTERVALS) {
      const start = interval.start(minute);
      if (interval.next(start) !== minute + 1) continue;
      const channel = klineChannel(market, name, interval);
      this.#push(channel.name, () => klinePush(channel, start, time));
    }
  }

  #pushAccount(event: AccountEvent, time: number): void {
    const market = event.order && this.#mexc.exchange.market(event.order.symbol);
    if (market) {
      this.#push(ORDERS, () => orderPush(market, event, time));
      this.#push(DEALS, () => dealPush(market, event, time));
    }
    // Balances are compared even while there are no listeners.
    for (const push of accountPushes(this.#sentBalances, event, time)) this.#push(ACCOUNT, () => push);
  }

  #collect({ book, index }: PairMarket): void {
    for (const key of book.changed) {
      this.#fast[index]?.changed.add(key);
      this.#slow[index]?.changed.add(key);
    }
    book.changed.clear();
  }

  #flush(market: PairMarket, speed: Speed, now: number): void {
    const { pair, book } = market;
    const pending = (speed === '10ms' ? this.#fast : this.#slow)[market.index] as PendingUpdates;
    if (pending.trades.length > 0) {
      const { trades } = pending;
      const channel = `${eventTypes.deals(speed)}@${pair.symbol}`;
      this.#push(channel, () => dealsPush(channel, speed, pair, trades, now));
      pending.trades = [];
    }
    if (pending.changed.size === 0) return;
    const depth = `${eventTypes.depth(speed)}@${pair.symbol}`;
    this.#push(depth, () => depthPush({ channel: depth, speed, ...pending }, market, now));
    pending.changed.clear();
    pending.from = book.updateId + 1;
    if (speed === '100ms') {
      for (const levels of LEVELS) {
        const channel = `${eventTypes.limitDepth}@${pair.symbol}@${levels}`;
        this.#push(channel, () => limitDepthPush(channel, market, levels, now));
      }
    }
    this.#flushBest(market, pending, speed, now);
  }

  #flushBest(market: PairMarket, pending: PendingUpdates, speed: Speed, now: number): void {
    const { pair } = market;
    const best = bestOf(market);
    const text = Object.values(best).join();
    if (text === pending.best) return;
    pending.best = text;
    const channel = `${eventTypes.bookTicker(speed)}@${pair.symbol}`;
    this.#push(channel, () => bookTickerPush(channel, pair, best, now));
    if (speed === '100ms') return;
    const batch = `${eventTypes.bookTickers}@${pair.symbol}`;
    this.#push(batch, () => bookTickersPush(batch, pair, best, now));
  }

  #push(name: string, push: () => Push | undefined): void {
    const listeners = this.#byChannel.get(name);
    if (!listeners) return;
    const content = push();
    if (!content) return;
    const bytes = encodePush(content);
    const now = this.#connectionClock.now();
    for (const connection of listeners) {
      if (connection.socket.bufferedAmount > MAX_UNSENT_BYTES) connection.socket.terminate();
      else {
        sendEvent(this.#mexc.script, connection.socket, name, bytes);
        connection.aliveAt = now;
      }
    }
  }

  /** Executes the message of a client. */
  #onMessage(connection: Connection, text: string): void {
    const now = this.#connectionClock.now();
    connection.aliveAt = now;
    const second = Math.floor(now / 1000);
    if (connection.second !== second) {
      connection.second = second;
      connection.messages = 0;
    }
    if (++connection.messages > MAX_MESSAGES) {
      connection.socket.close();
      return;
    }
    for (const msg of this.#control(connection, text)) {
      connection.socket.send(JSON.stringify({ id: readId(text), code: 0, msg }));
    }
  }

  #control(connection: Connection, text: string): string[] {
    const message = readMessage(text);
    switch (message?.method.toUpperCase()) {
      case 'PING':
        return ['PONG'];
      case 'SUBSCRIPTION': {
        const taken: string[] = [];
        const rejected: string[] = [];
        for (const name of message?.channels ?? []) {
          const known = isChannel(this.#mexc.exchange, name, connection.isAccount);
          const room = connection.channels.size < MAX_CHANNELS || connection.channels.has(name);
          if (known && room) {
            this.#subscribe(connection, name);
            taken.push(name);
          } else rejected.push(name);
        }
        return [
          ...(taken.length > 0 ? [taken.join(',')] : []),
          ...(rejected.length > 0 ? [`Not Subscribed successfully! [${rejected.join(',')}].  Reason： Blocked! `] : []),
        ];
      }
      case 'UNSUBSCRIPTION': {
        const names = message?.channels ?? [];
        for (const name of names) this.#unsubscribe(connection, name);
        return [names.join(',')];
      }
      default:
        return ['msg format invalid'];
    }
  }

  #subscribe(connection: Connection, name: string): void {
    connection.channels.add(name);
    const listeners = this.#byChannel.get(name) ?? new Set();
    this.#byChannel.set(name, listeners.add(connection));
  }

  #unsubscribe(connection: Connection, name: string): void {
    connection.channels.delete(name);
    const listeners = this.#byChannel.get(name);
    listeners?.delete(connection);
    if (listeners?.size === 0) this.#byChannel.delete(name);
  }
}

function readMessage(text: string): { method: string; channels: string[] } | undefined {
  const message = readObject(text);
  if (typeof message?.method !== 'string') return undefined;
  const channels = Array.isArray(message.params) ? message.params : [];
  if (!channels.every((name): name is string => typeof name === 'string' && name.length <= 100)) return undefined;
  return { method: message.method, channels };
}

/** Returns the number of a client's request; 0 when it has none. */
function readId(text: string): number {
  const id = readObject(text)?.id;
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : 0;
}

function readObject(text: string): { [name: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as { [name: string]: unknown }) : undefined;
  } catch {
    return undefined;
  }
}
