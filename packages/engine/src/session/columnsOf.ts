import type { ClosedCandle } from '../state/botEvents.ts';

/** Returns closed candles as columns, in the form that clients receive. */
export function columnsOf(candles: readonly ClosedCandle[]) {
  const column = (key: keyof ClosedCandle) => candles.map((candle) => candle[key]);
  return {
    time: column('time'),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}
