import type { Bot } from './bot.ts';
import type { BotState } from './botState.ts';

/** Returns whether a bot ends when it is flat, now or once it works. @param at present time @see docs/bot-lifecycle.md#stop-drain-and-run_for */
export function isEnding({ status, endsAt }: BotState, at: number): boolean {
  return status !== 'created' && status !== 'finished' && endsAt > 0 && (status === 'stopping' || endsAt <= at);
}

/**
 * Returns whether exits are evaluated: the bot works or drains.
 *
 * @see docs/bot-lifecycle.md#bot-status, docs/bot-lifecycle.md#stop-drain-and-run_for
 */
export function isTrading({ state }: Bot): boolean {
  return state.status === 'working' || (state.status === 'stopping' && state.endsAt > 0);
}
