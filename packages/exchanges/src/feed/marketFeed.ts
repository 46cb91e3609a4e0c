import type { Market } from '@heron/engine/market/market.ts';
import { PERIODS, type Period, periodStart } from '@heron/engine/market/period.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import { type ExchangeError, ExchangeMisused } from '../errors.ts';
import {
  type Channel,
  CLOSED_AFTER_MS,
  type PublicExchange,
  type PublicFutures,
  type StreamEvent,
  type Ticker,
} from '../exchange.ts';
import { type CandleSeries, candleSeries } from './candleSeries.ts';
import { openFeedConnection } from './feedConnection.ts';
import type { FeedEvent, FeedPace, FollowOptions, MarketFeed } from './feedTypes.ts';
import { type FollowedPair, openFollowedPairs } from './followedPairs.ts';
import { type FundingEvent, openFundingTracker } from './fundingTracker.ts';
import { candleMerger, sourcePeriod } from './mergedCandles.ts';
import { openQuietPoller } from './quietPoller.ts';
import { openTickerReader } from './tickerReader.ts';

const CHECK_MS = 1_000;
/** Pace of a listener that gives none. */
const DEFAULT_PACE: FeedPace = { pollMs: 3_000, scanMs: 3_000 };
const TICKERS_FOR_MS = 3_000;
/** The payments of a pair are read at most this often, whatever the number of bots. */
const PAYMENTS_FOR_MS = 60_000;
const DAY_MS = 86_400_000;

interface Series {
  readonly series: CandleSeries;
  readonly channel: Channel;
  readonly listeners: Set<{ onClosed(candle: ClosedCandle): void; onForming(candle: ClosedCandle): void }>;
}

/**
 * Opens the feed of a venue. Nothing is connected before the first subscription.
 *
 * @param now ms since 1970; stamps the events
 * @param warn is called when a request in the background begins to fail
 */
