import type { PortfolioGroup } from './portfolio.ts';

/** Common days that a correlation needs at least. With fewer it is mostly chance. */
export const MIN_COMMON_DAYS = 20;

/** Bots that are compared with each other; their pairs grow with the square. */
const MAX_BOTS = 300;

type BotReturns = PortfolioGroup['returns'][number];
type Correlation = PortfolioGroup['correlations'][number];

/**
 * Correlates the daily returns of each two bots that have at least {@link MIN_COMMON_DAYS} days in common, highest first. Bots
 * whose equity did not move on those days have none.
 *
 * @see docs/accounting.md#correlation
 */
export function correlationsOf(returns: readonly BotReturns[]): Correlation[] {
  const byDay = returns.slice(0, MAX_BOTS).map(({ bot, day, value }) => ({
    bot,
    of: new Map(day.map((name, at) => [name, value[at] ?? 0])),
  }));
  const found: Correlation[] = [];
  for (const [index, first] of byDay.entries()) {
    for (const second of byDay.slice(index + 1)) {
      const common = [...first.of.keys()].filter((day) => second.of.has(day));
      if (common.length < MIN_COMMON_DAYS) continue;
      const value = pearson(
        common.map((day) => first.of.get(day) ?? 0),
        common.map((day) => second.of.get(day) ?? 0),
      );
      if (value !== null) found.push({ bots: [first.bot, second.bot], days: common.length, value });
    }
  }
  return found.sort((a, b) => b.value - a.value);
}

/**
 * Returns the correlation coefficient of two series of equal length, −1 to 1; null where one of them never changes.
 */
function pearson(a: readonly number[], b: readonly number[]): number | null {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  let [both, squareA, squareB] = [0, 0, 0];
  for (const [at, value] of a.entries()) {
    const [fromA, fromB] = [value - meanA, (b[at] ?? 0) - meanB];
    both += fromA * fromB;
    squareA += fromA ** 2;
    squareB += fromB ** 2;
  }
  if (isStill(squareA, a) || isStill(squareB, b)) return null;
  return Math.min(1, Math.max(-1, both / Math.sqrt(squareA * squareB)));
}

/** Whether a series has no more variation than rounding makes. */
function isStill(square: number, values: readonly number[]): boolean {
  const largest = Math.max(...values.map(Math.abs));
  return square <= (largest * 1e-12) ** 2 * values.length;
}
