import { endWaitingSale } from '../bot/onSuspension.ts';
import { ALL } from '../orders/planFills.ts';
import { createTurn } from '../state/turn.ts';
import type { EventContext } from './eventContext.ts';
import { recordExternalChange } from './externalChange.ts';
import { retryNow } from './keyState.ts';

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
  for (const pair of bot.pairs) endWaitingSale(createTurn(session.bot, pair, at, effects));
  const isKnown = pause?.banned === true && Math.abs(until - pause.until) <= SAME_BAN_MS;
  // A short pause is over before anybody has read of it.
  if (banned && !isKnown) recordExternalChange(context, null, { what: 'address_banned', until });
}

/** Ends a pause whose time has come. */
export function endPauseWhenOver(context: EventContext): void {
  const { pause } = context.session.state.bot;
  if (pause !== undefined && context.at >= pause.until) endPause(context);
}

function endPause(context: EventContext): void {
  const { bot } = context.session.state;
  if (bot.pause === undefined) return;
  if (bot.pause.banned) recordExternalChange(context, null, { what: 'ban_over' });
  delete bot.pause;
  context.durable = true;
  retryNow(context);
  for (const pair of bot.pairs) if (pair.ladder !== null) pair.ladderDue = ALL;
}
