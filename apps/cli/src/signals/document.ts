import type { CandleColumns } from '@heron/engine/market/candle.ts';
import { FLAG_BITS } from '@heron/engine/strategies/flags.ts';
import { type Params, type Strategy, valueOrNull } from '@heron/engine/strategies/strategy.ts';

export const FLAGS = ['enterLong', 'exitLong', 'enterShort', 'exitShort'] as const satisfies (keyof typeof FLAG_BITS)[];

type Flag = (typeof FLAGS)[number];

/** Signals of a strategy. Each flag lists the indices of the candles that raise it. */
export interface SignalsDocument extends Record<Flag, number[]> {
  /** Open time of each candle, ms. */
  time: number[];
  /** Values of the strategy's series by name, one per candle; null while undefined. */
  values: Record<string, (number | null)[]>;
}

/**
 * Runs a strategy over candles.
 *
 * @param warmup number of candles whose flags do not count; their values do
 */
export function signalsDocument(
  candles: CandleColumns,
  strategy: Strategy,
  params: Params,
  warmup: number,
): SignalsDocument {
  const run = strategy.run(params, strategy.init(params));
  const document: SignalsDocument = {
    time: Array.from(candles.time),
    enterLong: [],
    exitLong: [],
    enterShort: [],
    exitShort: [],
    values: {},
  };
  const columns = strategy.series(params).map(({ name }) => {
    const column: (number | null)[] = [];
    document.values[name] = column;
    return column;
  });
  for (let i = 0; i < candles.length; i++) {
    const signal = run.onCandle(
      candles.open[i] as number,
      candles.high[i] as number,
      candles.low[i] as number,
      candles.close[i] as number,
      candles.volume[i] as number,
    );
    columns.forEach((column, at) => {
      column.push(valueOrNull(signal.values[at] as number));
    });
    // The candle that completes the warm-up is the first that counts.
    if (i + 1 < warmup) continue;
    for (const flag of FLAGS) if ((signal.flags & FLAG_BITS[flag]) !== 0) document[flag].push(i);
  }
  return document;
}
