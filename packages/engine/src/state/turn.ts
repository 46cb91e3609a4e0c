import type { Bot } from './bot.ts';
import type { Effect } from './botEvents.ts';
import type { PairState } from './botState.ts';

/** One event as it acts on a bot: passed on in place of its parts. */
export interface BotTurn {
  readonly bot: Bot;
  /** Time of the event, ms. */
  at: number;
  /** Orders that the exchange is to place or to cancel, in this order. */
  readonly effects: Effect[];
}

/** One event as it acts on one pair of a bot. */
export interface Turn extends BotTurn {
  readonly pair: PairState;
}

/** Returns the turn of an event on one pair. */
export function turnOf({ bot, at, effects }: BotTurn, pair: PairState): Turn {
  return { bot, pair, at, effects };
}
