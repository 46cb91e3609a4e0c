import type { CandleColumns } from '../market/candle.ts';

/**
 * Returns the buy-and-hold result in percent, without fees; 0 without candles. The start capital is split equally over all pairs
 * at their first open and held to the last close.
 *
 * @see docs/accounting.md#figures-of-a-bot
 */
export function buyAndHold(candles: readonly CandleColumns[]): number {
  const results = candles.flatMap(({ open, close, length }) => {
    const first = open[0] ?? 0;
    return first > 0 ? [(close[length - 1] as number) / first - 1] : [];
  });
  return results.length === 0 ? 0 : (100 * results.reduce((sum, result) => sum + result, 0)) / results.length;
}
