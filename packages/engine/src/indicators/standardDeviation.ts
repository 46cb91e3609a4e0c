import { type RollingSum, rollingMeanNext, rollingSumInit } from './rollingSum.ts';

/** Population standard deviation in progress. */
export interface StandardDeviation {
  window: RollingSum;
  /** Mean of the window; NaN before the first full one. */
  mean: number;
  /** Sum of the squared distances from the mean, and its greatest value since it was summed anew. */
  squares: number;
  peak: number;
}

/** Rounding of large squares must not show in small ones: below this part of the peak they are summed anew. */
const SMALL = 1e-4;

export function standardDeviationInit(length: number): StandardDeviation {
  return { window: rollingSumInit(length), mean: Number.NaN, squares: 0, peak: 0 };
}

/**
 * SD: population standard deviation of the last n inputs. O(1) on average, no allocation: the squares follow the window
 * and are summed anew once per n inputs and when they fall far. A window of equal inputs gives exactly 0.
 *
 * @returns NaN before index n − 1
 * @see strategies.md 2
 */
export function standardDeviationNext(deviation: StandardDeviation, x: number): number {
  const { window, mean: before } = deviation;
  const old = window.items[window.at] as number;
  const mean = rollingMeanNext(window, x);
  deviation.mean = mean;
  if (Number.isNaN(mean)) return Number.NaN;
  if (window.same >= window.length) {
    deviation.squares = 0;
    deviation.peak = 0;
    return 0;
  }
  deviation.squares += (x - old) * (x - mean + (old - before));
  // The first full window has no `before`: its squares are NaN, which is not above 0 either.
  if (window.at === 0 || !(deviation.squares > deviation.peak * SMALL)) sumAnew(deviation);
  else if (deviation.squares > deviation.peak) deviation.peak = deviation.squares;
  return Math.sqrt(deviation.squares / window.length);
}

function sumAnew(deviation: StandardDeviation): void {
  const { window, mean } = deviation;
  let squares = 0;
  for (let i = 0; i < window.length; i++) {
    const distance = (window.items[i] as number) - mean;
    squares += distance * distance;
  }
  deviation.squares = squares;
  deviation.peak = squares;
}
