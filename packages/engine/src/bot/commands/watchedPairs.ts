import { parsePairs } from '../../options/pairs.ts';
import { type BotState, newPair, type PairState, watchFlag } from '../../state/botState.ts';
import { isBusy } from '../../state/pairActivity.ts';
import { strategyOf } from '../../strategies/catalogue.ts';

/**
 * Returns the pairs of a bot by its present options. Pairs with a position or an open order are always followed, then
 * `watch_pairs` in order up to the limit. A removed pair stays, marked so, if it has a position or a result.
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
      // A pair that returns before it was flat was followed all the time.
      if (pair.flag === 'removed' || pair.flag === 'watch_limit') pair.flag = null;
      return pair;
    }
    const flag = watchFlag(name, followed, options);
    if (flag === 'loading') followed += 1;
    const loaded = pair.flag === null || pair.flag === 'unknown';
    if (flag !== 'loading' || !loaded) pair.flag = flag;
    return pair;
  });
  const unwatched = state.pairs
    .filter(({ pair }) => !names.includes(pair))
    .filter((pair) => isBusy(pair) || hasHistory(pair));
  for (const pair of unwatched) pair.flag = 'removed';
  return [...watched, ...unwatched];
}

function hasHistory({ holding: { quantity, realised, fees, funding } }: PairState): boolean {
  return quantity !== 0 || realised !== 0 || fees !== 0 || funding !== 0;
}
