import { endWaitingSale } from '../bot/suspension.ts';
import { ALL } from '../ladder/fills.ts';
import { retryNow } from './keyState.ts';
import { noteOutside } from './outside.ts';
import type { Turn } from './turn.ts';

/** Ends of one ban, as two answers tell them in whole seconds, lie no further apart. */
const SAME_BAN_MS = 2_000;

/**
 * Takes until when the exchange wants no request. Until then the bot sends no order, moves no stop and asks for nothing: what
 * is at the exchange stays there. Working orders are not cancelled, since a cancellation would be a request too. A sale by hand
 * that has no order ends.
 *
 * @param until ms; a time that has come ends the pause
 * @param banned the exchange has banned the IP address
 * @see docs/network.md#request-limits-and-bans
 */
export function applyPause(turn: Turn, until: number, banned: boolean): void {
  const { bot } = turn.session.state;
  if (until <= turn.at) {
    endPause(turn);
    return;
  }
  const { pause } = bot;
  if (pause?.until === until) return;
  bot.pause = { until, banned };
  turn.durable = true;
  const { session, at, effects } = turn;
  for (const pair of bot.pairs) endWaitingSale(session.bot, pair, at, effects);
  const isKnown = pause?.banned === true && Math.abs(until - pause.until) <= SAME_BAN_MS;
  // A short pause is over before anybody has read of it.
  if (banned && !isKnown) noteOutside(turn, null, { what: 'address_banned', until });
}

/** Ends a pause whose time has come. */
export function endPauseWhenOver(turn: Turn): void {
  const { pause } = turn.session.state.bot;
  if (pause !== undefined && turn.at >= pause.until) endPause(turn);
}

function endPause(turn: Turn): void {
  const { bot } = turn.session.state;
  if (bot.pause === undefined) return;
  if (bot.pause.banned) noteOutside(turn, null, { what: 'ban_over' });
  delete bot.pause;
  turn.durable = true;
  retryNow(turn);
  for (const pair of bot.pairs) if (pair.ladder !== null) pair.ladderDue = ALL;
}
