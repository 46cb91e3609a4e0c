import type { Market } from '../market/market.ts';
import type { Price, Quantity, Quote } from '../money/units.ts';

/** Best prices of a pair. `bid` and `ask` are 0 when the feed has no book; sizes are 0 when unknown. */
export interface PairQuote {
  at: number;
  bid: Price;
  bidSize: Quantity;
  ask: Price;
  askSize: Quantity;
  last: Price;
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
  | { type: 'buy'; pair: string; order: 'maker' | 'taker'; value: Quote; requestId: string }
  | { type: 'sell'; pair: string; order: 'maker' | 'taker'; percent: number; requestId: string };

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
  | { type: 'timer'; at: number }
  | { type: 'command'; at: number; command: Command };

/** What the exchange tells a bot of its own orders. */
export type OrderEvent =
  | { type: 'opened'; at: number; clientOrderId: string }
  | {
      type: 'filled';
      at: number;
      clientOrderId: string;
      /** Trade id of the exchange: the same fill told twice is booked once. */
      id: string;
      price: Price;
      quantity: Quantity;
      fee: number;
      feeAsset: string;
      liquidity: 'maker' | 'taker';
    }
  /** No more fills will come. */
  | {
      type: 'ended';
      at: number;
      clientOrderId: string;
      how: 'filled' | 'canceled' | 'expired' | 'post_only_rejected' | 'rejected';
    };

/** What a bot asks its exchange for. */
export type Effect =
  | {
      type: 'place';
      clientOrderId: string;
      pair: string;
      side: 'buy' | 'sell';
      order: 'limit_maker' | 'limit_ioc' | 'market';
      /** 0 for market orders. */
      price: Price;
      quantity: Quantity;
    }
  | { type: 'cancel'; pair: string; clientOrderId: string };
