import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';

/** Tells whether an order of the pair cannot be sent now: the exchange takes none in it, or no request at all. */
export function isTradingBlocked({ state }: Bot, { suspended }: PairState): boolean {
  return suspended !== undefined || state.pause !== undefined;
}
