import type { Bracket } from '../ledger/brackets.ts';
import type { Market } from '../market/market.ts';
import type { Quantity, Quote } from '../money/units.ts';
import type { CashClaim } from '../reconcile/cashClaims.ts';
import type { OrderKind, OrderRequest } from './orderRequest.ts';
import type { OrderReport, OwnFill, OwnIncome, TradeCursor } from './report.ts';

/** What a pair looks like on the account. */
export interface PairOnAccount {
  readonly pair: string;
  /** Spot: total of the asset. Futures: the position, negative for a short. */
  readonly quantity: Quantity;
  /** What other bots believe to hold of it. */
  readonly others: Quantity;
  readonly leverage: number;
  readonly isolated: boolean;
  /** Set apart for an isolated position; 0 for a cross one, and on spot. */
  readonly margin: Quote;
  /** Hedge mode, with a long and a short held at once: the smaller of the two; the greater is told above. */
  readonly otherSide?: { readonly quantity: Quantity; readonly margin: Quote };
  readonly market: Market;
  /** Empty when they could not be read. */
  readonly brackets: readonly Bracket[];
}

/** The account at one moment. */
export interface AccountSnapshot {
  /** When it was asked for: of orders decided later it says nothing. */
  readonly askedAt: number;
  /** Total of the bot's currency. */
  readonly cash: Quote;
  /** Of that not held by orders. */
  readonly free: Quote;
  /** Other bots on the same account. */
  readonly otherBots: readonly CashClaim[];
  /** Fills of the account from the cursors on, of every pair that has a new cursor; of the others there are none. */
  readonly fills: readonly OwnFill[];
  /** Where to go on from next time, by pair. */
  readonly cursors: Readonly<Record<string, TradeCursor>>;
  /** Futures: funding and clearances from {@link LiveState.incomesSince} on. */
  readonly incomes: readonly OwnIncome[];
  /** From when on they are to be told next time, ms by the exchange's clock. */
  readonly incomesSince: number;
  /** Resting orders of the bot's pairs, whoever placed them. */
  readonly openOrders: readonly (OrderReport & { readonly exit: boolean })[];
  /** False when it changed while it was read: then quantities and cash are not compared. */
  readonly settled: boolean;
  readonly pairs: readonly PairOnAccount[];
}

/** What the exchange says of the key of a bot: with one that may withdraw, or that it refuses, nothing is entered. */
export type KeyState = 'fine' | 'may_withdraw' | 'refused';

/** What the exchange tells a live bot, beside the market. Any order of arrival and any repetition is harmless. */
export type ExecutionEvent =
  /** The bot begins to run, new or restored: what was on its way when it was saved is asked for. */
  | { type: 'resumed'; at: number }
  /** The order was taken. `report` is null where the exchange says no more. */
  | { type: 'taken'; at: number; clientOrderId: string; report: OrderReport | null; fills: readonly OwnFill[] }
  /** The order was not taken, and nothing is left of it. */
  | { type: 'refused'; at: number; clientOrderId: string; how: 'rejected' | 'post_only_rejected'; why: string }
  /** Nobody knows what became of the order, or of its cancel. */
  | { type: 'unanswered'; at: number; clientOrderId: string }
  | { type: 'reported'; at: number; report: OrderReport }
  /** Asked for the order, the exchange told this. */
  | { type: 'found'; at: number; report: OrderReport }
  /** Asked for the order at `askedAt`, the exchange said that it has none. */
  | { type: 'absent'; at: number; clientOrderId: string; askedAt: number }
  | { type: 'traded'; at: number; fills: readonly OwnFill[] }
  /** Free amount of the bot's currency. */
  | { type: 'free'; at: number; free: Quote }
  | { type: 'key'; at: number; state: KeyState }
  /** The exchange wants no request before `until`, ms; 0 when it takes them again. `banned`: it has banned the IP address. */
  | { type: 'paused'; at: number; until: number; banned: boolean }
  | { type: 'account'; at: number; account: AccountSnapshot };

interface Named {
  readonly pair: string;
  readonly clientOrderId: string;
  readonly kind: OrderKind;
}

/** What a live bot asks its host to do, once what it decided is committed. Answers come as {@link ExecutionEvent}. */
export type LiveRequest =
  | { readonly type: 'place'; readonly ticket: OrderRequest }
  | ({ readonly type: 'cancel' } & Named)
  | ({ readonly type: 'ask' } & Named)
  | { readonly type: 'trades'; readonly pair: string; readonly since: TradeCursor };
