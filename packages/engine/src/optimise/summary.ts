import type { Figures } from './figures.ts';
import { type Objective, rankingOf, scoreOf } from './score.ts';

/**
 * Score of the best parameter set, with the context to judge it. The best of many sets may be good by luck alone. A result is
 * significant only when most sets are good, and stay good out-of-sample.
 */
export interface Summary {
  readonly tried: number;
  /** Sets with a score. */
  readonly scored: number;
  /** Highest score; null when no set has one. */
  readonly best: number | null;
  /** Median score (the better of two); null when no set has one. */
  readonly median: number | null;
  /** Share of all sets with a net profit above 0, as a fraction; 0 without sets. */
  readonly profitableShare: number;
  /** Median net profit, in percent of the capital. */
  readonly medianProfitPercent: number;
}

/** @param figures figures of every set */
export function summaryOf(figures: readonly Figures[], objective: Objective): Summary {
  const scores = rankingOf(figures, objective)
    .map((place) => scoreOf(figures[place] as Figures, objective))
    .filter((score) => score !== null);
  const profits = figures.map(({ netProfitPercent }) => netProfitPercent).sort((a, b) => b - a);
  return {
    tried: figures.length,
    scored: scores.length,
    best: scores[0] ?? null,
    median: middleOf(scores),
    profitableShare:
      figures.length === 0 ? 0 : figures.filter(({ netProfit }) => netProfit > 0).length / figures.length,
    medianProfitPercent: middleOf(profits) ?? 0,
  };
}

function middleOf(descending: readonly number[]): number | null {
  return descending[Math.floor((descending.length - 1) / 2)] ?? null;
}
