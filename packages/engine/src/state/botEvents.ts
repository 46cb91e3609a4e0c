import type { LedgerEvent } from '../ledger/events.ts';
import type { LedgerFill } from '../ledger/fill.ts';
import type { Market } from '../market/market.ts';
import type { Price, Quantity, Quote, Ratio } from '../money/units.ts';
import type { BotState, PairState } from './botState.ts';
import type { PairQuote } from './pairQuote.ts';
import type { LiveOrder, ParentOrder } from './parentOrder.ts';
import type { ExitPrices } from './priceExit.ts';
import type { KnownSuspension } from './suspension.ts';

/** A closed candle as it travels; prices are float64 decimals, `time` is its open time in ms. */
export interface ClosedCandle {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** Amount of a manual entry: what it may cost in the quote currency, or what it buys (of a short: sells) of the asset. */
export type EntryAmount = {
  /** An amount above what is available is lowered to it, instead of being refused. */
  limitToAvailable?: true;
} & (
  | {
      /** Cost with the fee; on futures margin and fee. */
      value: Quote;
      quantity?: never;
    }
  | {
      /** Exact decimal. */
      quantity: string;
      value?: never;
    }
);

/** How a manual entry gets its price. @see docs/orders.md#orders-by-hand */
export type EntryPricing =
  /** Follows the book. */
  | { order: 'maker' }
  /** At market. `slippage` is the maximum distance from the middle of the book; without it, `max_slippage_pct` of the bot. */
  | { order: 'taker'; slippage?: Ratio }
  /** Never worse than `price`. `limit` takes what is there and waits with the rest, `post_only` never takes. */
  | { order: 'limit' | 'post_only'; price: Price }
  /** Becomes a taker once the market reaches `price`, from which `slippage` is measured then. */
  | { order: 'stop'; price: Price; slippage?: Ratio };

/** Origin of a manual order: a signal from outside. Absent for one that its owner has placed. */
type OrderSource = 'signal';

export type Command =
  | { type: 'start' }
  /** Stops the bot at once: open orders are cancelled, positions stay. */
  | { type: 'stop' }
  /**
   * Finishes the bot when it is flat: it enters nothing more, and positions end by their exits.
   *
   * @see docs/bot-lifecycle.md#stop-drain-and-run_for
   */
  | { type: 'drain' }
  /** Drains the bot and closes its positions at market. */
  | { type: 'close' }
  /**
   * `short` on futures: opens a short. `exits` is a price exit of the whole position that it opens.
   *
   * @see docs/orders.md#orders-by-hand, docs/exits.md#price-exits
   */
  | ({
      type: 'buy';
      pair: string;
      requestId: string;
      short?: true;
      source?: OrderSource;
      exits?: ExitPrices;
    } & EntryPricing &
      EntryAmount)
  /** `slippage` limits a taker order as that of an entry; without it, it is a market order. */
  | {
      type: 'sell';
      pair: string;
      order: 'maker' | 'taker';
      percent: number;
      requestId: string;
      slippage?: Ratio;
      source?: OrderSource;
    }
  /** Sets a price exit of `percent` of a position, or replaces that with the number `replaces`. @see docs/exits.md#price-exits */
  | ({
      type: 'set_exit';
      pair: string;
      percent: number;
      requestId: string;
      replaces?: number;
    } & ExitPrices)
  | { type: 'remove_exit'; pair: string; exit: number }
  /** Cancels the remainder of a parent order, named by any of its child orders. */
  | { type: 'cancel'; clientOrderId: string }
  /**
   * Changes options and strategy parameters; omitted ones stay. With a `requestId` it acts once.
   *
   * @see docs/bot-lifecycle.md#when-option-changes-act
   */
  | {
      type: 'change';
      options: Readonly<Record<string, unknown>>;
      params: Readonly<Record<string, unknown>>;
      requestId?: string;
    }
  /** The kill switch of a pair: cancels all orders, exits the position if `close`, and pauses the pair. */
  | { type: 'halt'; pair: string; close: boolean }
  /** A paused pair may enter again. @see docs/margin.md#liquidation */
  | { type: 'resume'; pair: string }
  /** Resets the account; only on paper, without positions and orders. @see docs/paper.md#start-capital */
  | { type: 'reset' };

/** Market events and commands, as they are recorded and replayed. `at` is ms since 1970. */
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
   * The ticker of a pair, about once a minute. `last` is 0 and `volume24h`, in whole units of
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

/** Events of the orders of a bot. */
export type OrderEvent =
  | { type: 'opened'; at: number; clientOrderId: string }
  /** `id` is the trade id of the exchange: a repeated fill is booked once. */
  | ({ type: 'filled'; clientOrderId: string; id: string } & OrderFill)
  /** No more fills will come. */
  | { type: 'ended'; at: number; clientOrderId: string; how: OrderEnd };

/** Result of a liquidation that the ledger has booked. */
export interface LiquidationResult {
  /** Price of the close: the bankruptcy price of an isolated position. */
  readonly price: Price;
  /** Net result, the fee inside. */
  readonly realised: Quote;
  readonly fee: Quote;
  /** Part of the loss that the wallet could not pay. */
  readonly insurance: Quote;
}

/** A change of the holding; `shared` when it may be one of other bots of the account, which hold as much of the asset. */
export type Adjustment = Extract<LedgerEvent, { type: 'adjust' }> & { readonly shared?: boolean };

/** Events of the account that no order or command of the bot caused. */
export type AccountEvent =
  /** The quantity held differs from the books. @see docs/accounting.md#quantity-differences */
  | Adjustment
  /** A change of the wallet without a trade; positive: received. */
  | { type: 'income'; at: number; pair: string; income: 'funding' | 'clearance'; amount: Quote }
  /** A fill of an order whose parent order is finished or unknown, or of a forced close. `id` is the trade id of the exchange. */
  | ({ type: 'late_fill'; pair: string; id: string; forced?: 'liquidation' | 'deleveraging' } & OrderFill)
  /** The simulated exchange has liquidated the position and removed the orders of a pair. */
  | ({ type: 'liquidated'; at: number; pair: string } & LiquidationResult)
  /** Entries are blocked for that reason, or allowed again (null). */
  | { type: 'entry_block'; at: number; why: NonNullable<BotState['entriesBlockedBy']> | null }
  /** The exchange accepts no request until the pause ends. */
  | { type: 'request_pause'; at: number; ends: boolean };

/** A command to the exchange: place or cancel `order`, which belongs to `parent` of `pair`. */
export interface Effect {
  type: 'place' | 'cancel';
  pair: PairState;
  parent: ParentOrder;
  order: LiveOrder;
}
