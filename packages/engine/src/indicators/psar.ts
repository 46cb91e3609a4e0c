export interface Psar {
  readonly step: number;
  readonly max: number;
  /** +1 or −1; NaN before the second candle. */
  direction: number;
  /** The stop-and-reverse price; NaN before the second candle. */
  sar: number;
  /** Extreme price of the current direction. */
  extreme: number;
  /** Acceleration factor. */
  speed: number;
  /** Prices of the newest candle; `highBefore` and `lowBefore` are those of the previous one. */
  close: number;
  high: number;
  low: number;
  highBefore: number;
  lowBefore: number;
}

export function psarInit(step: number, max: number): Psar {
  return {
    step,
    max,
    direction: Number.NaN,
    sar: Number.NaN,
    extreme: Number.NaN,
    speed: step,
    close: Number.NaN,
    high: Number.NaN,
    low: Number.NaN,
    highBefore: Number.NaN,
    lowBefore: Number.NaN,
  };
}

/** Computes Wilder's parabolic SAR. @returns the price, NaN for the first candle @see docs/indicators.md#parabolic-sar */
export function psarNext(psar: Psar, high: number, low: number, close: number): number {
  if (Number.isNaN(psar.direction)) begin(psar, high, low, close);
  else advance(psar, high, low);
  psar.highBefore = psar.high;
  psar.lowBefore = psar.low;
  psar.high = high;
  psar.low = low;
  psar.close = close;
  return psar.sar;
}

/** Sets the direction from the second candle. */
function begin(psar: Psar, high: number, low: number, close: number): void {
  if (Number.isNaN(psar.close)) return;
  const up = close >= psar.close;
  psar.direction = up ? 1 : -1;
  psar.sar = up ? psar.low : psar.high;
  psar.extreme = up ? Math.max(psar.high, high) : Math.min(psar.low, low);
}

function advance(psar: Psar, high: number, low: number): void {
  psar.sar += psar.speed * (psar.extreme - psar.sar);
  if (psar.direction === 1) {
    psar.sar = Math.min(psar.sar, psar.low, psar.lowBefore);
    if (low < psar.sar) flip(psar, low);
    else if (high > psar.extreme) followTrend(psar, high);
  } else {
    psar.sar = Math.max(psar.sar, psar.high, psar.highBefore);
    if (high > psar.sar) flip(psar, high);
    else if (low < psar.extreme) followTrend(psar, low);
  }
}

/** Stores a new extreme price and increases the acceleration factor. */
function followTrend(psar: Psar, extreme: number): void {
  psar.extreme = extreme;
  psar.speed = Math.min(psar.max, psar.speed + psar.step);
}

function flip(psar: Psar, extreme: number): void {
  psar.direction = -psar.direction;
  psar.sar = psar.extreme;
  psar.extreme = extreme;
  psar.speed = psar.step;
}
