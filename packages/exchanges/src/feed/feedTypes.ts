import type { Market } from '@heron/engine/market/market.ts';
import type { Period } from '@heron/engine/market/period.ts';
import type { Price, Quantity } from '@heron/engine/money/units.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import type { PairQuote } from '@heron/engine/state/pairQuote.ts';
import type { KnownSuspension } from '@heron/engine/state/suspension.ts';
import type { ExchangeError } from '../errors.ts';
import type { PublicExchange, Ticker } from '../exchange.ts';
import type { FundingEvent } from './fundingTracker.ts';

/** A connection without any message for this long is replaced. */
export const MAX_SILENCE_MS = 10_000;

/** A quote that is older is no current price: a new subscriber reads another one. */
export const MAX_QUOTE_AGE_MS = 1_000;

/** Polling intervals that a listener requests of its venue, ms. */
export interface FeedPace {
  /** Interval of polls for a pair without pushes. */
  readonly pollMs: number;
  /** Interval at which the listener evaluates a pair. A pair counts as quiet after three intervals, at least 10 s. */
  readonly scanMs: number;
}

/**
 * Returns how long a pair may stay without a push before it is polled, ms.
 *
 * @see docs/bot-lifecycle.md#market-data
 */
export function quietAfter(scanMs: number): number {
  return Math.max(MAX_SILENCE_MS, 3 * scanMs);
}

/** 24-hour figures of one pair, with its trading state. */
export interface TickerEvent {
  readonly type: 'ticker';
  readonly at: number;
  readonly pair: string;
  /** 0 where the venue gives none. */
  readonly last: Price;
  /** Value traded in 24 hours, in whole units of the quote currency; null where the venue gives none. */
  readonly volume24h: number | null;
  /** Trading state; left out while the pair trades. The state of a new pair is read within seconds. */
  readonly suspended?: KnownSuspension;
}

/**
 * An event of one pair. Closed candles come in order, each once. The forming candle is for display only. All listeners get
 * the same object.
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

/** Options of a subscription. */
export interface FollowOptions {
  /** Is read at each use; the shortest intervals of all listeners count. */
  readonly pace?: () => FeedPace;
  /** Futures: start of the payments to report, ms; null for none before the subscription. */
  readonly fundingSince?: number | null;
}

export interface FeedSubscription {
  readonly market: Market;
  /** Closed candles before the first one that the listener gets, oldest first. */
  readonly history: readonly ClosedCandle[];
  /** Newest quote at the start of the subscription. It is old where pushes and polls have failed. */
  readonly quote: PairQuote | null;
  /** Newest 24-hour figures at the start of the subscription. */
  readonly ticker: TickerEvent | null;
  /** Payments since `fundingSince`, oldest first. */
  readonly fundings: readonly FundingEvent[];
  close(): void;
}

/** State of the data of a venue. Times in ms. */
export interface FeedHealth {
  /** Followed pairs. */
  readonly pairs: number;
  /** Followed pairs without a push for three scan intervals, at least 10 s. They are polled instead. */
  readonly quietPairs: number;
  /** Start of the connection; null while there is none, or nothing is followed. */
  readonly connectedSince: number | null;
  /** Time of the newest push. */
  readonly lastMessageAt: number | null;
  /** Number of lost or replaced connections in this process, and the time of the last one. */
  readonly interruptions: number;
  readonly interruptedAt: number | null;
}

/** Market data of one venue, fetched once for all bots. */
export interface MarketFeed {
  readonly exchange: PublicExchange;
  /** @throws ExchangeError */
  markets(): Promise<readonly Market[]>;
  /** Returns all tickers, at most 3 s old. @throws ExchangeError */
  tickers(): Promise<readonly Ticker[]>;
  /**
   * Follows a pair: returns its history and then passes every event to the listener.
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
   * Returns the newest closed candles, or the newest that had closed by a time, without following the pair.
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
  /** Returns the funding payments of the last 24 hours, oldest first, at most a minute old; none on spot. @throws ExchangeError */
  payments(pair: string): Promise<readonly FundingEvent[]>;
  /** Returns the reason why no data arrives; null while data arrives. */
  problem(): ExchangeError | null;
  health(): FeedHealth;
  /** Whether the venue delivers data. Sends a request when nothing is followed. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
}