export function openMarketFeed(
  exchange: PublicExchange | PublicFutures,
  now: () => number,
  warn: (error: ExchangeError, request: string) => void = () => {},
): MarketFeed {
  const allSeries = new Map<string, Series>();
  /** Error of the newest request. It does not concern pushes. */
  let failure: ExchangeError | null = null;
  const onFailure = (error: ExchangeError) => {
    failure = error;
  };
  const onSuccess = () => {
    failure = null;
  };
  const funding =
    'funding' in exchange ? openFundingTracker(exchange, now, (event) => pairs.emit(event), onFailure) : null;
  const payments = openPayments();
  const pairs = openFollowedPairs(now, (pair) => funding?.mark(pair) ?? 0);
  const tickers = openTickerReader({ exchange, pairs, warn, onSuccess });
  const poller = openQuietPoller(exchange, pairs, now);
  const connection = openFeedConnection(exchange, now, () => pairs.map.size, {
    onConnected(wasLost) {
      failure = null;
      poller.reset();
      if (wasLost) for (const { series } of allSeries.values()) void series.repair();
    },
    onData(event) {
      poller.reset();
      onData(event);
    },
    onDisconnected: () => poller.reset(),
  });
  let cached: { at: number; tickers: Promise<readonly Ticker[]> } | null = null;
  let testRequest: Promise<boolean> | null = null;
  const checkTimer = setInterval(check, CHECK_MS);
  checkTimer.unref();

  function onData(event: Exclude<StreamEvent, { type: 'connected' | 'lost' }>): void {
    switch (event.type) {
      case 'quote': {
        const { type: _, pair, ...best } = event;
        pairs.onQuote(pair, best);
        break;
      }
      case 'trade': {
        const followed = pairs.map.get(event.pair);
        if (!followed) break;
        followed.last = event.price;
        pairs.emit({ ...event, at: now() });
        break;
      }
      case 'candle': {
        const found = allSeries.get(`${event.pair} ${event.period}`);
        if (!found) break;
        if (event.closed) found.series.offer(event.candle);
        else for (const listener of found.listeners) listener.onForming(event.candle);
      }
    }
  }

  function check(): void {
    const at = now();
    for (const { series } of allSeries.values()) series.check();
    funding?.check([...pairs.map.keys()]);
    connection.check(at, pairs.map.size);
    poller.check(at);
    tickers.check(at);
  }

  async function sourceOf(pair: string, period: Period): Promise<{ market: Market; source: Period }> {
    const market = (await exchange.markets(pair)).find((candidate) => candidate.pair === pair);
    const source = sourcePeriod(period, exchange.periods);
    if (!market) throw new ExchangeMisused(exchange.name, `there is no pair ${pair}`);
    if (source === null) throw new ExchangeMisused(exchange.name, `candles of ${period} cannot be made from its own`);
    return { market, source };
  }

  /** Whether the venue responds to a request. */
  async function answers(): Promise<boolean> {
    try {
      const [market] = await exchange.markets();
      if (market) await exchange.tickers([market.pair]);
      failure = null;
      return market !== undefined;
    } catch (error) {
      // `PublicExchange` rejects with an `ExchangeError` only.
      failure = error as ExchangeError;
      return false;
    }
  }

  function seriesOf(pair: string, period: Period): Series {
    const key = `${pair} ${period}`;
    const existing = allSeries.get(key);
    if (existing) return existing;
    const listeners: Series['listeners'] = new Set();
    const onClosed = (candle: ClosedCandle) => {
      for (const listener of listeners) listener.onClosed(candle);
    };
    const series = candleSeries(exchange, pair, period, onClosed, onFailure);
    const made: Series = { series, channel: { kind: 'candles', pair, period }, listeners };
    allSeries.set(key, made);
    connection.watch([made.channel]);
    return made;
  }

  function followPair(pair: string): FollowedPair {
    const existing = pairs.map.get(pair);
    if (existing) return existing;
    if (pairs.map.size === 0) connection.onFirstPair();
    const made = pairs.add(pair);
    connection.watch(made.channels);
    return made;
  }

  /** Stops following a pair and a series that have no listeners. */
  function release(pair: string, period: Period): void {
    const followed = pairs.map.get(pair);
    if (followed && followed.listeners.size === 0) {
      pairs.map.delete(pair);
      connection.unwatch(followed.channels);
    }
    const key = `${pair} ${period}`;
    const series = allSeries.get(key);
    if (series && series.listeners.size === 0) {
      allSeries.delete(key);
      connection.unwatch([series.channel]);
    }
    if (pairs.map.size === 0) connection.onLastPair();
  }

  /** Adds a listener to a pair and its candles. Until `start` only funding payments are collected. */
  function attach(
    { pair, period, source }: { pair: string; period: Period; source: Period },
    listener: (event: FeedEvent) => void,
    wantedPace: () => FeedPace,
  ) {
    const followed = followPair(pair);
    const native = seriesOf(pair, source);
    const fundings = new Map<string, FundingEvent>();
    const merger = source === period ? null : candleMerger(source, period);
    let isLive = false;
    const emit = (event: FeedEvent) => {
      if (isLive) listener(event);
      else if (event.type === 'funding') fundings.set(event.id, event);
    };
    const merge = (candle: ClosedCandle) => (merger ? merger.closed(candle) : [candle]);
    const candleListener = {
      onClosed(candle: ClosedCandle) {
        // The history contains this candle, so that the merger must not get it twice.
        if (!isLive) return;
        for (const whole of merge(candle)) emit({ type: 'candle', at: now(), pair, candle: whole });
      },
      onForming(candle: ClosedCandle) {
        emit({ type: 'forming', at: now(), pair, candle: merger ? merger.forming(candle) : candle });
      },
    };
    // A function of its own, since two listeners may give the same one.
    const pace = () => wantedPace();
    followed.listeners.add(emit);
    followed.paces.add(pace);
    native.listeners.add(candleListener);
    return {
      ...{ followed, native, fundings, merge },
      start() {
        isLive = true;
      },
      close() {
        isLive = false;
        followed.listeners.delete(emit);
        followed.paces.delete(pace);
        native.listeners.delete(candleListener);
        release(pair, source);
      },
    };
  }

  /** Payments of the last 24 hours by pair. */
  function openPayments() {
    const read = new Map<string, { readonly at: number; readonly events: Promise<readonly FundingEvent[]> }>();
    return (pair: string): Promise<readonly FundingEvent[]> => {
      if (funding === null) return Promise.resolve([]);
      const last = read.get(pair);
      if (last !== undefined && now() - last.at < PAYMENTS_FOR_MS) return last.events;
      const events = funding.paymentsSince(pair, exchange.time() - DAY_MS);
      read.set(pair, { at: now(), events });
      events.catch(() => read.delete(pair));
      return events;
    };
  }

  /** Reads the first quote and figures of a pair, or another quote when the last one is old. */
  async function readQuote(pair: string, followed: FollowedPair): Promise<void> {
    if (followed.quote === null || followed.ticker === null) await tickers.readFirst(pair, followed);
    // The pair can be followed with an old quote.
    else if (pairs.isQuoteOld(followed)) await tickers.readFirst(pair, followed).catch(() => {});
  }

  async function subscribe(
    pair: string,
    period: Period,
    candles: number,
    listener: (event: FeedEvent) => void,
    { pace = () => DEFAULT_PACE, fundingSince = null }: FollowOptions = {},
  ) {
    const { market, source } = await sourceOf(pair, period);
    // Attached before the history is read, so that the pair is not released in between.
    const { followed, native, fundings, merge, start, close } = attach({ pair, period, source }, listener, pace);
    const history: ClosedCandle[] = [];
    try {
      await readQuote(pair, followed);
      if (funding !== null && fundingSince !== null) {
        for (const event of await funding.paymentsSince(pair, fundingSince)) fundings.set(event.id, event);
      }
      for (const candle of await native.series.history(partsOf(source, period, candles)))
        history.push(...merge(candle));
      // There is no await between the history and this line, so that no event is missed.
      start();
      failure = null;
    } catch (error) {
      close();
      // `PublicExchange` rejects with an `ExchangeError` only.
      failure = error as ExchangeError;
      throw error;
    }
    const paid = [...fundings.values()].sort((a, b) => Number(a.id) - Number(b.id));
    const { quote, ticker } = followed;
    return { market, history: history.slice(-candles), quote, ticker, fundings: paid, close };
  }

  return {
    exchange,
    markets: () => exchange.markets(),
    subscribe,
    payments,

    tickers() {
      if (cached === null || now() - cached.at > TICKERS_FOR_MS) {
        const reading = exchange.tickers();
        cached = { at: now(), tickers: reading };
        reading.then(onSuccess, (error: ExchangeError) => {
          failure = error;
          cached = null;
        });
      }
      return cached.tickers;
    },

    async history(pair, period, candles, before = Number.POSITIVE_INFINITY) {
      const { market, source } = await sourceOf(pair, period);
      const end = Math.min(exchange.time() - CLOSED_AFTER_MS, periodStart(before, PERIODS[period]));
      const from = periodStart(end, PERIODS[source]) - partsOf(source, period, candles) * PERIODS[source];
      const closed = await exchange.candles(pair, source, Math.max(0, from), end);
      const merger = source === period ? null : candleMerger(source, period);
      const history = merger ? closed.flatMap((candle) => merger.closed(candle)) : closed;
      return { market, history: history.slice(-candles) };
    },

    problem: () => connection.failure() ?? poller.failure() ?? failure,

    health() {
      const { size } = pairs.map;
      return { pairs: size, quietPairs: pairs.quiet(now()).length, ...connection.health(size) };
    },

    async isReachable() {
      if (pairs.map.size > 0) return connection.failure() === null && poller.failure() === null;
      testRequest ??= answers().finally(() => {
        testRequest = null;
      });
      return testRequest;
    },

    async close() {
      clearInterval(checkTimer);
      await connection.close();
      await exchange.close();
    },
  };
}

/** Returns how many candles of `source` make `candles` of `period`; one more when merging, because the oldest may be partial. */
function partsOf(source: Period, period: Period, candles: number): number {
  const parts = PERIODS[period] / PERIODS[source];
  return parts === 1 ? candles : parts * (candles + 1);
}
