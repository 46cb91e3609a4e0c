import type { Market } from '@heron/engine/market/market.ts';
import { PERIODS, type Period, periodStart } from '@heron/engine/market/period.ts';
import type { Price, Quantity } from '@heron/engine/money/units.ts';
import type { ClosedCandle, PairQuote } from '@heron/engine/state/botEvents.ts';
import type { KnownSuspension } from '@heron/engine/state/suspension.ts';
import { type ExchangeError, ExchangeMisused } from '../errors.ts';
import type { Channel, PublicExchange, PublicFutures, PublicStream, StreamEvent, Ticker } from '../exchange.ts';
import { type CandleSeries, candleSeries } from './candleSeries.ts';
import { type FundingEvent, openFundingTracker } from './fundingTracker.ts';
import { candleMerger, sourcePeriod } from './mergedCandles.ts';

const CHECK_MS = 1_000;
/** A connection without any message for so long is replaced. */
const MAX_SILENCE_MS = 10_000;
/** A listener that names no pace is content with this one. */
const USUAL_PACE: FeedPace = { pollMs: 3_000, scanMs: 3_000 };
/** A silent connection is replaced at most so often. */
const RECONNECT_MS = 30_000;
const TICKERS_FOR_MS = 3_000;
/** The 24-hour figures of a pair are read at most so often. @see docs/paper.md#volume */
const TICKER_EVERY_MS = 60_000;
/** They are asked for again so long after a request that failed. */
const TICKER_RETRY_MS = 10_000;

/** Requests that warnings name. */
const TICKERS = '24-hour figures';
const SUSPENSIONS = 'trading states';

/** What was paid is asked for at most so often a pair, by however many bots. */
const PAYMENTS_FOR_MS = 60_000;
const DAY_MS = 86_400_000;

/** How often a listener wants its venue asked, ms. */
export interface FeedPace {
  /** How often a pair without pushes is asked for. */
  readonly pollMs: number;
  /** How often the listener evaluates a pair: it waits three times as long for a push, at least 10 s. */
  readonly scanMs: number;
}

/**
 * Returns how long a pair may stay without a push before the venue is asked for it, ms.
 *
 * @see docs/bot-lifecycle.md#market-data
 */
export function quietAfter(scanMs: number): number {
  return Math.max(MAX_SILENCE_MS, 3 * scanMs);
}

/** The row of one pair in the venue's list of tickers. */
export interface TickerEvent {
  readonly type: 'ticker';
  readonly at: number;
  readonly pair: string;
  /** 0 where the venue gives none. */
  readonly last: Price;
  /** Value traded in 24 hours, in whole units of the quote currency; null where the venue gives none. */
  readonly volume24h: number | null;
  /** The venue takes no new order in the pair; left out while it trades. A pair that is new here is asked for within seconds. */
  readonly suspended?: KnownSuspension;
}

/**
 * What a bot hears of one pair. Closed candles come in order, each once; the forming one is for eyes only. All who listen
 * hear the same object.
 */
export type FeedEvent =
  | ({ readonly type: 'quote'; readonly pair: string } & PairQuote)
  | {
      readonly type: 'trade';
      readonly at: number;
      readonly pair: string;
      readonly price: Price;
      readonly quantity: Quantity;
    }
  | { readonly type: 'candle'; readonly at: number; readonly pair: string; readonly candle: ClosedCandle }
  | { readonly type: 'forming'; readonly at: number; readonly pair: string; readonly candle: ClosedCandle }
  | TickerEvent
  | FundingEvent;

/** What a listener wants beside the events of its pair. */
export interface FollowOptions {
  /** Read each time it is needed; the quickest of all listeners counts. */
  readonly pace?: () => FeedPace;
  /** Futures: from when on payments are wanted, ms; null for none before this moment. */
  readonly fundingSince?: number | null;
}

export interface FeedSubscription {
  readonly market: Market;
  /** Closed candles up to the first one that the listener hears, oldest first. */
  readonly history: readonly ClosedCandle[];
  /** The quote at that moment, when there is one; later ones are heard. */
  readonly quote: PairQuote | null;
  /** The newest 24-hour figures at that moment; later ones are heard. */
  readonly ticker: TickerEvent | null;
  /** Payments since the time that was asked for, oldest first; later ones are heard. */
  readonly fundings: readonly FundingEvent[];
  close(): void;
}

