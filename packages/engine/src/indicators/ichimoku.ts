import { decimalOf } from './decimalWindow.ts';
import { type Delay, delayInit, delayNext } from './delay.ts';
import { type Extreme, extremeInit, highestNext, lowestNext } from './extreme.ts';

/** State of `(highest high + lowest low)/2` over a length. */
interface Line {
  highs: Extreme;
  lows: Extreme;
}

export interface Ichimoku {
  tenkanLine: Line;
  kijunLine: Line;
  spanLine: Line;
  displacedA: Delay;
  displacedB: Delay;
  /** Newest values; NaN while undefined. The spans are the cloud at the current candle. */
  tenkan: number;
  kijun: number;
  spanA: number;
  spanB: number;
}

export function ichimokuInit(tenkan: number, kijun: number, spanB: number, displacement: number): Ichimoku {
  return {
    tenkanLine: lineInit(tenkan),
    kijunLine: lineInit(kijun),
    spanLine: lineInit(spanB),
    displacedA: delayInit(displacement),
    displacedB: delayInit(displacement),
    tenkan: Number.NaN,
    kijun: Number.NaN,
    spanA: Number.NaN,
    spanB: Number.NaN,
  };
}

/** Computes Ichimoku, with both spans delayed by `displacement` candles. @see docs/indicators.md#ichimoku */
export function ichimokuNext(ichimoku: Ichimoku, high: number, low: number): void {
  ichimoku.tenkan = lineNext(ichimoku.tenkanLine, high, low);
  ichimoku.kijun = lineNext(ichimoku.kijunLine, high, low);
  ichimoku.spanA = delayNext(ichimoku.displacedA, decimalOf(ichimoku.tenkan + ichimoku.kijun) / 2);
  ichimoku.spanB = delayNext(ichimoku.displacedB, lineNext(ichimoku.spanLine, high, low));
}

function lineInit(length: number): Line {
  return { highs: extremeInit(length), lows: extremeInit(length) };
}

function lineNext(line: Line, high: number, low: number): number {
  return decimalOf(highestNext(line.highs, high) + lowestNext(line.lows, low)) / 2;
}
