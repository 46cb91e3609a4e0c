import type { CandleBar } from '@heron/contract/bots/entities.ts';
import { PART_KINDS } from '@heron/engine/strategies/custom/partKinds.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withPart } from '../../entities/bot/setup/ruleParts.ts';
import { createIndicatorRun } from './indicatorRun.ts';

const MINUTE = 60_000;
const bar = (row: number, close: number): CandleBar => {
  return { time: row * MINUTE, open: close, high: close + 1, low: close - 1, close, volume: 5 };
};
const bars = (closes: readonly number[], from = 0) => closes.map((close, row) => bar(from + row, close));
const EVERY = [...PART_KINDS.keys()].reduce((parts, indicator) => withPart(parts, indicator), withPart([], 'sma'));

/** Returns the values of a fresh run. */
function fresh(candles: readonly CandleBar[]) {
  const run = createIndicatorRun(EVERY);
  run.follow(candles);
  return run.rows;
}

describe('indicators over the candles of a chart', () => {
  test('are those of the engine', () => {
    const run = createIndicatorRun([{ name: 'mean', indicator: 'sma', input: { length: 3 } }]);
    run.follow(bars([1, 2, 3, 7]));
    expect(run.series).toEqual([{ name: 'mean.value', pane: 'main', kind: 'line' }]);
    expect(run.rows).toEqual([[null], [null], [2], [4]]);
  });

  type What = 'form' | 'add' | 'older' | 'cut';

  /** Changes the candles of a chart as the market and its user do. */
  function move(candles: CandleBar[], what: What, close: number): void {
    const oldest = (candles[0]?.time ?? 1_000 * MINUTE) / MINUTE;
    const newest = (candles.at(-1)?.time ?? 999 * MINUTE) / MINUTE;
    const moves: Record<What, () => void> = {
      form: () => candles.splice(-1, 1, bar(newest, close)),
      add: () => candles.push(bar(newest + 1, close)),
      older: () => candles.unshift(bar(oldest - 1, close)),
      cut: () => candles.splice(0, 2),
    };
    moves[what]();
  }

  test('follow a forming candle, new ones, older ones and a cut as if computed again', () => {
    const what = fc.constantFrom<What>('form', 'form', 'add', 'add', 'older', 'cut');
    const moves = fc.array(fc.record({ what, close: fc.integer({ min: 1, max: 99 }) }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(moves, fc.integer({ min: 0, max: 90 }), (all, count) => {
        const run = createIndicatorRun(EVERY);
        const candles = bars(
          Array.from({ length: count }, (_, row) => 10 + (row % 7)),
          1_000,
        );
        run.follow(candles);
        for (const each of all) {
          move(candles, each.what, each.close);
          run.follow(candles);
        }
        expect(run.rows).toEqual(fresh(candles));
      }),
      { numRuns: 60 },
    );
  });
});
