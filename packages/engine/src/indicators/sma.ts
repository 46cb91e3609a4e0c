import { type RollingSum, rollingMeanNext, rollingSumInit } from './rollingSum.ts';

export type Sma = RollingSum;

export function smaInit(length: number): Sma {
  return rollingSumInit(length);
}

/** SMA: mean of the last n inputs. @returns NaN before index n − 1 @see strategies.md 2 */
export function smaNext(sma: Sma, x: number): number {
  return rollingMeanNext(sma, x);
}
