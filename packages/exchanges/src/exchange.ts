import type { Market } from '@heron/engine/market/market.ts';
import type { Period } from '@heron/engine/market/period.ts';
import type { Price, Quantity } from '@heron/engine/money/units.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import type { Suspension } from '@heron/engine/state/suspension.ts';
import type { ExchangeError } from './errors.ts';

/** A candle read by REST counts as closed this long after its end. @see docs/bot-lifecycle.md#market-data */
export const CLOSED_AFTER_MS = 1_000;

/** 24-hour figures and best prices of one pair; null where the venue gives none. */
export interface Ticker {
  readonly pair: string;
  readonly last: Price | null;
  readonly bid: Price | null;
  readonly bidSize: Quantity | null;
  readonly ask: Price | null;
  readonly askSize: Quantity | null;
  /** Percent. */
  readonly change24h: number | null;
  /** Value traded, in whole units of the quote currency. */
  readonly volume24h: number | null;
}

/** One stream of one pair. */
export type Channel =
  | { readonly kind: 'quotes'; readonly pair: string }
  | { readonly kind: 'trades'; readonly pair: string }
  | { readonly kind: 'candles'; readonly pair: string; readonly period: Period };

/** Events of market streams. Amounts are in the units of `engine/money/units.ts`. */
export type StreamEvent =
  /**
   * A new connection is open and subscribes all watched channels, or the stream continues after a loss. Earlier events are
   * lost.
   */
  | { readonly type: 'connected' }
  | { readonly type: 'lost'; readonly error: ExchangeError }
  | {
      readonly type: 'quote';
      readonly pair: string;
      readonly bid: Price;
      readonly bidSize: Quantity;
      readonly ask: Price;
      readonly askSize: Quantity;
    }
  /** A public trade. Each trade is emitted once, in the order of the venue. */
  | { readonly type: 'trade'; readonly pair: string; readonly price: Price; readonly quantity: Quantity }
  /** The forming candle, or its last state when `closed` is true. */
  | {
      readonly type: 'candle';
      readonly pair: string;
      readonly period: Period;
      readonly closed: boolean;
      readonly candle: ClosedCandle;
    };

/** Market streams. They reconnect by themselves, with growing pauses, until they are closed. */
export interface PublicStream {
  watch(channels: readonly Channel[]): void;
  unwatch(channels: readonly Channel[]): void;
  /** Replaces the connection, for a feed that is connected but silent. */
  reconnect(): void;
  close(): Promise<void>;
}

/**
 * Reads the public data of a venue. It holds no key and cannot sign; a `TradingExchange` trades.
 *
 * Every method rejects with an `ExchangeError`.
 */
export interface PublicExchange {
  readonly name: string;
  /** Candle lengths that the venue makes itself. */
  readonly periods: ReadonlySet<Period>;
  /**
   * Returns the pairs that can be traded, as listed within the last hour.
   *
   * @param wanted a pair that is expected: when it is missing, the list is read again, at most once a minute. It is returned
   *   also while it does not fit its unit, if `suspended` then reports it as halted
   */
  markets(wanted?: string): Promise<readonly Market[]>;
  /**
   * Returns the tickers of those pairs that the venue lists now.
   *
   * @param pairs all when absent
   */
  tickers(pairs?: readonly string[]): Promise<readonly Ticker[]>;
  /**
   * Returns those of the pairs in which the venue accepts no new order now, whether they are listed or not. Left out where
   * states are not read.
   */
  suspended?(pairs: readonly string[]): Promise<ReadonlyMap<string, Suspension>>;
  /**
   * Returns closed candles whose open time is in `[from, to)`, oldest first. A candle counts as closed one second after its
   * end by the venue's clock. Gaps are the venue's own.
   *
   * @param period one of `periods`
   * @param from ms @param to ms
   */
  candles(pair: string, period: Period, from: number, to: number): Promise<ClosedCandle[]>;
  /** Returns the time by the venue's clock, ms. */
  time(): number;
  stream(listener: (event: StreamEvent) => void): PublicStream;
  close(): Promise<void>;
}

/** Next funding of a perpetual contract, and the prices that decide it. */
export interface FundingTerms {
  readonly pair: string;
  readonly mark: Price;
  readonly index: Price;
  /** A fraction; longs pay when it is above 0. */
  readonly rate: number;
  /** Time of the payment, ms. */
  readonly nextAt: number;
}

/** Payment of one funding time. */
export interface FundingPayment {
  /** ms */
  readonly time: number;
  /** A fraction; longs paid when it was above 0. */
  readonly rate: number;
  /** 0 where the venue gives none. */
  readonly mark: Price;
}

/** Reads a venue of perpetual contracts. Leverage brackets need a key, see `MarginAccount`. */
export interface PublicFutures extends PublicExchange {
  /** @param pairs all when absent */
  funding(pairs?: readonly string[]): Promise<readonly FundingTerms[]>;
  /** Returns payments whose time is in `[from, to)`, oldest first. @param from ms @param to ms */
  fundingHistory(pair: string, from: number, to: number): Promise<readonly FundingPayment[]>;
}
