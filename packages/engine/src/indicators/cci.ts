import { type Sma, smaInit, smaNext } from './sma.ts';

export type Cci = Sma;

/** Part of the price. Typical prices that are the same to a person can differ by rounding; that is no distance. */
const NO_DISTANCE = 1e-12;

export function cciInit(length: number): Cci {
  return smaInit(length);
}

/**
 * CCI: distance of the typical price from its mean, over 0.015 mean absolute deviations; 0 when these are 0. O(n): every
 * distance changes with the mean.
 *
 * @returns NaN before index n − 1
 * @see strategies.md 2
 */
export function cciNext(cci: Cci, high: number, low: number, close: number): number {
  const typical = (high + low + close) / 3;
  const mean = smaNext(cci, typical);
  if (Number.isNaN(mean)) return Number.NaN;
  let sum = 0;
  for (let i = 0; i < cci.length; i++) sum += Math.abs((cci.items[i] as number) - mean);
  const distance = sum / cci.length;
  return distance <= NO_DISTANCE * mean ? 0 : (typical - mean) / (0.015 * distance);
}
