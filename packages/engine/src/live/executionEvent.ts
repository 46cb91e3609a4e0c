import type { Bracket } from '../ledger/brackets.ts';
import type { Market } from '../market/market.ts';
import type { Quantity, Quote } from '../money/units.ts';
import type { CashClaim } from '../reconcile/cashClaims.ts';
import type { OrderKind, SizedOrderRequest } from './orderRequest.ts';
import type { OrderReport, OwnFill, OwnIncome, TradeCursor } from './report.ts';

/** State of a pair on the account. */
export interface PairOnAccount {
  readonly pair: string;
  /** Spot: total of the asset. Futures: the position, negative for a short. */
  readonly quantity: Quantity;
  /** Quantity that other bots on the account hold by their own books. */
  readonly others: Quantity;
  readonly leverage: number;
  readonly isolated: boolean;
  /** Margin of an isolated position; 0 for a cross one, and on spot. */
  readonly margin: Quote;
  /** Hedge mode with a long and a short at once: the smaller of the two; `quantity` is the larger. */
  readonly otherSide?: { readonly quantity: Quantity; readonly margin: Quote };
  readonly market: Market;
  /** Empty when they could not be read. */
  readonly brackets: readonly Bracket[];
}

/** The account at one moment. */
export interface AccountSnapshot {
  /** Time of the request; the snapshot does not cover later orders. */
  readonly askedAt: number;
  /** Total of the bot's currency. */
  readonly cash: Quote;
  /** Part of the total that no order holds. */
  readonly free: Quote;
  /** Other bots on the same account. */
  readonly otherBots: readonly CashClaim[];
  /** Fills of the account after the old cursors, for every pair that has a new cursor. */
  readonly fills: readonly OwnFill[];
  /** Position from which the next snapshot reads fills, by pair. */
  readonly cursors: Readonly<Record<string, TradeCursor>>;
  /** Futures: funding and clearances from {@link LiveState.incomesSince} on. */
  readonly incomes: readonly OwnIncome[];
  /** Incomes whose terms could not be read are left out; a later snapshot has them. */
  readonly lacksIncomes?: boolean;
  /** Time from which the next snapshot reads incomes, ms by the exchange's clock. */
  readonly incomesSince: number;
  /** Open orders of the bot's pairs, also those that the bot did not place. */
  readonly openOrders: readonly (OrderReport & { readonly exit: boolean })[];
  /** False when the account changed while it was read: quantities and cash are not compared then. */
  readonly settled: boolean;
  readonly pairs: readonly PairOnAccount[];
}

/** State of the API key of a bot. A key that may withdraw, or that the exchange refuses, blocks entries. */
export type KeyState = 'fine' | 'may_withdraw' | 'refused';

/** Events of the account and the orders of a live bot. They may arrive in any order and repeatedly. */
export type ExecutionEvent =
  /** The bot starts to run, new or restored: orders that were unfinished when it was saved are queried. */
  | { type: 'resumed'; at: number }
  /** The exchange accepted the order. `report` is null where the reply holds no state. */
  | { type: 'accepted'; at: number; clientOrderId: string; report: OrderReport | null; fills: readonly OwnFill[] }
  /** The exchange rejected the order; nothing of it remains. */
  | { type: 'rejected'; at: number; clientOrderId: string; how: 'rejected' | 'post_only_rejected'; why: string }
  /** The outcome of the order, or of its cancel, is unknown. */
  | { type: 'outcome_unknown'; at: number; clientOrderId: string }
  | { type: 'order_report'; at: number; report: OrderReport }
  /** Reply to a query of the order. */
  | { type: 'order_status'; at: number; report: OrderReport }
  /** Reply to a query sent at `askedAt`: the exchange has no such order. */
  | { type: 'not_found'; at: number; clientOrderId: string; askedAt: number }
  | { type: 'fills'; at: number; fills: readonly OwnFill[] }
  /** Free amount of the bot's currency. */
  | { type: 'free_balance'; at: number; free: Quote }
  | { type: 'key_state'; at: number; state: KeyState }
  /** The exchange accepts no request before `until`, ms; 0 once it accepts them again. `banned`: it banned the IP address. */
  | { type: 'paused'; at: number; until: number; banned: boolean }
  | { type: 'account_snapshot'; at: number; account: AccountSnapshot };

interface Named {
  readonly pair: string;
  readonly clientOrderId: string;
  readonly kind: OrderKind;
}

/** A request that the host sends once the decision is committed. Replies arrive as {@link ExecutionEvent}. */
export type LiveRequest =
  | { readonly type: 'place'; readonly order: SizedOrderRequest }
  | ({ readonly type: 'cancel' } & Named)
  | ({ readonly type: 'query_order' } & Named)
  | { readonly type: 'query_fills'; readonly pair: string; readonly since: TradeCursor };
