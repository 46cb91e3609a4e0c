import { ALL } from '../orders/planFills.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { neededVolume } from '../state/neededVolume.ts';
import type { TradedVolume } from '../state/tradedVolume.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Applies the 24h volume of a pair. Below `product_min_volume` the pair makes no entries until the volume is 10 % above
 * the limit; its exits continue.
 *
 * @param value in whole units of the quote currency; null where the exchange gives none, which changes nothing
 * @see docs/paper.md#volume
 */
export function onVolumeUpdate({ bot, pair, at }: Turn, value: number | null): void {
  if (value === null || !Number.isFinite(value)) return;
  const limit = neededVolume(bot, pair.volume?.low === true);
  judge(bot, pair, { at, value, low: value < limit }, limit);
}

/** Compares the volumes known with a limit that was changed, as if no pair had been below it before. */
export function judgeVolumes(bot: Bot, at: number): void {
  const limit = neededVolume(bot, false);
  for (const pair of bot.state.pairs) {
    if (pair.volume !== null) judge(bot, pair, { ...pair.volume, low: pair.volume.value < limit }, limit, at);
  }
}

/** @param limit that `next` was compared with */
function judge(bot: Bot, pair: PairState, next: TradedVolume, limit: number, at = next.at): void {
  const wasLow = pair.volume?.low === true;
  pair.volume = next;
  if (next.low === wasLow) return;
  // The entries of a plan are cancelled at the next quote, or placed again.
  if (pair.orderPlan !== null) pair.dirtyOrders = ALL;
  bot.observer.volume(at, pair, next.low, { volume24h: next.value, limit });
}
