import { PERIODS, type Period, periodStart } from '@heron/engine/market/period.ts';

/** An exchange reports a closed candle with a short delay. */
const REPORT_DELAY_MS = 3_000;
/** Maximum delay of a request: the clock of a device may be changed. */
const MAX_WAIT_MS = 3_600_000;

/** Returns the time from `now` until the forming candle is reported as closed, in ms; at most one hour. */
export function untilClosed(period: Period, now: number): number {
  const length = PERIODS[period];
  return Math.min(periodStart(now, length) + length + REPORT_DELAY_MS - now, MAX_WAIT_MS);
}
