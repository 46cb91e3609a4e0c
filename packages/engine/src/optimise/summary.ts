import type { Figures } from './figures.ts';
import { type Objective, rankingOf, scoreOf } from './score.ts';

/**
 * How good the best set is among how many were tried. The best of many is good by luck alone: only when most sets are
 * good, and stay so on candles that they were not chosen on, has something been found.
 */
export interface Summary {
  readonly tried: number;
  /** Sets with a score. */
  readonly scored: number;
  /** Greatest score; null when no set has one. */
  readonly best: number | null;
  /** Score of the set in the middle (the better of two); null when no set has one. */
  readonly median: number | null;
  /** Share of all sets that end with more than they began with, as a fraction; 0 without sets. */
  readonly profitableShare: number;
  /** Net profit of the set in the middle by net profit, in percent of the capital. */
  readonly medianProfitPercent: number;
}

/** @param figures of every set that was tried */
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
