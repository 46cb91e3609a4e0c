import { createBudget } from '../../gateway/budget.ts';

/** Limits messages of all paired bot hosts of one user. The burst allows all windows to reconnect at once. */
const BYTES = { perSecond: 8 * 1_048_576, atOnce: 16 * 1_048_576 };
const MESSAGES = { perSecond: 2_000, atOnce: 10_000 };
/** After this time without messages, a budget is full again and can be deleted. */
const FULL_AFTER_MS = 10_000;

/** Counts one message of this many bytes; false when the budget is exceeded. */
export type SpendIncoming = (bytes: number) => boolean;

/** Creates the budgets of users whose paired hosts send: one per user, whatever the number of windows and hosts. */
export function createIncomingBudgets(now: () => number = performance.now.bind(performance)): {
  of(userId: number): SpendIncoming;
} {
  const budgets = new Map<number, { spend: SpendIncoming; usedAt: number }>();

  function forget(at: number): void {
    for (const [userId, { usedAt }] of budgets) if (at - usedAt > FULL_AFTER_MS) budgets.delete(userId);
  }

  function open(userId: number): { spend: SpendIncoming; usedAt: number } {
    const bytesLeft = createBudget(BYTES, now);
    const messagesLeft = createBudget(MESSAGES, now);
    const budget = { spend: (bytes: number) => messagesLeft(1) && bytesLeft(bytes), usedAt: now() };
    forget(budget.usedAt);
    budgets.set(userId, budget);
    return budget;
  }

  return {
    of: (userId) => (bytes) => {
      const budget = budgets.get(userId) ?? open(userId);
      budget.usedAt = now();
      return budget.spend(bytes);
    },
  };
}
