import type { CommandResult } from '../bot/commandResult.ts';
import type { BotOptions } from '../options/table.ts';
import { STATE_VERSION } from '../session/stateVersion.ts';
import { type BotState, createBotState } from '../state/botState.ts';
import type { Params } from '../strategies/strategy.ts';
import type { PriceCheck } from './paperAudit.ts';
import { createPaperExchange, type PaperExchange } from './paperExchange.ts';

/** State of a paper session, as plain data. */
export interface PaperState {
  version: typeof STATE_VERSION;
  bot: BotState;
  exchange: PaperExchange;
  peakEquity: number;
  /** Maximum of `1 − equity/peak` so far, sampled at each quote. @see docs/accounting.md#drawdown */
  maxDrawdown: number;
  /** Time of the newest event. */
  now: number;
  /** Results of the newest manual orders by request id: the same request never acts twice. */
  answers: Record<string, CommandResult>;
  audit: AuditState;
}

/** @see docs/paper.md#audit */
export interface AuditState {
  /** When the account was audited last; 0 before the first time. */
  at: number;
  /** Faults of the last audit, as the check and its pair. Each raises one alarm until it is gone. */
  wrong: string[];
  /** Newest price of each pair by the venue's ticker. */
  prices: Record<string, PriceCheck>;
}

/** Creates the state of a session that has not started. Options and parameters must be validated. */
export function createPaperState(id: string, options: BotOptions, params: Params): PaperState {
  const bot = createBotState(id, options, params);
  return {
    version: STATE_VERSION,
    bot,
    exchange: createPaperExchange(),
    peakEquity: bot.wallet.start,
    maxDrawdown: 0,
    now: 0,
    answers: {},
    audit: { at: 0, wrong: [], prices: {} },
  };
}
