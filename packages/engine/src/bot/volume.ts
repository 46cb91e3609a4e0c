import { ALL } from '../orders/planFills.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';

/** The 24h volume that the exchange reported last, and whether it is too low for entries. */
export interface TradedVolume {
  /** When the exchange reported it, ms. */
  at: number;
  /** In whole units of the quote currency. */
  value: number;
  /** The pair may not enter until its volume has recovered. */
  low: boolean;
}

/** Percent of the limit at which a pair that fell below it may enter again, so that entries do not switch on and off at the limit. */
const RETURN_PERCENT = 110;

/**
 * Applies the 24h volume of a pair. Below `product_min_volume` the pair makes no entries until the volume is 10 % above
 * the limit; its exits continue.
 *
 * @param value in whole units of the quote currency; null where the exchange gives none, which changes nothing
 * @see docs/paper.md#volume
 */
export function onVolumeUpdate(bot: Bot, index: number, value: number | null, at: number): void {
  const pair = bot.state.pairs[index];
  if (pair === undefined || value === null || !Number.isFinite(value)) return;
  const wasLow = pair.volume?.low === true;
  judge(bot, pair, { at, value, low: value < neededVolume(bot, wasLow) });
}

/** Compares the volumes known with a limit that was changed, as if no pair had been below it before. */
export function judgeVolumes(bot: Bot, at: number): void {
  for (const pair of bot.state.pairs) {
    if (pair.volume === null) continue;
    const { value } = pair.volume;
    judge(bot, pair, { ...pair.volume, low: value < neededVolume(bot, false) }, at);
  }
}

/** Volume from which on a pair may enter, in whole units of the quote currency. @param low whether it was too low before */
export function neededVolume({ state }: Bot, low: boolean): number {
  const { product_min_volume: limit } = state.options;
  return low ? (limit * RETURN_PERCENT) / 100 : limit;
}

function judge(bot: Bot, pair: PairState, next: TradedVolume, at = next.at): void {
  const wasLow = pair.volume?.low === true;
  pair.volume = next;
  if (next.low === wasLow) return;
  // Orders of a ladder that would enter are cancelled at the next quote, or placed again.
  if (pair.ladder !== null) pair.ladderDue = ALL;
  bot.observer.volume(at, pair, next.low, { volume24h: next.value, limit: neededVolume(bot, wasLow) });
}
