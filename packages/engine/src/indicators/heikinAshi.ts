/** Open and close of the newest Heikin-Ashi candle; NaN before the first. */
export interface HeikinAshi {
  open: number;
  close: number;
}

export function heikinAshiInit(): HeikinAshi {
  return { open: Number.NaN, close: Number.NaN };
}

/**
 * Computes Heikin-Ashi: C is the mean of the four prices, O the mean of the last O and C, at first (o + c)/2.
 *
 * @see docs/indicators.md#heikin-ashi
 */
export function heikinAshiNext(candle: HeikinAshi, open: number, high: number, low: number, close: number): void {
  candle.open = Number.isNaN(candle.open) ? (open + close) / 2 : (candle.open + candle.close) / 2;
  candle.close = (open + high + low + close) / 4;
}
