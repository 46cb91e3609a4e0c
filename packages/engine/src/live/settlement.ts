import type { EventContext } from './eventContext.ts';
import type { AccountSnapshot } from './executionEvent.ts';

/** Time after the end of a position by which its last funding and the fee of a forced close are on the account. */
const PAID_WITHIN_MS = 60_000;

/**
 * Records that the position of a pair has ended. On futures its last payments arrive later.
 *
 * @param since ms by the exchange's clock
 * @see docs/accounting.md#funding, docs/margin.md#liquidation
 */
export function recordFlat({ session, at }: EventContext, pair: string, since: number): void {
  const { state, bot } = session;
  state.flatSince[pair] = since;
  if (bot.rules.future) bot.state.unsettledSince = at;
}

/** Ends the wait for the last payments once a complete snapshot is new enough to include them. */
export function settleIfDue({ session }: EventContext, { askedAt, settled }: AccountSnapshot): void {
  const { unsettledSince } = session.bot.state;
  if (!settled || unsettledSince === undefined || askedAt < unsettledSince + PAID_WITHIN_MS) return;
  delete session.bot.state.unsettledSince;
}
