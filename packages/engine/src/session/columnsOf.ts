import type { ClosedCandle } from '../state/botEvents.ts';

/** Closed candles as columns in their order, the way they are told to clients. */
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
