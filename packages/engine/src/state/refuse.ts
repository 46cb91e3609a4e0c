import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';
import type { Refused } from './refusal.ts';

/** Counts and stores a refusal of a pair and notifies the observer. @see docs/entries.md#gates */
export function refuse(bot: Bot, pair: PairState, at: number, { gate, inputs }: Refused): void {
  pair.refusals[gate] = (pair.refusals[gate] ?? 0) + 1;
  pair.lastRefusal = { at, gate, inputs };
  bot.observer.refusal(at, pair, gate, inputs);
}
