import { fromUnits, type Quote } from '@heron/engine/money/units.ts';

/** Points that a screen can show; more only make the page heavy. */
const MAX_POINTS = 10_000;

/** An equity curve to be drawn. */
export interface Curve {
  /** Open times of the steps, ms. */
  time: number[];
  /** In the quote currency. */
  equity: number[];
  /** Below the highest equity before, in percent; 0 or less. */
  drawdown: number[];
}

/**
 * The equity curve with its drawdown. A long one is thinned: of each stretch the lowest and the highest point stay, so that
 * no fall is hidden.
 *
 * @param start capital, the first peak
 */
export function curveOf(time: Float64Array, equity: Float64Array, start: Quote): Curve {
  const curve: Curve = { time: [], equity: [], drawdown: [] };
  const stretch = Math.max(1, Math.ceil((2 * equity.length) / MAX_POINTS));
  let peak = start;
  const add = (i: number) => {
    const value = equity[i] as Quote;
    curve.time.push(time[i] as number);
    curve.equity.push(fromUnits(value));
    curve.drawdown.push(peak > 0 ? Math.min(0, 100 * (value / peak - 1)) : 0);
    if (value > peak) peak = value;
  };
  for (let from = 0; from < equity.length; from += stretch) {
    const to = Math.min(from + stretch, equity.length);
    let low = from;
    let high = from;
    for (let i = from; i < to; i++) {
      if ((equity[i] as number) < (equity[low] as number)) low = i;
      if ((equity[i] as number) > (equity[high] as number)) high = i;
    }
    const kept = stretch === 1 ? [from] : [...new Set([low, high, ...(to === equity.length ? [to - 1] : [])])];
    for (const i of kept.sort((a, b) => a - b)) add(i);
  }
  return curve;
}
