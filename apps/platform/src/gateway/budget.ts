/** Rate and burst of a budget. */
export type BudgetTerms = { readonly perSecond: number; readonly atOnce: number };

/**
 * Creates a token bucket.
 *
 * @param now in ms; for tests
 * @returns spends an amount; returns false and spends nothing when the amount is not available
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
