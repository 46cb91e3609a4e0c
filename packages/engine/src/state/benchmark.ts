import type { BotState, PairState } from './botState.ts';

/** Starts the comparison with buying and holding the watched pairs. */
export function beginBenchmark(state: BotState): void {
  state.benchmark = state.pairs
    .filter(({ flag }) => flag !== 'currency' && flag !== 'watch_limit' && flag !== 'removed')
    .map(({ pair }) => ({ pair, first: 0, last: 0 }));
}

/** Stores the price of a pair at its first quote. */
export function followBenchmark({ benchmark }: BotState, { pair, mark }: PairState): void {
  if (benchmark === null || mark <= 0) return;
  for (const row of benchmark) if (row.first === 0 && row.pair === pair) row.first = mark;
}

/** Stores the last prices of pairs that may leave the list, because buying and holding would still hold them. */
export function saveBenchmarkPrices({ benchmark, pairs }: BotState): void {
  for (const row of benchmark ?? []) {
    const mark = pairs.find(({ pair }) => pair === row.pair)?.mark ?? 0;
    if (mark > 0) row.last = mark;
  }
}

/**
 * Returns what the start capital would have gained since, split equally over the pairs watched at the start and held
 * without fees; percent. Null before the first quote, and for an account of an older version.
 *
 * @see docs/accounting.md#figures-of-a-bot
 */
export function benchmarkPercent({ benchmark, pairs }: BotState): number | null {
  const gains = (benchmark ?? []).flatMap(({ pair, first, last }) => {
    if (first === 0) return [];
    const mark = pairs.find((candidate) => candidate.pair === pair)?.mark ?? 0;
    return [(100 * ((mark || last || first) - first)) / first];
  });
  return gains.length === 0 ? null : gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
}
