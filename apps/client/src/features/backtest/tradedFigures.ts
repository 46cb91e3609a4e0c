import { stepAt } from '@heron/engine/backtest/backtestTimeline.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { annualReturn } from '@heron/engine/report/annualReturn.ts';
import { dailyReturns } from '@heron/engine/report/dailyReturns.ts';
import type { BacktestDocument } from '@heron/engine/report/document.ts';
import { sharpe } from '@heron/engine/report/sharpe.ts';
import { sortino } from '@heron/engine/report/sortino.ts';

/** Figures of the time in which a run could trade. Those of its document include the warm-up before it. */
export interface TradedFigures {
  /** Compound yearly return, as a fraction. */
  readonly annualReturn: number;
  readonly sharpe: number;
  /** Null without a losing day. */
  readonly sortino: number | null;
  /** Share of steps with a position at their close. */
  readonly exposure: number;
}

interface Run {
  /** Open times of the steps, ms. */
  readonly time: Float64Array;
  /** Equity at their closes, in 1e-8. */
  readonly equity: Float64Array;
  readonly document: Pick<BacktestDocument, 'to' | 'equity'> & { readonly metrics: { readonly exposure: number } };
}

/**
 * Computes the figures that depend on the length of a run.
 *
 * @param begin start of trading, ms
 * @see docs/metrics.md
 */
export function tradedFigures({ time, equity, document }: Run, begin: number): TradedFigures {
  const first = stepAt(time, begin);
  const start = first > 0 ? (equity[first - 1] as number) : toUnits(document.equity.start);
  const end = equity.at(-1) ?? start;
  const returns = dailyReturns(time.subarray(first), equity.subarray(first), start);
  const steps = time.length - first;
  return {
    annualReturn: annualReturn(start, end, document.to - Math.max(begin, time[0] ?? begin)),
    sharpe: sharpe(returns),
    sortino: sortino(returns),
    exposure: steps === 0 ? 0 : Math.min(1, (document.metrics.exposure * time.length) / steps),
  };
}
