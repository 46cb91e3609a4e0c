import { stepAt } from '@heron/engine/backtest/backtestTimeline.ts';
import { SCALE } from '@heron/engine/money/units.ts';
import type { Worth } from '../../entities/bot/equity/worth.ts';

/** Max number of points; a screen does not show more. */
const MAX_POINTS = 400;

/**
 * Reduces the curve of a backtest to the last point of each of many equal parts, and the point of the maximum drawdown.
 *
 * @param run open times of its steps, ms, and the equity at their closes, in 1e-8
 * @param begin start of the drawn curve, ms
 */
export function curveOf({ time, equity }: { time: Float64Array; equity: Float64Array }, begin: number): Worth[] {
  const first = stepAt(time, begin);
  const each = Math.max(1, Math.ceil((time.length - first) / MAX_POINTS));
  const points = new Map<number, Worth>();
  let peak = 0;
  let deepest: { step: number; worth: Worth } | null = null;
  for (let step = first; step < time.length; step++) {
    const total = equity[step] as number;
    peak = Math.max(peak, total);
    const worth = { at: time[step] as number, total: total / SCALE, drawdown: peak > 0 ? 100 * (1 - total / peak) : 0 };
    if (worth.drawdown > (deepest?.worth.drawdown ?? 0)) deepest = { step, worth };
    if (step === first || (step - first) % each === each - 1 || step === time.length - 1) points.set(step, worth);
  }
  if (deepest) points.set(deepest.step, deepest.worth);
  return [...points].sort(([a], [b]) => a - b).map(([, worth]) => worth);
}
