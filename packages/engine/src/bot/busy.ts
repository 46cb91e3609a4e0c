import type { PairState } from './state.ts';

/** Whether a pair holds a position or has an open order. @see options.md 2.1 (F), 4.2 max_watch_size */
export function isBusy({ position, entry, exit, stop, rungs }: PairState): boolean {
  return position !== null || entry !== null || exit !== null || stop !== null || rungs.length > 0;
}

/** Whether a pair is followed and shown: one that was taken out of `watch_pairs` is until it is flat. @see options.md 4.2 */
export function isWatched(pair: PairState): boolean {
  return pair.flag !== 'removed' || isBusy(pair);
}
