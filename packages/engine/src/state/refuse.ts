import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';
import type { Refused } from './refusal.ts';

/** Counts and stores a refusal of a pair and notifies the observer. @see docs/entries.md#gates */
export function refuse(bot: Bot, pair: PairState, at: number, refused: Refused): void {
  const { gate, inputs } = refused;
  refuseManual(bot, pair, at, refused);
  pair.lastRefusal = { at, gate, inputs };
}

/** Counts the refusal of a manual order and notifies the observer. It is no decision of the bot, and the user gets it at once. */
export function refuseManual(bot: Bot, pair: PairState, at: number, { gate, inputs }: Refused): void {
  pair.refusals[gate] = (pair.refusals[gate] ?? 0) + 1;
  bot.observer.refusal(at, pair, gate, inputs);
}
