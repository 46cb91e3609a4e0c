import type { ClosedCandle } from '../state/botEvents.ts';
import { valueOrNull } from '../strategies/strategy.ts';

/** Closed candles and the strategy's values on them, oldest first, at most as many as are kept. */
export interface CandleLog {
  candles: ClosedCandle[];
  /**
   * The values, a row a candle, NaN where there is none; first come `dropped` rows of candles that are not kept any more.
   * One array for all: an array for each row weighs five times as much, and a worker has thousands of logs.
   */
  values: Float64Array;
  dropped: number;
  /** Values in a row. */
  width: number;
}

export function createCandleLog(): CandleLog {
  return { candles: [], values: new Float64Array(), dropped: 0, width: 0 };
}

/** Appends one candle; drops the oldest beyond `keep`. @see docs/bot-lifecycle.md#market-data */
export function logCandle(log: CandleLog, candle: ClosedCandle, values: Float64Array, keep: number): void {
  log.width = values.length;
  const rows = log.candles.length;
  if ((log.dropped + rows + 1) * log.width > log.values.length) makeRoom(log, Math.ceil(Math.min(rows + 8, keep / 4)));
  log.values.set(values, (log.dropped + rows) * log.width);
  log.candles.push(candle);
  if (log.candles.length > keep) {
    log.candles.shift();
    log.dropped += 1;
  }
}

/** The strategy's values on one candle, in the order of its series. */
export function valuesOf({ values, dropped, width }: CandleLog, index: number): (number | null)[] {
  const start = (dropped + index) * width;
  return Array.from(values.subarray(start, start + width), valueOrNull);
}

/** @param spare rows that can be appended after it */
function makeRoom(log: CandleLog, spare: number): void {
  const { candles, values, dropped, width } = log;
  log.values = new Float64Array((candles.length + spare) * width);
  log.values.set(values.subarray(dropped * width, (dropped + candles.length) * width));
  log.dropped = 0;
}
