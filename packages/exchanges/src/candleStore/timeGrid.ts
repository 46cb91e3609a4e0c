import { PERIODS, type Period, periodStart } from '@heron/engine/market/period.ts';

/** Open times that candles of a period may have: every `step` ms, one of them at `phase`. */
export interface TimeGrid {
  readonly step: number;
  /** 0 to below `step`, ms. */
  readonly phase: number;
}

/**
 * Returns the grid of a period. Candles of three days start at an arbitrary phase of the venue, which its first candle shows;
 * all others start at multiples of their length.
 *
 * @param first open time of any candle; null when there is none
 * @see docs/bot-lifecycle.md#market-data
 */
export function timeGrid(period: Period, first: number | null): TimeGrid {
  const step = PERIODS[period];
  const origin = period === '3d' ? (first ?? 0) : periodStart(0, step);
  return { step, phase: ((origin % step) + step) % step };
}

/** Returns the last time of the grid that is not after `time`. */
export function gridBefore({ step, phase }: TimeGrid, time: number): number {
  return Math.floor((time - phase) / step) * step + phase;
}

/** Returns the first time of the grid that is not before `time`. */
export function gridAfter({ step, phase }: TimeGrid, time: number): number {
  return Math.ceil((time - phase) / step) * step + phase;
}
