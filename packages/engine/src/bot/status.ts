import type { Bot } from './runtime.ts';
import type { BotState } from './state.ts';

/** It ends as soon as it is flat. @see options.md 4.5 run_for */
export function isDraining({ status, endsAt }: BotState): boolean {
  return status === 'stopping' && endsAt > 0;
}

/** Exits are evaluated: working, or draining at the end of `run_for`. @see options.md 1.4, 4.5 run_for */
export function isTrading({ state }: Bot): boolean {
  return state.status === 'working' || isDraining(state);
}
