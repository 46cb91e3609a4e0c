import type { Figures } from './figures.ts';

/** Figures that sets can be ranked by; the greater the better. */
export const METRICS = ['netProfit', 'sharpe', 'sortino', 'calmar', 'profitFactor'] as const;

export type Metric = (typeof METRICS)[number];

/** What sets are ranked by. */
export interface Objective {
  readonly by: Metric;
  /** Sets with fewer trades have no score: a few lucky ones say nothing. */
  readonly minTrades: number;
}

/** The score of one set; null when its figure is not defined, or too few trades stand behind it. */
export function scoreOf(figures: Figures, { by, minTrades }: Objective): number | null {
  return figures.trades < minTrades ? null : figures[by];
}

/**
 * Sets from the best to the worst: greatest score first, those without one last, equals in the order given. The order
 * depends on nothing else.
 *
 * @param figures of each set
 * @returns places in `figures`
 */
export function rankingOf(figures: readonly Figures[], objective: Objective): number[] {
  const scores = figures.map((of) => scoreOf(of, objective));
  return figures
    .map((_, place) => place)
    .sort((a, b) => {
      const [first, second] = [scores[a] ?? null, scores[b] ?? null];
      if (first === second) return a - b;
      if (first === null) return 1;
      if (second === null) return -1;
      return second > first ? 1 : second < first ? -1 : a - b;
    });
}
