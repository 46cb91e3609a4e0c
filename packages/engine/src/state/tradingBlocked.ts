import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';

/** Returns whether no order of the pair can be sent now, because the pair is suspended or requests are paused. */
export function isTradingBlocked({ state }: Bot, { suspended }: PairState): boolean {
  return suspended !== undefined || state.pause !== undefined;
}
