import type { LedgerFill } from '../ledger/fill.ts';
import type { Market } from '../market/market.ts';
import type { Price, Quantity, Quote, Ratio } from '../money/units.ts';
import type { PairState } from './botState.ts';
import type { LiveOrder, ParentOrder } from './parentOrder.ts';
import type { KnownSuspension } from './suspension.ts';

/** Best prices of a pair. `bid` and `ask` are 0 when the feed has no book; sizes are 0 when unknown. */
export interface PairQuote {
  at: number;
  bid: Price;
  bidSize: Quantity;
  ask: Price;
  askSize: Quantity;
  last: Price;
  /** Mark price of a future; left out, or 0, where there is none: then the last price stands for it. */
  mark?: Price;
}

/** A closed candle as it travels; prices are float64 decimals, `time` is its open time in ms. */
export interface ClosedCandle {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export type Command =
  | { type: 'start' }
  /** Ends at once: open orders are cancelled, positions stay. */
  | { type: 'stop' }
  /**
   * Ends when flat: nothing is entered any more, what is held is left by its exits.
   *
   * @see docs/bot-lifecycle.md#stop-drain-and-run_for
   */
  | { type: 'drain' }
  /**
   * `short` on futures: opens a short. `slippage` bounds a taker order at that distance from the middle of the book, without it
   * the bot's `max_slippage_pct`. @see docs/orders.md#orders-by-hand
   */
  | {
      type: 'buy';
      pair: string;
      order: 'maker' | 'taker';
      value: Quote;
      requestId: string;
      short?: true;
      slippage?: Ratio;
    }
  /** `slippage` bounds a taker order as above; without it, it goes at market. */
  | { type: 'sell'; pair: string; order: 'maker' | 'taker'; percent: number; requestId: string; slippage?: Ratio }
  /** Takes back what the intent of an order, whichever of its orders is named, has not filled yet. */
  | { type: 'cancel'; clientOrderId: string }
  /**
   * Options, and parameters of the strategy, that are different from now on; what is left out stays.
   *
   * @see docs/bot-lifecycle.md#when-option-changes-act
   */
  | { type: 'change'; options: Readonly<Record<string, unknown>>; params: Readonly<Record<string, unknown>> }
  /** The kill switch of a pair: cancels everything, sells what is held if `close`, and pauses the pair. */
  | { type: 'halt'; pair: string; close: boolean }
  /** A paused pair may enter again. @see docs/margin.md#liquidation */
  | { type: 'resume'; pair: string }
  /** Paper only, while nothing is held or ordered: the account begins anew. @see docs/paper.md#start-capital */
  | { type: 'reset' };

/** What the world tells the exchange side of a bot: recorded in this form, replayed in this form. `at` is ms since 1970. */
export type MarketEvent =
  /** The pair can be traded; `candles` are the closed ones so far, oldest first. Sent once a pair at each start. */
  | { type: 'history'; at: number; market: Market; candles: ClosedCandle[] }
  /** The exchange does not have this watched pair. */
  | { type: 'unlisted'; at: number; pair: string }
  | { type: 'candle'; at: number; pair: string; candle: ClosedCandle }
  | ({ type: 'quote'; pair: string } & PairQuote)
  /** A public trade. */
  | { type: 'trade'; at: number; pair: string; price: Price; quantity: Quantity }
  /**
   * What the exchange's list of tickers says of a pair, about once a minute. `last` is 0 and `volume24h`, in whole units of
   * the quote currency, null where it gives none. `suspended` is left out while the pair trades.
   */
  | { type: 'ticker'; at: number; pair: string; last: Price; volume24h: number | null; suspended?: KnownSuspension }
  /**
   * A funding time of a future has come. `id` is unique a pair; `mark` 0 takes the last one known.
   *
   * @see docs/accounting.md#funding
   */
  | { type: 'funding'; at: number; pair: string; id: string; rate: Ratio; mark: Price }
  | { type: 'timer'; at: number }
  | { type: 'command'; at: number; command: Command };

/** One fill of an order. */
export interface OrderFill extends LedgerFill {
  at: number;
  liquidity: 'maker' | 'taker';
}

/** How an order ended. */
export type OrderEnd = 'filled' | 'canceled' | 'expired' | 'post_only_rejected' | 'rejected';

/** What the exchange tells a bot of its own orders. */
export type OrderEvent =
  | { type: 'opened'; at: number; clientOrderId: string }
  /** `id` is the exchange's trade id: the same fill told twice is booked once. */
  | ({ type: 'filled'; clientOrderId: string; id: string } & OrderFill)
  /** No more fills will come. */
  | { type: 'ended'; at: number; clientOrderId: string; how: OrderEnd };

/** What a bot asks its exchange for: to place or to cancel `order`, which belongs to `intent` of `pair`. */
export interface Effect {
  type: 'place' | 'cancel';
  pair: PairState;
  parent: ParentOrder;
  order: LiveOrder;
}
