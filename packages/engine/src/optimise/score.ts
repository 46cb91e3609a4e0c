import type { Figures } from './figures.ts';

/** Figures for ranking parameter sets; higher is better. */
export const METRICS = ['netProfit', 'sharpe', 'sortino', 'calmar', 'profitFactor'] as const;

export type Metric = (typeof METRICS)[number];

/** Ranking criterion of parameter sets. */
export interface Objective {
  readonly by: Metric;
  /** Sets with fewer trades have no score, since a few trades may be luck. */
  readonly minTrades: number;
}

/** Returns the score of one set; null when its figure is undefined or it has too few trades. */
export function scoreOf(figures: Figures, { by, minTrades }: Objective): number | null {
  return figures.trades < minTrades ? null : figures[by];
}

/**
 * Ranks sets from best to worst: by descending score, sets without a score last, equal scores in the given order.
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
