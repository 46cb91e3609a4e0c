import type { PositionSpan } from '../../entities/bot/slots.ts';
import type { CandleTable } from './candleTable.ts';

/** Returns the candles of entry and exit; null when the position ended before the oldest candle. */
export function spanRows(
  { candles }: Pick<CandleTable, 'candles'>,
  { from, to }: Pick<PositionSpan, 'from' | 'to'>,
): { readonly from: number; readonly to: number } | null {
  const rowAt = (at: number) => candles.findLastIndex(({ time }) => time <= at);
  const last = rowAt(to);
  return last === -1 ? null : { from: Math.max(0, rowAt(from)), to: last };
}
