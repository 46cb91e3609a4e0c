import type { ClosedCandle } from '../bot/event.ts';
import { shown } from '../strategies/strategy.ts';

/** Closed candles and the strategy's values on them, oldest first, at most `keep`. */
export interface CandleLog {
  candles: ClosedCandle[];
  /** One row a candle, in the order of the strategy's series. */
  values: (number | null)[][];
}

export function createCandleLog(): CandleLog {
  return { candles: [], values: [] };
}

/** Appends one candle; drops the oldest beyond `keep`. @see options.md 4.5 keep_lookback_periods */
export function logCandle(log: CandleLog, candle: ClosedCandle, values: Float64Array, keep: number): void {
  log.candles.push(candle);
  log.values.push(Array.from(values, shown));
  if (log.candles.length > keep) {
    log.candles.shift();
    log.values.shift();
  }
}
