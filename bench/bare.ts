import type { CandleColumns } from '@heron/engine/market/candle.ts';

/** Result of a bare loop. */
export interface BareResult {
  readonly fills: number;
  /** Money and holding at the last close, in quote. */
  readonly end: number;
}

const CAPITAL = 10_000;
const SHARE = 0.01;
const FEE = 0.001;
const SLIPPAGE = 0.00045;
/** Entries are sized at the worst price they accept. */
const WORST = 1.005;
const HALF_HOUR = 1_800_000;

/**
 * The least work that an EMA cross with a fee, slippage and an equity curve needs. One loop over Float64Array, without
 * orders, ledger, tick sizes or reasons; signals at the close, fills at the next open.
 *
 * @param warmup candles before the first entry
 * @param equity receives the curve, one value a candle, so that no memory is allocated
 */
export function bareEmaCross(
  candles: CandleColumns,
  fast: number,
  slow: number,
  warmup: number,
  equity: Float64Array,
): BareResult {
  const { length, open, close } = candles;
  const fastWeight = 2 / (fast + 1);
  const slowWeight = 2 / (slow + 1);
  let fastMean = 0;
  let slowMean = 0;
  let above = false;
  let cash = CAPITAL;
  let held = 0;
  /** Above 0 to buy at the next open, below 0 to sell what is held. */
  let wanted = 0;
  let fills = 0;
  for (let i = 0; i < length; i++) {
    const first = open[i] as number;
    const last = close[i] as number;
    if (wanted > 0) {
      cash -= wanted * first * (1 + SLIPPAGE);
      held = wanted * (1 - FEE);
      wanted = 0;
      fills += 1;
    } else if (wanted < 0) {
      cash += held * first * (1 - SLIPPAGE) * (1 - FEE);
      held = 0;
      wanted = 0;
      fills += 1;
    }
    fastMean += i < fast ? (last - fastMean) / (i + 1) : fastWeight * (last - fastMean);
    slowMean += i < slow ? (last - slowMean) / (i + 1) : slowWeight * (last - slowMean);
    const before: boolean = above;
    above = fastMean > slowMean;
    if (above !== before && i + 1 >= warmup) {
      if (!above) wanted = held > 0 ? -1 : 0;
      else if (held === 0) wanted = (cash * SHARE) / (1 + FEE) / (last * WORST);
    }
    equity[i] = cash + held * last;
  }
  return { fills, end: equity[length - 1] as number };
}

/**
 * The same for MACD 12/26/9, which also sells when an RSI of 25 reaches 70, on half-hour candles built from one-minute
 * candles.
 *
 * @param warmup half-hour candles before the first entry
 * @param equity receives the curve, one value a half hour
 */
export function bareMacdHalfHours(candles: CandleColumns, warmup: number, equity: Float64Array): BareResult {
  const { length, time, open, close } = candles;
  let start = Math.floor((time[0] as number) / HALF_HOUR) * HALF_HOUR;
  let first = open[0] as number;
  let seen = 0;
  let fast = 0;
  let slow = 0;
  let signal = 0;
  let signals = 0;
  let histogram = Number.NaN;
  let gain = 0;
  let loss = 0;
  let previous = 0;
  let cash = CAPITAL;
  let held = 0;
  let wanted = 0;
  let fills = 0;
  for (let i = 0; i < length; i++) {
    const next = i + 1 < length ? (time[i + 1] as number) : start + HALF_HOUR;
    if (next < start + HALF_HOUR) continue;
    const last = close[i] as number;
    if (wanted > 0) {
      cash -= wanted * first * (1 + SLIPPAGE);
      held = wanted * (1 - FEE);
      wanted = 0;
      fills += 1;
    } else if (wanted < 0) {
      cash += held * first * (1 - SLIPPAGE) * (1 - FEE);
      held = 0;
      wanted = 0;
      fills += 1;
    }
    fast += seen < 12 ? (last - fast) / (seen + 1) : (2 / 13) * (last - fast);
    slow += seen < 26 ? (last - slow) / (seen + 1) : (2 / 27) * (last - slow);
    if (seen > 0) {
      const change = last - previous;
      const weight = 1 / Math.min(seen, 25);
      gain += weight * ((change > 0 ? change : 0) - gain);
      loss += weight * ((change < 0 ? -change : 0) - loss);
    }
    previous = last;
    const before = histogram;
    if (seen >= 25) {
      const line = fast - slow;
      signal += signals < 9 ? (line - signal) / (signals + 1) : 0.2 * (line - signal);
      signals += 1;
      if (signals >= 9) histogram = line - signal;
    }
    seen += 1;
    if (seen >= warmup) {
      const leave = (before >= 0 && histogram < 0) || 100 - 100 / (1 + gain / loss) >= 70;
      if (leave) wanted = held > 0 ? -1 : 0;
      else if (before <= 0 && histogram > 0 && held === 0) wanted = (cash * SHARE) / (1 + FEE) / (last * WORST);
    }
    equity[seen - 1] = cash + held * last;
    if (i + 1 < length) {
      start = Math.floor(next / HALF_HOUR) * HALF_HOUR;
      first = open[i + 1] as number;
    }
  }
  return { fills, end: equity[seen - 1] as number };
}
