import type { Bot } from './bot.ts';
import type { PairPhase, PairState } from './botState.ts';

/** Changes the phase of a pair. */
export function setPhase(bot: Bot, pair: PairState, at: number, phase: PairPhase): void {
  if (pair.phase === phase) return;
  const from = pair.phase;
  pair.phase = phase;
  bot.observer.phase(at, pair, from, phase);
}

/** Passes a pair through the phases of an exit for a position that ended without an order. @see docs/bot-lifecycle.md#pair-phases */
export function showFlat(bot: Bot, pair: PairState, at: number): void {
  // The exchange may liquidate while an entry works; its filled part counts as bought.
  if (pair.phase === 'buying') setPhase(bot, pair, at, 'bought');
  setPhase(bot, pair, at, 'selling');
  setPhase(bot, pair, at, 'sold');
}
