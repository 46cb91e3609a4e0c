import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addPart, type ColumnParts, joinedColumns } from './columnParts.ts';
import { mergedColumns } from './mergedColumns.ts';

/** Candles at the given minutes, with prices that name where they are from. */
function columnsOf(minutes: readonly number[], price: number): CandleColumns {
  const columns = candleColumns(minutes.length);
  minutes.forEach((minute, i) => {
    columns.time[i] = minute * 60_000;
    for (const name of ['open', 'high', 'low', 'close'] as const) columns[name][i] = price;
  });
  return columns;
}

const SOURCE = fc
  .tuple(fc.uniqueArray(fc.nat(200), { minLength: 0, maxLength: 30 }), fc.integer({ min: 1, max: 3 }))
  .map(([minutes, price]) =>
    columnsOf(
      minutes.sort((a, b) => a - b),
      price,
    ),
  );

describe('parts of columns', () => {
  test('equal a merge of one source after the other, with the same counts', () => {
    fc.assert(
      fc.property(fc.array(SOURCE, { maxLength: 12 }), (sources) => {
        const parts: ColumnParts = [];
        let whole = candleColumns(0);
        for (const source of sources) {
          const { candles, added, changed } = mergedColumns(whole, source);
          expect(addPart(parts, source)).toEqual({ added, changed });
          whole = candles;
        }
        expect(joinedColumns(parts)).toEqual(whole);
      }),
    );
  });

  test('are not copied again by sources that do not overlap them, in any order', () => {
    const parts: ColumnParts = [];
    const seen = new Set<CandleColumns>();
    const days = [5, 1, 9, 3, 7, 2, 8, 4, 6, 0];
    for (const day of days) {
      addPart(parts, columnsOf([10 * day, 10 * day + 9], 1));
      for (const part of parts) seen.add(part);
    }
    // Every part was made once: none of the earlier ones was made again by a later source.
    expect(seen.size).toBe(days.length);
    expect(parts.map(({ time }) => time[0])).toEqual([...days].sort((a, b) => a - b).map((day) => 600_000 * day));
  });
});
