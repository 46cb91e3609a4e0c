import { handle } from '../bot/handle.ts';
import type { EventContext } from './eventContext.ts';
import { recordExternalChange } from './externalChange.ts';
import { retryStopsNow } from './protectiveStops.ts';

/** Maximum difference between two reported ends of the same ban, which are given in whole seconds. */
const SAME_BAN_MS = 2_000;

/**
 * Pauses all requests of a bot. Until the end of the pause the bot sends no order, moves no stop and queries nothing.
 * Working orders stay open, since a cancel is a request too. A manual exit that has no order ends.
 *
 * @param until ms; a time that has come ends the pause
 * @param banned the exchange has banned the IP address
 * @see docs/network.md#request-limits-and-bans
 */
export function applyPause(context: EventContext, until: number, banned: boolean): void {
  const { bot } = context.session.state;
  if (until <= context.at) {
    endPause(context);
    return;
  }
  const { pause } = bot;
  if (pause?.until === until) return;
  bot.pause = { until, banned };
  context.durable = true;
  const { session, at, effects } = context;
  handle(session.bot, { type: 'request_pause', at, ends: false }, effects);
  const isKnown = pause?.banned === true && Math.abs(until - pause.until) <= SAME_BAN_MS;
  // A short pause ends before a user could react, so it is not recorded.
  if (banned && !isKnown) recordExternalChange(context, null, { what: 'address_banned', until });
}

/** Ends a pause whose end is reached. */
export function endPauseWhenOver(context: EventContext): void {
  const { pause } = context.session.state.bot;
  if (pause !== undefined && context.at >= pause.until) endPause(context);
}

function endPause(context: EventContext): void {
  const { session, at, effects } = context;
  const { bot } = session.state;
  if (bot.pause === undefined) return;
  if (bot.pause.banned) recordExternalChange(context, null, { what: 'ban_over' });
  delete bot.pause;
  context.durable = true;
  handle(session.bot, { type: 'request_pause', at, ends: true }, effects);
  retryStopsNow(session.state.stops);
}
