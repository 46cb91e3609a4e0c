import type { Bracket } from '@heron/engine/ledger/brackets.ts';
import type { OrderKind, SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OrderReport, OwnFill, OwnIncome, TradeCursor } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import type { Price, Quantity, Quote } from '@heron/engine/money/units.ts';
import type { ExchangeError } from './errors.ts';

/** Balance of one asset. Amounts are exact decimals as text, because those of cheap assets leave the range of units. */
export interface Balance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/** Position of one contract. In hedge mode a pair can have a long and a short position. */
export interface OpenPosition {
  readonly pair: string;
  /** Negative for a short. */
  readonly quantity: Quantity;
  readonly entryPrice: Price;
  readonly mark: Price;
  /** Margin of an isolated position; 0 for a cross position. */
  readonly margin: Quote;
}

/** Settings of one contract for the account. */
export interface ContractSettings {
  readonly pair: string;
  readonly leverage: number;
  readonly isolated: boolean;
}

/** Calls that only a futures account has. Every method rejects with an `ExchangeError`. */
export interface MarginAccount {
  /** Returns the open positions. */
  positions(): Promise<OpenPosition[]>;
  /** Returns the settings of all contracts, and reads the mode of the account again. */
  settings(): Promise<ContractSettings[]>;
  /** Succeeds when nothing had to be changed, too. */
  setLeverage(pair: string, leverage: number): Promise<void>;
  /** Succeeds when nothing had to be changed, too. */
  setMarginMode(pair: string, mode: 'isolated' | 'cross'): Promise<void>;
  /** Whether the account is in hedge mode. Heron never changes the mode. */
  hedged(): Promise<boolean>;
  /** Returns the leverage brackets of all contracts by pair, at most a day old. */
  brackets(): Promise<ReadonlyMap<string, readonly Bracket[]>>;
  /** Returns the changes of the wallet without a trade, oldest first. @param since ms by the venue's clock */
  incomes(since: number): Promise<OwnIncome[]>;
}

/** A working order of the account, also one that Heron did not place. */
export interface OpenOrder extends OrderReport {
  readonly price: Price;
  /** Whether the order is reduce-only. */
  readonly exit: boolean;
}

/** Permissions of a key. */
export interface KeyPermissions {
  readonly trade: boolean;
  /** Null where the venue does not report it. */
  readonly withdraw: boolean | null;
  /** Whether the key works from listed IP addresses only; null where the venue does not report it. */
  readonly ipRestricted: boolean | null;
}

/** Events of an account stream. */
export type AccountEvent =
  /** The stream is subscribed. Earlier events may be missing, so that the account must be read. */
  | { readonly type: 'connected' }
  | { readonly type: 'lost'; readonly error: ExchangeError }
  | { readonly type: 'order'; readonly report: OrderReport }
  | { readonly type: 'fill'; readonly fill: OwnFill }
  | { readonly type: 'balances'; readonly balances: readonly Balance[] }
  /** A change that no order explains: funding, a transfer, a setting. The account must be read. */
  | { readonly type: 'changed' };

/** Stream of the account's events. It reconnects by itself, with growing pauses, until it is closed. */
export interface AccountStream {
  /** Connects at once when it waits after a refusal of its key, because the key works again. */
  retry(): void;
  close(): Promise<void>;
}

/** The venue's response to a new order. */
export interface PlacedOrder {
  /** Null where the venue only confirms the order: its state must be queried. */
  readonly report: OrderReport | null;
  /** Fills that the response contains. */
  readonly fills: readonly OwnFill[];
}

/**
 * Trades on a venue for one account. It holds a key and signs; a `PublicExchange` only reads.
 *
 * Every method rejects with an `ExchangeError`. After `unknown_outcome` from `place` or `cancel` the request may have been
 * executed: query {@link TradingExchange.order} before anything else. No other kind leaves an order behind.
 */
export interface TradingExchange {
  readonly name: string;
  /** Returns the time by the venue's clock, ms; by this machine's clock until the first call. */
  time(): number;
  /**
   * Sends an order. The venue refuses an order that arrives later than `ORDER_LIFETIME_MS` after `request.decidedAt`.
   * An order that is counted in another unit than the adapter's is not sent, but rejected as `AssetUnitDiffers`.
   *
   * @param committedAt `performance.now()` when the order could be sent first, which shows its age after the machine's clock
   *   was set back; now when absent
   */
  place(request: SizedOrderRequest, committedAt?: number): Promise<PlacedOrder>;
  /**
   * Cancels an order. Returns null where the response does not contain the order state. Refused for an order that is
   * not working.
   *
   * @param kind default `plain`
   */
  cancel(pair: string, clientOrderId: string, kind?: OrderKind): Promise<OrderReport | null>;
  /**
   * Returns the state of an order; null when the venue does not know it (yet). A triggered stop and the order that it
   * became are one order, with the client id of the stop.
   *
   * @param kind default `plain`
   */
  order(pair: string, clientOrderId: string, kind?: OrderKind): Promise<OrderReport | null>;
  /** Returns all working orders of these pairs, stops and orders of others included. */
  openOrders(pairs: readonly string[]): Promise<OpenOrder[]>;
  /** Returns all fills of a pair from the cursor on, oldest first. Fills at the cursor itself may be among them. */
  ownTrades(pair: string, since: TradeCursor): Promise<OwnFill[]>;
  balances(): Promise<Balance[]>;
  /** Null on spot. */
  readonly margin: MarginAccount | null;
  permissions(): Promise<KeyPermissions>;
  /** Returns the venue's id of the account, equal for all of its keys; null where the venue does not report it. */
  account(): Promise<string | null>;
  stream(listener: (event: AccountEvent) => void): AccountStream;
  close(): Promise<void>;
}

/** A key as the vault returns it. It is never written anywhere. */
export interface ApiKey {
  readonly key: string;
  /** HMAC secret, or an Ed25519 private key as PEM text. */
  readonly secret: string;
}

/** Options that all trading adapters have. */
export interface TradingConfig {
  readonly key: ApiKey;
  /** Returns the markets, as the reading side of the same venue lists them. */
  markets(): Promise<readonly Market[]>;
  /** ms since 1970. */
  now(): number;
}