/** How the data of a venue come in. Times in ms. */
export interface FeedHealth {
  /** Pairs that somebody follows. */
  readonly pairs: number;
  /** Of them those of which nothing was pushed for three scan intervals, at least 10 s: they are asked for instead. */
  readonly quietPairs: number;
  /** Since when the connection stands; null while it does not, or nothing is followed. */
  readonly connectedSince: number | null;
  /** When anything was pushed last. */
  readonly lastMessageAt: number | null;
  /** How often the connection was lost or had to be replaced since this process began, and when it was last. */
  readonly interruptions: number;
  readonly interruptedAt: number | null;
}

/** Market data of one venue, fetched once for all bots. */
export interface MarketFeed {
  readonly exchange: PublicExchange;
  /** @throws ExchangeError */
  markets(): Promise<readonly Market[]>;
  /** All tickers, at most 3 s old. @throws ExchangeError */
  tickers(): Promise<readonly Ticker[]>;
  /**
   * Follows a pair: history, then everything after it.
   *
   * @param candles closed candles wanted as history
   * @throws ExchangeError
   * @see docs/bot-lifecycle.md#market-data
   */
  subscribe(
    pair: string,
    period: Period,
    candles: number,
    listener: (event: FeedEvent) => void,
    wishes?: FollowOptions,
  ): Promise<FeedSubscription>;
  /**
   * The newest closed candles, or the newest that had closed by a time, without following the pair.
   *
   * @param before ms
   * @throws ExchangeError
   */
  history(
    pair: string,
    period: Period,
    candles: number,
    before?: number,
  ): Promise<Pick<FeedSubscription, 'market' | 'history'>>;
  /** Futures: the funding payments of the last 24 hours, oldest first, at most a minute old. None on spot. @throws ExchangeError */
  payments(pair: string): Promise<readonly FundingEvent[]>;
  /** Why data is not coming at the moment; null while it does. */
  problem(): ExchangeError | null;
  health(): FeedHealth;
  /** Whether data can be had now; asks the venue when nothing is being followed. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
}

interface Series {
  readonly series: CandleSeries;
  readonly channel: Channel;
  readonly listeners: Set<{ closed(candle: ClosedCandle): void; forming(candle: ClosedCandle): void }>;
}

interface Followed {
  readonly listeners: Set<(event: FeedEvent) => void>;
  readonly paces: Set<() => FeedPace>;
  readonly channels: Channel[];
  quote: PairQuote | null;
  /** The question for a first quote and the 24-hour figures, on its way. */
  asked: Promise<void> | null;
  last: Price;
  heardAt: number;
  ticker: TickerEvent | null;
}

/**
 * Opens the feed of a venue. Nothing is connected before the first subscription.
 *
 * @param now ms since 1970; stamps the events
 * @param warn is called when a request that nothing waits for begins to fail
 */
