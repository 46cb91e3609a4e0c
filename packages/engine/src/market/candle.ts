/**
 * Closed candles of one pair as columns, oldest first. Prices and volume are the decimals of the exchange as float64;
 * `time` is the open time in ms.
 */
export interface CandleColumns {
  readonly length: number;
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

/** Creates columns for `length` candles. */
export function candleColumns(length: number): CandleColumns {
  return {
    length,
    time: new Float64Array(length),
    open: new Float64Array(length),
    high: new Float64Array(length),
    low: new Float64Array(length),
    close: new Float64Array(length),
    volume: new Float64Array(length),
  };
}

/** Returns the candles from `start` to before `end`, sharing memory. */
export function sliceCandles(candles: CandleColumns, start: number, end: number): CandleColumns {
  return {
    length: end - start,
    time: candles.time.subarray(start, end),
    open: candles.open.subarray(start, end),
    high: candles.high.subarray(start, end),
    low: candles.low.subarray(start, end),
    close: candles.close.subarray(start, end),
    volume: candles.volume.subarray(start, end),
  };
}
