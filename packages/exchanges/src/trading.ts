import type { Bracket } from '@heron/engine/ledger/brackets.ts';
import type { OrderKind, OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OrderReport, OwnFill, OwnIncome, TradeCursor } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import type { Price, Quantity, Quote } from '@heron/engine/money/units.ts';
import type { ExchangeError } from './errors.ts';

/** What the account has of one asset; exact decimals as text, since amounts of cheap assets leave the range of units. */
export interface Balance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/** What is held of one future; in hedge mode long and short of a pair are two. */
export interface OpenPosition {
  readonly pair: string;
  /** Negative for a short. */
  readonly quantity: Quantity;
  readonly entryPrice: Price;
  readonly mark: Price;
  /** Set apart for an isolated position; 0 for a cross one. */
  readonly margin: Quote;
}

/** How a future is set up for the account. */
export interface ContractSettings {
  readonly pair: string;
  readonly leverage: number;
  readonly isolated: boolean;
}

/** What only an account of futures has. Every method rejects with an `ExchangeError`. */
export interface MarginAccount {
  /** Those that are not flat. */
  positions(): Promise<OpenPosition[]>;
  /** Of all contracts. What the owner of the account has chosen for all of it is read anew with them. */
  settings(): Promise<ContractSettings[]>;
  /** "No need to change" is success. */
  setLeverage(pair: string, leverage: number): Promise<void>;
  /** "No need to change" is success. */
  setMarginMode(pair: string, mode: 'isolated' | 'cross'): Promise<void>;
  /** Long and short of a pair may be held at once; else a sale reduces a long. Read, never changed. */
  hedged(): Promise<boolean>;
  /** Margin rules of all contracts, by pair, at most a day old. */
  brackets(): Promise<ReadonlyMap<string, readonly Bracket[]>>;
  /** What changed the wallet without a trade, from a time on by the venue's clock, oldest first. @param since ms */
  incomes(since: number): Promise<OwnIncome[]>;
}

/** An order that rests, also one of the user's own. */
export interface OpenOrder extends OrderReport {
  readonly price: Price;
  /** It only reduces a position. */
  readonly exit: boolean;
}

/** What a key may do. */
export interface KeyPermissions {
  readonly trade: boolean;
  /** Null where the venue does not say: then only its owner knows. */
  readonly withdraw: boolean | null;
  /** Works from listed addresses only; null where the venue does not say. */
  readonly ipRestricted: boolean | null;
}

/** What the stream of an account tells. */
export type AccountEvent =
  /** Listening (again); what happened before may not have been told and must be asked for. */
  | { readonly type: 'connected' }
  | { readonly type: 'lost'; readonly error: ExchangeError }
  | { readonly type: 'order'; readonly report: OrderReport }
  | { readonly type: 'fill'; readonly fill: OwnFill }
  | { readonly type: 'balances'; readonly balances: readonly Balance[] }
  /** Something that no order explains: funding, a transfer, a setting. What it was must be asked for. */
  | { readonly type: 'changed' };

/** The account's own events. It reconnects by itself, with growing pauses, until closed. */
export interface AccountStream {
  close(): Promise<void>;
}

/** What the venue answered to a new order. */
export interface PlacedOrder {
  /** Null where the venue only says that it has the order: its state must be asked for. */
  readonly report: OrderReport | null;
  /** Fills that the answer told already. */
  readonly fills: readonly OwnFill[];
}

/**
 * A venue as one account trades on it. It holds a key and signs; who only reads has a `PublicExchange`.
 *
 * Every method rejects with an `ExchangeError`. Of `place` and `cancel`, `unknown_outcome` means that it may have been done:
 * ask by {@link TradingExchange.order} before anything else. No other kind leaves an order behind.
 */
export interface TradingExchange {
  readonly name: string;
  /** Time by the venue's clock, ms; as good as this machine's until the first call. */
  time(): number;
  /**
   * Sends an order. The venue refuses it later than `ORDER_LIFETIME_MS` after `ticket.decidedAt`, whatever held it up on the way.
   */
  place(ticket: OrderRequest): Promise<PlacedOrder>;
  /**
   * Null where the venue does not tell the order's state with its answer. Refused when the order does not rest.
   *
   * @param kind default `plain`
   */
  cancel(pair: string, clientOrderId: string, kind?: OrderKind): Promise<OrderReport | null>;
  /**
   * State of an order; null when the venue does not know it (yet). A stop that was triggered and what it has become are
   * one order, by the name of the stop.
   *
   * @param kind default `plain`
   */
  order(pair: string, clientOrderId: string, kind?: OrderKind): Promise<OrderReport | null>;
  /** Orders that rest on these pairs, whoever placed them, stops that wait among them. */
  openOrders(pairs: readonly string[]): Promise<OpenOrder[]>;
  /** Fills of a pair from the cursor on, oldest first, whoever placed the order; those at the cursor itself may be among them. */
  ownTrades(pair: string, since: TradeCursor): Promise<OwnFill[]>;
  balances(): Promise<Balance[]>;
  /** Null on spot. */
  readonly margin: MarginAccount | null;
  permissions(): Promise<KeyPermissions>;
  /** What the venue calls the account: two keys of one account have the same. Null where it does not say. */
  account(): Promise<string | null>;
  stream(listener: (event: AccountEvent) => void): AccountStream;
  close(): Promise<void>;
}

/** A key as the vault hands it out. It is never written anywhere. */
export interface ApiKey {
  readonly key: string;
  /** Signs by HMAC; or an Ed25519 private key, as PEM text. */
  readonly secret: string;
}

/** What a trading adapter is given beside its key. */
export interface TradingConfig {
  readonly key: ApiKey;
  /** Pairs, as the public side of the same venue has them. */
  markets(): Promise<readonly Market[]>;
  /** ms since 1970. */
  now(): number;
}
