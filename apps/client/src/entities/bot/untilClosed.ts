import { PERIODS, type Period, periodStart } from '@heron/engine/market/period.ts';

/** An exchange needs a moment until it tells a candle as closed. */
const TOLD_AFTER_MS = 3_000;
/** What is asked for seldom is asked for at least so often: the clock of a device may be set. */
const LONGEST_WAIT_MS = 3_600_000;

/** How long after `now` the candle that forms then will have been told as closed, ms; an hour at most. */
export function untilClosed(period: Period, now: number): number {
  const length = PERIODS[period];
  return Math.min(periodStart(now, length) + length + TOLD_AFTER_MS - now, LONGEST_WAIT_MS);
}
