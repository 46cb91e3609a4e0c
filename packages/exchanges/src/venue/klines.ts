import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';

/** Reads candles of Binance or MEXC: `[[1499040000000,"0.01","0.02","0.01","0.015","148.9",…],…]`. @throws TypeError */
export function candlesIn(answer: unknown): ClosedCandle[] {
  if (!Array.isArray(answer)) throw new TypeError('no list');
  return answer.map((row: unknown) => {
    const [time, open, high, low, close, volume] = (Array.isArray(row) ? row : []).map(Number);
    const candle = { time, open, high, low, close, volume };
    if (!isComplete(candle)) throw new TypeError('no candle');
    return candle;
  });
}

function isComplete(candle: { [Field in keyof ClosedCandle]: number | undefined }): candle is ClosedCandle {
  return Object.values(candle).every((value) => Number.isFinite(value));
}
