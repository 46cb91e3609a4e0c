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

/** State of a live session, as plain data. */
export interface LiveState {
  kind: 'live';
  version: number;
  bot: BotState;
  peakEquity: number;
  /** Maximum of `1 − equity/peak` so far, sampled at each quote. @see docs/accounting.md#drawdown */
  maxDrawdown: number;
  /** Sum of transfers that the peak of the equity includes. */
  peakTransfers: Quote;
  /** Time of the newest event. */
  now: number;
  /** Results of the newest manual orders by request id: the same request never acts twice. */
  answers: Record<string, CommandResult>;
  /** Share of the account; null: all that no other bot has. @see docs/accounting.md#cash-for-entries */
  allotment: Quote | null;
  /** The first account snapshot set the balance. */
  opened: boolean;
  /** Orders that are not finished, in the order of their decisions. */
  orders: TrackedOrder[];
  /** Position up to which the fills of each pair are known. */
  cursors: Record<string, TradeCursor>;
  /** Booked fills after the cursors, by the id of their ledger event. */
  applied: Record<string, true>;
  /** Futures: incomes before this time are known, ms by the exchange's clock; 0 before the first snapshot. */
  incomesSince: number;
  /** Futures: when each pair's last position ended, ms. */
  flatSince: Record<string, number>;
  /** Futures: since when each pair's present position is held, by the exchange's clock. */
  heldSince: HeldSince;
  memory: Memory;
  /** Withdrawals that the bot was charged with; deposits repay them. */
  missing: Quote;
  /** State of the protective stops, by pair. */
  stops: Record<string, ProtectiveStopState>;
}

/**
 * Creates the state of a live session that has not started. Options and parameters must have been validated.
 *
 * @param allotment share of the account; null for all of it
 */
export function createLiveState(id: string, options: BotOptions, params: Params, allotment: Quote | null): LiveState {
  const bot = createBotState(id, options, params);
  // The first account snapshot sets the balance.
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
