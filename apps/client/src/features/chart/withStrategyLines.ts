import type { CandleHistory } from '@heron/contract/bots/entities.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { completeParams } from '@heron/engine/strategies/completeParams.ts';
import { valueOrNull } from '@heron/engine/strategies/strategy.ts';

/**
 * Returns candles with the lines of a strategy, computed by the strategy itself as a bot does.
 *
 * @param chosen null, an unknown strategy or invalid parameters leave the candles without lines
 */
export function withStrategyLines(
  history: CandleHistory,
  chosen: { readonly id: string; readonly params: Readonly<Record<string, unknown>> } | null,
): CandleHistory {
  const strategy = STRATEGIES.get(chosen?.id ?? '');
  const completed = strategy && completeParams(strategy, chosen?.params ?? {});
  if (strategy === undefined || !completed?.ok) return { ...history, series: [] };
  const { params } = completed;
  const run = strategy.run(params, strategy.init(params));
  const series = strategy.series(params).map((each) => ({ ...each, values: [] as (number | null)[] }));
  const { open, high, low, close, volume } = history;
  for (const row of history.time.keys()) {
    // The columns of a history have the same length.
    const at = (column: readonly number[]) => column[row] as number;
    const { values } = run.onCandle(at(open), at(high), at(low), at(close), at(volume));
    for (const [place, each] of series.entries()) each.values.push(valueOrNull(values[place] as number));
  }
  return { ...history, series };
}
