import type { Bot } from './bot.ts';
import type { Effect } from './botEvents.ts';
import type { PairState } from './botState.ts';

/** One event as it acts on one pair: passed on in place of its parts. */
export interface Turn {
  readonly bot: Bot;
  readonly pair: PairState;
  /** Time of the event, ms. */
  at: number;
  /** Orders that the exchange is to place or to cancel, in this order. */
  readonly effects: Effect[];
}

/** Creates the turn of an event on one pair. */
export function createTurn(bot: Bot, pair: PairState, at: number, effects: Effect[]): Turn {
  return { bot, pair, at, effects };
}
