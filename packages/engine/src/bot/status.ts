import type { Bot } from './runtime.ts';

/** Exits are evaluated: working, or draining at the end of `run_for`. @see options.md 1.4, 4.5 run_for */
export function isTrading({ state }: Bot): boolean {
  return state.status === 'working' || (state.status === 'stopping' && state.endsAt > 0);
}
