import { type Extreme, extremeInit, highestNext, lowestNext } from './extreme.ts';

export interface Fisher {
  highs: Extreme;
  lows: Extreme;
  /** Smoothed position in the range; `value` is the previous transform. */
  place: number;
  value: number;
}

const LIMIT = 0.999;

export function fisherInit(length: number): Fisher {
  return { highs: extremeInit(length), lows: extremeInit(length), place: 0, value: 0 };
}

/** Computes Ehlers' Fisher transform of (h + l)/2. @returns NaN before index n − 1 @see docs/indicators.md#fisher */
export function fisherNext(fisher: Fisher, high: number, low: number): number {
  const middle = (high + low) / 2;
  const highest = highestNext(fisher.highs, middle);
  const lowest = lowestNext(fisher.lows, middle);
  if (Number.isNaN(highest)) return Number.NaN;
  const raw = highest === lowest ? 0 : (middle - lowest) / (highest - lowest) - 0.5;
  const place = Math.max(-LIMIT, Math.min(LIMIT, 0.66 * raw + 0.67 * fisher.place));
  fisher.place = place;
  fisher.value = 0.5 * Math.log((1 + place) / (1 - place)) + 0.5 * fisher.value;
  return fisher.value;
}
