import { PERIODS, type Period, periodStart } from '@heron/engine/market/period.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';

/**
 * Returns the venue's period from which `period` is made: itself, or the longest one that divides it.
 *
 * @returns null when there is none
 * @see docs/bot-lifecycle.md#market-data
 */
export function sourcePeriod(period: Period, own: ReadonlySet<Period>): Period | null {
  if (own.has(period)) return period;
  let best: Period | null = null;
  for (const candidate of own) {
    const divides = PERIODS[period] % PERIODS[candidate] === 0;
    if (divides && (best === null || PERIODS[candidate] > PERIODS[best])) best = candidate;
  }
  return best;
}

/** Builds longer candles from shorter ones that arrive in order. */
export interface CandleMerger {
  /** @returns the longer candles that this one completes: one, or two after a gap of the venue, or none */
  closed(candle: ClosedCandle): ClosedCandle[];
  /** Returns the forming longer candle, the forming shorter one included. */
  forming(candle: ClosedCandle): ClosedCandle;
}

/**
 * Omits a first candle that began before the merger, because it would be partial. Gaps inside a candle are allowed.
 *
 * @see docs/bot-lifecycle.md#market-data
 */
export function candleMerger(source: Period, target: Period): CandleMerger {
  const sourceMs = PERIODS[source];
  const targetMs = PERIODS[target];
  let parts: ClosedCandle[] = [];
  let begun = false;

  return {
    closed(candle) {
      const start = periodStart(candle.time, targetMs);
      const done: ClosedCandle[] = [];
      const first = parts[0];
      if (first && periodStart(first.time, targetMs) !== start) {
        done.push(merge(parts, periodStart(first.time, targetMs)));
        parts = [];
      }
      begun ||= candle.time === start;
      if (!begun) return done;
      parts.push(candle);
      if (candle.time + sourceMs === start + targetMs) {
        done.push(merge(parts, start));
        parts = [];
      }
      return done;
    },
    forming(candle) {
      const start = periodStart(candle.time, targetMs);
      return merge([...parts.filter(({ time }) => time >= start && time < candle.time), candle], start);
    },
  };
}

function merge(parts: readonly ClosedCandle[], time: number): ClosedCandle {
  const first = parts[0] as ClosedCandle;
  const last = parts.at(-1) as ClosedCandle;
  return {
    time,
    open: first.open,
    high: Math.max(...parts.map(({ high }) => high)),
    low: Math.min(...parts.map(({ low }) => low)),
    close: last.close,
    volume: parts.reduce((sum, { volume }) => sum + volume, 0),
  };
}
