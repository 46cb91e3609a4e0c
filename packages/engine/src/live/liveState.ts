import type { CommandResult } from '../bot/commandResult.ts';
import type { HeldSince } from '../ledger/heldSince.ts';
import { openWallet } from '../ledger/wallet.ts';
import type { Quote } from '../money/units.ts';
import type { BotOptions } from '../options/table.ts';
import { type Memory, noMemory } from '../reconcile/view.ts';
import { STATE_VERSION } from '../session/stateVersion.ts';
import { type BotState, createBotState } from '../state/botState.ts';
import type { ProtectiveStopState } from '../state/protectiveStopState.ts';
import type { Params } from '../strategies/strategy.ts';
import type { TradeCursor } from './report.ts';
import type { TrackedOrder } from './trackedOrder.ts';

/** What a live session is made of, as plain data. */
export interface LiveState {
  kind: 'live';
  version: number;
  bot: BotState;
  peakEquity: number;
  /** Greatest `1 − equity/peak` so far, sampled at each quote. @see docs/accounting.md#drawdown */
  maxDrawdown: number;
  /** Σ transfers that the highest equity takes into account. */
  peakTransfers: Quote;
  /** Time of the newest event. */
  now: number;
  /** Results of the newest manual orders by request id: the same request never acts twice. */
  answers: Record<string, CommandResult>;
  /** Its share of the account; null: all of it that no other bot has. @see docs/accounting.md#cash-for-entries */
  allotment: Quote | null;
  /** The first look at the account has told how much there is to trade with. */
  opened: boolean;
  /** Orders of which something may still come, in the order of their decisions. */
  orders: TrackedOrder[];
  /** Up to where the fills of each pair are known. */
  cursors: Record<string, TradeCursor>;
  /** Fills after the cursors that are booked, as the ledger names its events. */
  applied: Record<string, true>;
  /** Futures: incomes before this are known, ms by the exchange's clock; 0 before the first look. */
  incomesSince: number;
  /** Futures: when each pair's last position ended, ms. */
  flatSince: Record<string, number>;
  /** Futures: since when each pair's present position is held, by the exchange's clock. */
  heldSince: HeldSince;
  memory: Memory;
  /** What it has borne of money that left the account, to be given back when money returns. */
  missing: Quote;
  /** How it stands with the stops at the exchange, by pair. */
  stops: Record<string, ProtectiveStopState>;
}

/**
 * State of a live session that has not started. Options and parameters must have been validated.
 *
 * @param allotment its share of the account; null for all of it
 */
export function createLiveState(id: string, options: BotOptions, params: Params, allotment: Quote | null): LiveState {
  const bot = createBotState(id, options, params);
  // What there is, the exchange says.
  bot.wallet = openWallet(0);
  return {
    kind: 'live',
    version: STATE_VERSION,
    bot,
    peakEquity: 0,
    maxDrawdown: 0,
    peakTransfers: 0,
    now: 0,
    answers: {},
    allotment,
    opened: false,
    orders: [],
    cursors: {},
    applied: {},
    incomesSince: 0,
    flatSince: {},
    heldSince: {},
    memory: noMemory(),
    missing: 0,
    stops: {},
  };
}
