import type { CandleBar } from '@heron/contract/bots/entities.ts';
import type { Part } from '@heron/engine/strategies/custom/part.ts';
import { PART_KINDS, type PartKind } from '@heron/engine/strategies/custom/partKinds.ts';
import { partSeries } from '@heron/engine/strategies/custom/partSeries.ts';
import { type Series, valueOrNull } from '@heron/engine/strategies/strategy.ts';

/** Indicators of the engine over the candles of a chart. */
export interface IndicatorRun {
  /** Named `part.output`. */
  readonly series: readonly Series[];
  /** Values of `series` by candle; null where an indicator is undefined yet. */
  readonly rows: (readonly (number | null)[])[];
  /** Computes the values of candles that are new or have changed. The newest candle may change; all before it are closed. */
  follow(candles: readonly CandleBar[]): void;
}

/** Creates a run of indicators. Parts with an unknown indicator must be left out. */
export function createIndicatorRun(parts: readonly Pick<Part, 'name' | 'indicator' | 'input'>[]): IndicatorRun {
  const members = parts.map((part) => ({ ...part, kind: PART_KINDS.get(part.indicator) as PartKind }));
  const series = members.flatMap(partSeries);
  const rows: (readonly (number | null)[])[] = [];
  const start = () => members.map(({ kind, input }) => kind.init(input));
  /** States after the first `settled` candles, of which `first` and `last` are the open times. */
  let states = start();
  let settled = 0;
  let first = Number.NaN;
  let last = Number.NaN;

  function next(at: readonly unknown[], candle: CandleBar): readonly (number | null)[] {
    const values = new Array<number>(series.length).fill(Number.NaN);
    let place = 0;
    for (const [index, { kind }] of members.entries()) {
      kind.next(at[index], candle, values, place);
      place += kind.outputs.length;
    }
    return values.map(valueOrNull);
  }

  return {
    series,
    rows,
    follow(candles) {
      if (series.length === 0) return;
      const isSame = candles[0]?.time === first && candles[settled - 1]?.time === last;
      if (!isSame) {
        states = start();
        settled = 0;
      }
      rows.length = settled;
      for (; settled < candles.length - 1; settled++) rows[settled] = next(states, candles[settled] as CandleBar);
      first = candles[0]?.time ?? Number.NaN;
      last = candles[settled - 1]?.time ?? Number.NaN;
      const newest = candles[settled];
      // The newest candle may change, so its states are not kept.
      if (newest !== undefined) rows[settled] = next(structuredClone(states), newest);
    },
  };
}
