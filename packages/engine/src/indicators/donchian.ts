import { type Extreme, extremeInit, highestNext, lowestNext } from './extreme.ts';

export interface Donchian {
  highs: Extreme;
  lows: Extreme;
  /** Newest values; NaN while undefined. */
  upper: number;
  lower: number;
}

export function donchianInit(length: number): Donchian {
  return { highs: extremeInit(length), lows: extremeInit(length), upper: Number.NaN, lower: Number.NaN };
}

/**
 * Computes the Donchian channel: highest high and lowest low of the n candles before this one, from index n.
 *
 * @see docs/indicators.md#donchian
 */
export function donchianNext(channel: Donchian, high: number, low: number): void {
  channel.upper = channel.highs.value;
  channel.lower = channel.lows.value;
  highestNext(channel.highs, high);
  lowestNext(channel.lows, low);
}
