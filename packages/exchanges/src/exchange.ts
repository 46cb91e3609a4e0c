import type { Market } from '@heron/engine/market/market.ts';
import type { Period } from '@heron/engine/market/period.ts';
import type { Price, Quantity } from '@heron/engine/money/units.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import type { Suspension } from '@heron/engine/state/suspension.ts';
import type { ExchangeError } from './errors.ts';

/** Figures of one pair over the last 24 hours, and its best prices; null where the venue gives none. */
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

/** What streams tell. Amounts are in the units of `engine/money/units.ts`. */
export type StreamEvent =
  /** A fresh connection, on which all that is watched is being subscribed; what happened before is lost. */
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
  /** A public trade; each is told once, in the order of the venue. */
  | { readonly type: 'trade'; readonly pair: string; readonly price: Price; readonly quantity: Quantity }
  /** The forming candle, or with `closed` its last state. */
  | {
      readonly type: 'candle';
      readonly pair: string;
      readonly period: Period;
      readonly closed: boolean;
      readonly candle: ClosedCandle;
    };

/** Streams of one connection. It reconnects by itself, with growing pauses, until closed. */
export interface PublicStream {
  watch(channels: readonly Channel[]): void;
  unwatch(channels: readonly Channel[]): void;
  /** Gives the connection up and opens another: for a feed that is connected but silent. */
  reconnect(): void;
  close(): Promise<void>;
}

/**
 * A venue as everybody may read it. It holds no key and cannot sign; what can trade is another type.
 *
 * Every method rejects with an `ExchangeError`.
 */
export interface PublicExchange {
  readonly name: string;
  /** Candle lengths that the venue makes itself. */
  readonly periods: ReadonlySet<Period>;
  /**
   * Pairs that can be traded now, as they were told within the last hour.
   *
   * @param wanted a pair that should be among them: when it is not, the venue is asked again, once a minute
   */
  markets(wanted?: string): Promise<readonly Market[]>;
  /** @param pairs all when absent */
  tickers(pairs?: readonly string[]): Promise<readonly Ticker[]>;
  /**
   * Those of the pairs in which the venue takes no new order at the moment, whether they are still listed or not. Left out
   * where it is not read.
   */
  suspended?(pairs: readonly string[]): Promise<ReadonlyMap<string, Suspension>>;
  /**
   * Closed candles whose open time is in `[from, to)`, oldest first, as many pages as it takes. A candle counts as closed
   * when its close lies a second or more in the past by the venue's clock. Gaps are the venue's own.
   *
   * @param period one of `periods`
   * @param from ms @param to ms
   */
  candles(pair: string, period: Period, from: number, to: number): Promise<ClosedCandle[]>;
  /** Time by the venue's clock, ms. */
  time(): number;
  stream(listener: (event: StreamEvent) => void): PublicStream;
  close(): Promise<void>;
}

/** What a perpetual contract pays next, and the prices that decide it. */
export interface FundingTerms {
  readonly pair: string;
  readonly mark: Price;
  readonly index: Price;
  /** A fraction; above 0 longs pay. */
  readonly rate: number;
  /** When it is paid, ms. */
  readonly nextAt: number;
}

/** What was paid at one funding time. */
export interface FundingPayment {
  /** ms */
  readonly time: number;
  /** A fraction; above 0 longs paid. */
  readonly rate: number;
  /** 0 where the venue tells none. */
  readonly mark: Price;
}

/** A venue of perpetual contracts as everybody may read it. Margin brackets are told to account holders only. */
export interface PublicFutures extends PublicExchange {
  /** @param pairs all when absent */
  funding(pairs?: readonly string[]): Promise<readonly FundingTerms[]>;
  /** Payments whose time is in `[from, to)`, oldest first, as many pages as it takes. @param from ms @param to ms */
  fundingHistory(pair: string, from: number, to: number): Promise<readonly FundingPayment[]>;
}
