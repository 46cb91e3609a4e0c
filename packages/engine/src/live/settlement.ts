import type { EventContext } from './eventContext.ts';
import type { AccountSnapshot } from './executionEvent.ts';
import { CERTAIN_AFTER_MS, incomeKey } from './ownIncomes.ts';

/**
 * Records that the position of a pair has ended. On futures its last payments arrive later, and a draining bot waits for them.
 *
 * @param since ms by the exchange's clock
 * @see docs/accounting.md#funding, docs/margin.md#liquidation, docs/bot-lifecycle.md#stop-drain-and-run_for
 */
export function recordFlat({ session, at }: EventContext, pair: string, since: number): void {
  const { state, bot } = session;
  state.flatSince[pair] = since;
  if (bot.rules.future) bot.state.unsettledSince = at;
}

/** Ends the wait once a snapshot is new enough to include every payment, and all of them have been attributed. */
export function settleIfDue({ session }: EventContext, snapshot: AccountSnapshot): void {
  const { bot, applied, incomesSince } = session.state;
  const { askedAt, settled, incomes, lacksIncomes } = snapshot;
  if (bot.unsettledSince === undefined || askedAt < bot.unsettledSince + CERTAIN_AFTER_MS) return;
  const isOpen = incomes.some((income) => income.at >= incomesSince && applied[incomeKey(income)] !== true);
  if (settled && lacksIncomes !== true && !isOpen) delete bot.unsettledSince;
}
