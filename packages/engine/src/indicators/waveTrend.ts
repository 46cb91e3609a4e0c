import { type Ema, emaInit, emaNext } from './ema.ts';
import { type ShortMean, shortMeanInit, shortMeanNext } from './shortMean.ts';

export interface WaveTrend {
  mean: Ema;
  distance: Ema;
  wave: Ema;
  signal: ShortMean;
  /** Newest values; NaN while undefined. */
  w1: number;
  w2: number;
}

export function waveTrendInit(channel: number, average: number, signal: number): WaveTrend {
  return {
    mean: emaInit(channel),
    distance: emaInit(channel),
    wave: emaInit(average),
    signal: shortMeanInit(signal),
    w1: Number.NaN,
    w2: Number.NaN,
  };
}

/**
 * Computes WaveTrend: EMA of the typical price's distance from its EMA in units of 0.015 mean distances, and its SMA. A mean
 * distance of 0 counts as distance 0.
 *
 * @see docs/indicators.md#wavetrend
 */
export function waveTrendNext(wave: WaveTrend, high: number, low: number, close: number): void {
  const typical = (high + low + close) / 3;
  const mean = emaNext(wave.mean, typical);
  if (Number.isNaN(mean)) return;
  const distance = emaNext(wave.distance, Math.abs(typical - mean));
  if (Number.isNaN(distance)) return;
  wave.w1 = emaNext(wave.wave, distance === 0 ? 0 : (typical - mean) / (0.015 * distance));
  if (!Number.isNaN(wave.w1)) wave.w2 = shortMeanNext(wave.signal, wave.w1);
}