export function openMarketFeed(
  exchange: PublicExchange | PublicFutures,
  now: () => number,
  warn: (error: ExchangeError, request: string) => void = () => {},
): MarketFeed {
  const pairs = new Map<string, Followed>();
  const allSeries = new Map<string, Series>();
  let stream: PublicStream | null = null;
  /** Of the newest request; says nothing about what is pushed. */
  let failure: ExchangeError | null = null;
  /** The connection is lost; null while it stands. */
  let lostBy: ExchangeError | null = null;
  /** Of the newest question for pairs without pushes. */
  let pollFailure: ExchangeError | null = null;
  /** Requests that were warned of and still fail. */
  const failing = new Set<string>();
  let lastEventAt = now();
  let reconnectAt = 0;
  let polledAt = Number.NEGATIVE_INFINITY;
  let polling = false;
  const payments = new Map<string, { readonly at: number; readonly events: Promise<readonly FundingEvent[]> }>();
  let readingTickers = false;
  let tickersTriedAt = Number.NEGATIVE_INFINITY;
  let cached: { at: number; tickers: Promise<readonly Ticker[]> } | null = null;
  let connectedSince: number | null = null;
  let pushedAt: number | null = null;
  let interruptions = 0;
  let interruptedAt: number | null = null;
  let pendingFetch: Promise<boolean> | null = null;
  /** When the last pair was left. */
  let droppedAt = 0;
  /** Streams that nobody needs any more are closing. */
  let leaving: Promise<unknown> = Promise.resolve();
  const funding =
    'funding' in exchange
      ? openFundingTracker(
          exchange,
          now,
          (event) => {
            for (const listener of pairs.get(event.pair)?.listeners ?? []) listener(event);
          },
          (error) => {
            failure = error;
          },
        )
      : null;
  const checkTimer = setInterval(check, CHECK_MS);
  checkTimer.unref();

  function onStream(event: StreamEvent): void {
    lastEventAt = now();
    if (event.type !== 'connected' && event.type !== 'lost') {
      pushedAt = lastEventAt;
      pollFailure = null;
    }
    switch (event.type) {
      case 'connected':
        failure = null;
        pollFailure = null;
        connectedSince ??= lastEventAt;
        if (lostBy !== null) for (const { series } of allSeries.values()) void series.repair();
        lostBy = null;
        break;
      case 'lost':
        lostBy = event.error;
        interrupted();
        break;
      case 'quote': {
        const { type: _, pair, ...best } = event;
        const followed = pairs.get(pair);
        if (followed) emitQuote(pair, followed, best);
        break;
      }
      case 'trade': {
        const followed = pairs.get(event.pair);
        if (!followed) break;
        followed.last = event.price;
        // One for all: a pair may have thousands of listeners.
        const trade = { ...event, at: now() };
        for (const listener of followed.listeners) listener(trade);
        break;
      }
      case 'candle': {
        const found = allSeries.get(`${event.pair} ${event.period}`);
        if (!found) break;
        if (event.closed) found.series.offer(event.candle);
        else for (const listener of found.listeners) listener.forming(event.candle);
      }
    }
  }

  function interrupted(): void {
    if (connectedSince === null) return;
    connectedSince = null;
    if (pairs.size === 0) return;
    interruptions += 1;
    interruptedAt = now();
  }

  function emitQuote(
    pair: string,
    followed: Followed,
    best: { bid: Price; bidSize: Quantity; ask: Price; askSize: Quantity },
  ): void {
    followed.heardAt = now();
    const mark = funding?.mark(pair) ?? 0;
    followed.quote = { at: followed.heardAt, ...best, last: followed.last, ...(mark > 0 && { mark }) };
    const event: FeedEvent = { type: 'quote', pair, ...followed.quote };
    for (const listener of followed.listeners) listener(event);
  }

  function check(): void {
    const at = now();
    for (const { series } of allSeries.values()) series.check();
    funding?.check([...pairs.keys()]);
    // Not at once: a bot that changes its pairs, or tries again, needs no new connection.
    if (pairs.size === 0 && at - droppedAt > MAX_SILENCE_MS) disconnect();
    if (pairs.size > 0 && at - lastEventAt > MAX_SILENCE_MS && at >= reconnectAt) {
      reconnectAt = at + RECONNECT_MS;
      interrupted();
      stream?.reconnect();
    }
    const quiet = [...pairs].filter(([, followed]) => isQuiet(followed, at)).map(([pair]) => pair);
    if (quiet.length > 0 && !polling && at >= polledAt + paceOf(quiet)) void poll(quiet);
    readTickers(at);
  }

  function paceOf(quiet: readonly string[]): number {
    return Math.min(...quiet.flatMap((pair) => [...(pairs.get(pair)?.paces ?? [])].map((pace) => pace().pollMs)));
  }

  /** Reads the 24-hour figures and trading states of the pairs whose last reading is a minute old, or lacks the state. */
  function readTickers(at: number): void {
    if (readingTickers || at < tickersTriedAt + TICKER_RETRY_MS) return;
    const due = [...pairs].filter(
      ([, { ticker }]) => ticker === null || ticker.suspended === 'unread' || at >= ticker.at + TICKER_EVERY_MS,
    );
    if (due.length === 0) return;
    readingTickers = true;
    tickersTriedAt = at;
    fetchListed(due.map(([pair]) => pair))
      .then(() => {
        failure = null;
        failing.delete(TICKERS);
      })
      // Prices go on being pushed.
      .catch((error: ExchangeError) => warnOnce(error, TICKERS))
      .finally(() => {
        readingTickers = false;
      });
  }

  /** Warns when a request begins to fail, not each time that it fails again. */
  function warnOnce(error: ExchangeError, request: string): void {
    if (failing.has(request)) return;
    failing.add(request);
    warn(error, request);
  }

  /** A pair that was delisted would make the whole request fail. */
  async function fetchListed(wanted: readonly string[]): Promise<void> {
    const listed = new Set((await exchange.markets()).map(({ pair }) => pair));
    const [tickers, suspended] = await Promise.all([
      exchange.tickers(wanted.filter((pair) => listed.has(pair))),
      readSuspended(wanted, listed),
    ]);
    const byPair = new Map(tickers.map((ticker) => [ticker.pair, ticker]));
    for (const pair of wanted) {
      const followed = pairs.get(pair);
      const state = suspended.get(pair);
      const isKnown = state !== 'unread' && (state ?? followed?.ticker?.suspended) !== undefined;
      const ticker = byPair.get(pair) ?? (isKnown ? unlisted(pair) : null);
      if (followed === undefined || ticker === null) continue;
      const event = storeTicker(followed, ticker, state);
      for (const listener of followed.listeners) listener(event);
    }
  }

  /**
   * Reads which pairs are suspended: the listed ones together, each other one alone, since the venue may not know it any more.
   * The last known state is kept when the venue does not answer.
   */
  async function readSuspended(
    wanted: readonly string[],
    listed: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, KnownSuspension>> {
    const { suspended: ask } = exchange;
    if (ask === undefined) return new Map();
    const known = (group: readonly string[]) =>
      group.flatMap((pair) => {
        const before = stateOf(pairs.get(pair));
        return before === undefined ? [] : [[pair, before] as const];
      });
    const batch = wanted.filter((pair) => listed.has(pair));
    const alone = wanted.filter((pair) => !listed.has(pair)).map((pair) => [pair]);
    const answers = await Promise.all(
      [...(batch.length > 0 ? [batch] : []), ...alone].map(async (group) => {
        const request = group === batch ? SUSPENSIONS : `${SUSPENSIONS} of ${group}`;
        try {
          const found = [...(await ask(group))];
          failing.delete(request);
          return found;
        } catch (error) {
          warnOnce(error as ExchangeError, request);
          return known(group);
        }
      }),
    );
    return new Map(answers.flat());
  }

  /** Returns the last known state of a pair. */
  function stateOf(followed: Followed | undefined): KnownSuspension | undefined {
    if (exchange.suspended === undefined) return undefined;
    return followed?.ticker ? followed.ticker.suspended : 'unread';
  }

  function storeTicker(
    followed: Followed,
    { pair, last, volume24h }: Pick<Ticker, 'pair' | 'last' | 'volume24h'>,
    suspended: KnownSuspension | undefined,
  ): TickerEvent {
    followed.ticker = {
      ...{ type: 'ticker', at: now(), pair, last: last ?? 0, volume24h },
      ...(suspended !== undefined && { suspended }),
    };
    return followed.ticker;
  }

  /** Without pushes the exchange is polled until they return. @see docs/bot-lifecycle.md#market-data */
  async function poll(quiet: readonly string[]): Promise<void> {
    polling = true;
    try {
      for (const ticker of await exchange.tickers(quiet)) {
        const followed = pairs.get(ticker.pair);
        if (followed) onTicker(followed, ticker);
      }
      pollFailure = null;
    } catch (error) {
      pollFailure = error as ExchangeError;
    } finally {
      polling = false;
      polledAt = now();
    }
  }

  /** One question for all who wait: a thousand bots that start at once would use up what may be asked in minutes. */
  function firstTicker(pair: string, followed: Followed): Promise<void> {
    followed.asked ??= exchange
      .tickers([pair])
      .then(([ticker]) => {
        if (ticker === undefined) return;
        storeTicker(followed, ticker, stateOf(followed));
        if (followed.quote === null) onTicker(followed, ticker);
      })
      .finally(() => {
        followed.asked = null;
      });
    return followed.asked;
  }

  function onTicker(followed: Followed, ticker: Ticker): void {
    if (ticker.last !== null) followed.last = ticker.last;
    if (ticker.bid === null || ticker.ask === null) return;
    // Not counted as heard: polling goes on until pushes return.
    const { heardAt: before } = followed;
    emitQuote(ticker.pair, followed, {
      bid: ticker.bid,
      bidSize: ticker.bidSize ?? 0,
      ask: ticker.ask,
      askSize: ticker.askSize ?? 0,
    });
    followed.heardAt = before;
  }

  async function sourceOf(pair: string, period: Period): Promise<{ market: Market; source: Period }> {
    const market = (await exchange.markets(pair)).find((candidate) => candidate.pair === pair);
    const source = sourcePeriod(period, exchange.periods);
    if (!market) throw new ExchangeMisused(exchange.name, `there is no pair ${pair}`);
    if (source === null) throw new ExchangeMisused(exchange.name, `candles of ${period} cannot be made from its own`);
    return { market, source };
  }

  async function fetchOne(): Promise<boolean> {
    try {
      const [market] = await exchange.markets();
      if (market) await exchange.tickers([market.pair]);
      failure = null;
      return market !== undefined;
    } catch (error) {
      failure = error as ExchangeError;
      return false;
    }
  }

  function seriesOf(pair: string, period: Period): Series {
    const key = `${pair} ${period}`;
    const held = allSeries.get(key);
    if (held) return held;
    const listeners: Series['listeners'] = new Set();
    const series = candleSeries(
      exchange,
      pair,
      period,
      (candle) => {
        for (const listener of listeners) listener.closed(candle);
      },
      (error) => {
        failure = error;
      },
    );
    const made: Series = { series, channel: { kind: 'candles', pair, period }, listeners };
    allSeries.set(key, made);
    watch([made.channel]);
    return made;
  }

  function followPair(pair: string): Followed {
    const held = pairs.get(pair);
    if (held) return held;
    const channels: Channel[] = [
      { kind: 'quotes', pair },
      { kind: 'trades', pair },
    ];
    const made: Followed = {
      ...{ listeners: new Set(), paces: new Set(), channels },
      ...{ quote: null, asked: null, last: 0, heardAt: now(), ticker: null },
    };
    // What was silent because nobody listened is not silent.
    if (pairs.size === 0) lastEventAt = now();
    pairs.set(pair, made);
    watch(channels);
    return made;
  }

  function watch(channels: readonly Channel[]): void {
    stream ??= exchange.stream(onStream);
    stream.watch(channels);
  }

  function release(pair: string, period: Period): void {
    const followed = pairs.get(pair);
    if (followed && followed.listeners.size === 0) {
      pairs.delete(pair);
      stream?.unwatch(followed.channels);
    }
    const key = `${pair} ${period}`;
    const series = allSeries.get(key);
    if (series && series.listeners.size === 0) {
      allSeries.delete(key);
      stream?.unwatch([series.channel]);
    }
    if (pairs.size === 0) droppedAt = now();
  }

  /** Some venues end unseen what nobody listens to. What is followed next has a connection of its own. */
  function disconnect(): void {
    if (stream === null) return;
    leaving = Promise.allSettled([leaving, stream.close()]);
    stream = null;
    connectedSince = null;
    lostBy = null;
    pollFailure = null;
  }

  return {
    exchange,
    markets: () => exchange.markets(),

    tickers() {
      if (cached === null || now() - cached.at > TICKERS_FOR_MS) {
        const tickers = exchange.tickers();
        cached = { at: now(), tickers };
        tickers.then(
          () => {
            failure = null;
          },
          (error: ExchangeError) => {
            failure = error;
            cached = null;
          },
        );
      }
      return cached.tickers;
    },

    async subscribe(pair, period, candles, listener, { pace: wanted = () => USUAL_PACE, fundingSince = null } = {}) {
      const { market, source } = await sourceOf(pair, period);
      const followed = followPair(pair);
      const native = seriesOf(pair, source);
      let live = false;
      const history: ClosedCandle[] = [];
      const fundings = new Map<string, FundingEvent>();
      const merger = source === period ? null : candleMerger(source, period);
      const emit = (event: FeedEvent) => {
        if (live) listener(event);
        else if (event.type === 'funding') fundings.set(event.id, event);
      };
      const own = {
        closed(candle: ClosedCandle) {
          // Before the history is taken the merger must not see it: the history holds this candle.
          if (!live) return;
          for (const whole of merger ? merger.closed(candle) : [candle]) {
            emit({ type: 'candle', at: now(), pair, candle: whole });
          }
        },
        forming(candle: ClosedCandle) {
          emit({ type: 'forming', at: now(), pair, candle: merger ? merger.forming(candle) : candle });
        },
      };
      // Held from here on, so that nobody lets go of the pair while its history is on the way.
      const pace = () => wanted();
      followed.listeners.add(emit);
      followed.paces.add(pace);
      native.listeners.add(own);
      const close = () => {
        live = false;
        followed.listeners.delete(emit);
        followed.paces.delete(pace);
        native.listeners.delete(own);
        release(pair, source);
      };
      try {
        if (followed.quote === null || followed.ticker === null) await firstTicker(pair, followed);
        if (funding !== null && fundingSince !== null) {
          for (const event of await funding.paymentsSince(pair, fundingSince)) fundings.set(event.id, event);
        }
        for (const candle of await native.series.history(partsOf(source, period, candles))) {
          history.push(...(merger ? merger.closed(candle) : [candle]));
        }
        // No await between the history and this: what comes next is heard.
        live = true;
        failure = null;
      } catch (error) {
        close();
        failure = error as ExchangeError;
        throw error;
      }
      const paid = [...fundings.values()].sort((a, b) => Number(a.id) - Number(b.id));
      const { quote, ticker } = followed;
      return { market, history: history.slice(-candles), quote, ticker, fundings: paid, close };
    },

    async history(pair, period, candles, before = Number.POSITIVE_INFINITY) {
      const { market, source } = await sourceOf(pair, period);
      const end = Math.min(exchange.time(), periodStart(before, PERIODS[period]));
      const from = periodStart(end, PERIODS[source]) - partsOf(source, period, candles) * PERIODS[source];
      const parts = await exchange.candles(pair, source, Math.max(0, from), end);
      const merger = source === period ? null : candleMerger(source, period);
      const history = merger ? parts.flatMap((candle) => merger.closed(candle)) : parts;
      return { market, history: history.slice(-candles) };
    },

    payments(pair) {
      if (funding === null) return Promise.resolve([]);
      const known = payments.get(pair);
      if (known !== undefined && now() - known.at < PAYMENTS_FOR_MS) return known.events;
      const events = funding.paymentsSince(pair, exchange.time() - DAY_MS);
      payments.set(pair, { at: now(), events });
      events.catch(() => payments.delete(pair));
      return events;
    },

    problem: () => lostBy ?? pollFailure ?? failure,

    health() {
      const at = now();
      const quietPairs = [...pairs.values()].filter((followed) => isQuiet(followed, at)).length;
      const followed = { pairs: pairs.size, quietPairs, connectedSince: pairs.size > 0 ? connectedSince : null };
      return { ...followed, lastMessageAt: pushedAt, interruptions, interruptedAt };
    },

    async isReachable() {
      if (pairs.size > 0) return lostBy === null && pollFailure === null;
      pendingFetch ??= fetchOne().finally(() => {
        pendingFetch = null;
      });
      return pendingFetch;
    },

    async close() {
      clearInterval(checkTimer);
      await leaving;
      await stream?.close();
      await exchange.close();
    },
  };
}

/** Whether a pair has been without pushes for longer than the quickest of its listeners waits. */
function isQuiet({ heardAt: lastEventAt, paces }: Followed, at: number): boolean {
  const scanMs = Math.min(...[...paces].map((pace) => pace().scanMs));
  return at - lastEventAt > quietAfter(Number.isFinite(scanMs) ? scanMs : 0);
}

/** Returns a ticker without figures for a pair that the venue has delisted. */
function unlisted(pair: string): Pick<Ticker, 'pair' | 'last' | 'volume24h'> {
  return { pair, last: null, volume24h: null };
}

/** How many candles of `source` make so many of `period`; one more when merging, because the oldest is seldom whole. */
function partsOf(source: Period, period: Period, candles: number): number {
  const parts = PERIODS[period] / PERIODS[source];
  return parts === 1 ? candles : parts * (candles + 1);
}
