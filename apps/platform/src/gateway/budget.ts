/** How much may be spent: so much a second, and so much at once after a time in which nothing was spent. */
export type BudgetTerms = { readonly perSecond: number; readonly atOnce: number };

/**
 * Makes a budget of which spending takes, and which time fills up again.
 *
 * @param now in ms; for tests
 * @returns spends an amount; false, and nothing is spent, when there is not so much left
 */
export function createBudget(
  { perSecond, atOnce }: BudgetTerms,
  now: () => number = performance.now.bind(performance),
): (amount: number) => boolean {
  let left = atOnce;
  let filledAt = now();
  return (amount) => {
    const at = now();
    left = Math.min(atOnce, left + ((at - filledAt) / 1_000) * perSecond);
    filledAt = at;
    if (amount > left) return false;
    left -= amount;
    return true;
  };
}
