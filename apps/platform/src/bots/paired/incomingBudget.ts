import { createBudget } from '../../gateway/budget.ts';

/** What the streams of all paired bot hosts of one person may bring. All windows may have come back at once. */
const BYTES = { perSecond: 8 * 1_048_576, atOnce: 16 * 1_048_576 };
const MESSAGES = { perSecond: 2_000, atOnce: 10_000 };
/** A person of whom nothing has come for so long has saved up everything again. */
const FULL_AFTER_MS = 10_000;

/** Counts one message of so many bytes; false when it is too much. */
export type SpendIncoming = (bytes: number) => boolean;

/** Budgets of the people whose bot hosts send at the moment: one for each person, however many windows and hosts they have. */
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
