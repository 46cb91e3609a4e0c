import type { Bot } from './bot.ts';
import type { BotState } from './botState.ts';

/** It ends as soon as it is flat, or will once it is at work. @param at now @see docs/bot-lifecycle.md#stop-drain-and-run_for */
export function isEnding({ status, endsAt }: BotState, at: number): boolean {
  return status !== 'created' && status !== 'finished' && endsAt > 0 && (status === 'stopping' || endsAt <= at);
}

/**
 * Exits are evaluated: working, or draining at the end of `run_for`.
 *
 * @see docs/bot-lifecycle.md#bot-status, docs/bot-lifecycle.md#stop-drain-and-run_for
 */
export function isTrading({ state }: Bot): boolean {
  return state.status === 'working' || (state.status === 'stopping' && state.endsAt > 0);
}
