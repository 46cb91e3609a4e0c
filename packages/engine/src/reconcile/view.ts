import type { Account } from '../ledger/account.ts';
import type { Bracket } from '../ledger/brackets.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import type { HeldSince } from '../ledger/heldSince.ts';
import type { Market } from '../market/market.ts';
import type { Price, Quantity, Quote } from '../money/units.ts';
import type { CashClaim } from './cashClaims.ts';

/** State of the bot's own books. */
export interface OurView {
  readonly account: Account;
  /** Claim of the bot on the cash of the account. */
  readonly claim: Omit<CashClaim, 'cash'>;
  readonly heldSince: Readonly<HeldSince>;
  /** Prefix of its client order ids: `{bot6}-`. @see docs/orders.md#client-order-ids */
  readonly prefix: string;
  /** Open parent orders. */
  readonly intents: readonly OurParentOrder[];
  /** Pairs with fills that an order report counts and that are not booked yet. Their quantities are not compared. */
  readonly unbooked: ReadonlySet<string>;
  /** Last mark prices, by pair. */
  readonly marks: Readonly<Record<string, Price>>;
  readonly brackets: Readonly<Record<string, readonly Bracket[]>>;
}

export interface OurParentOrder {
  readonly id: string;
  readonly pair: string;
  /** May have several live orders. */
  readonly isPlanOrder: boolean;
  /** Orders that may still fill. */
  readonly orders: readonly { readonly clientOrderId: string; readonly sentAt: number }[];
}

/** State of the account at the exchange. */
export interface TheirView {
  /** Time of the request; the state does not cover later orders. */
  readonly askedAt: number;
  /** Total of the currency: cash of spot, wallet of futures; null when it cannot be compared now. */
  readonly cash: Quote | null;
  /** Other bots on the same account. */
  readonly otherBots: readonly CashClaim[];
  /** Own fills since the last trade id of each pair, of all orders of the account. */
  readonly fills: readonly TheirFill[];
  /** Funding and clearances since the last ones known. */
  readonly incomes: readonly Extract<LedgerEvent, { type: 'funding' | 'clearance' }>[];
  readonly openOrders: readonly TheirOrder[];
  readonly pairs: readonly TheirPair[];
}

export interface TheirFill {
  readonly id: string;
  readonly at: number;
  readonly pair: string;
  readonly clientOrderId: string;
  readonly side: 'buy' | 'sell';
  /** The order is reduce-only. */
  readonly exit: boolean;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly liquidity: 'maker' | 'taker';
  readonly fee: number;
  readonly feeAsset: string;
  readonly feePrice?: Price;
  /** Futures: result without the fee as booked by the exchange. */
  readonly pnl?: Quote;
  /** The exchange closed the position by force. */
  readonly forced?: string;
}

export interface TheirOrder {
  readonly clientOrderId: string;
  readonly pair: string;
  readonly side: 'buy' | 'sell';
  /** The order is reduce-only. */
  readonly exit: boolean;
  /** Order value of the unfilled quantity. */
  readonly value: Quote;
}

export interface TheirPair {
  readonly pair: string;
  /** Spot: total of the asset. Futures: the position, negative for a short. */
  readonly quantity: Quantity;
  readonly leverage: number;
  readonly isolated: boolean;
  /** Margin of an isolated position; omitted when unknown. */
  readonly margin?: Quote;
  readonly market: Market;
  /** Empty when they could not be read. */
  readonly brackets: readonly Bracket[];
}

/** Memory from one reconciliation to the next; plain data. */
export interface Memory {
  /** Differences in quantity seen once (exchange less ours, signed), by pair. */
  quantities: Record<string, Quantity>;
  /** Recorded surpluses (signed), by pair. */
  foreign: Record<string, Quantity>;
  /** The bot's part of a difference in cash, seen once; 0 for none. */
  cash: Quote;
}

export function noMemory(): Memory {
  return { quantities: {}, foreign: {}, cash: 0 };
}

/** An action of a reconciliation. */
export type Action =
  /** Apply the event to the account. */
  | { readonly type: 'book'; readonly event: LedgerEvent }
  /** The order belongs to this open parent order. */
  | { readonly type: 'adopt'; readonly intent: string; readonly order: TheirOrder }
  | { readonly type: 'cancel'; readonly pair: string; readonly clientOrderId: string }
  /** The order is no longer listed: query it, book its fills, close it. */
  | { readonly type: 'query'; readonly pair: string; readonly clientOrderId: string }
  /** Surplus of the exchange over the bot, signed; 0 once it is gone. It is not managed. */
  | {
      readonly type: 'foreign';
      readonly pair: string;
      readonly surplus: Quantity;
      readonly stopsEntries: boolean;
    }
  /** New filters and brackets. */
  | {
      readonly type: 'settings';
      readonly pair: string;
      readonly market: Market;
      readonly brackets: readonly Bracket[];
    };
