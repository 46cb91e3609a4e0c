import { parsePairs } from '../../options/pairs.ts';
import { type BotState, newPair, type PairState, watchFlag } from '../../state/botState.ts';
import { isBusy } from '../../state/pairActivity.ts';
import { strategyOf } from '../../strategies/catalogue.ts';

/**
 * Pairs of a bot by its present options: those with a position or an open order are followed whatever they count, then
 * `watch_pairs` in order until the limit. What was taken out of the list stays, marked so, as long as it holds or has ever
 * held something: its result is part of the bot's.
 *
 * @see docs/bot-lifecycle.md#watched-pairs
 */
export function watchedPairs(state: BotState): PairState[] {
  const { options, params } = state;
  const chosen = strategyOf(options.strategy, params);
  const names = parsePairs(options.watch_pairs).pairs;
  const known = new Map(state.pairs.map((pair) => [pair.pair, pair]));
  let followed = state.pairs.filter(isBusy).length;
  const watched = names.map((name) => {
    const pair = known.get(name) ?? newPair(name, 'loading', chosen);
    if (isBusy(pair)) {
      // Taken back before it was flat: it has been followed all the time.
      if (pair.flag === 'removed' || pair.flag === 'watch_limit') pair.flag = null;
      return pair;
    }
    const flag = watchFlag(name, followed, options);
    if (flag === 'loading') followed += 1;
    const loaded = pair.flag === null || pair.flag === 'unknown';
    if (flag !== 'loading' || !loaded) pair.flag = flag;
    return pair;
  });
  const kept = state.pairs
    .filter(({ pair }) => !names.includes(pair))
    .filter((pair) => isBusy(pair) || hasHistory(pair));
  for (const pair of kept) pair.flag = 'removed';
  return [...watched, ...kept];
}

function hasHistory({ holding: { quantity, realised, fees, funding } }: PairState): boolean {
  return quantity !== 0 || realised !== 0 || fees !== 0 || funding !== 0;
}
