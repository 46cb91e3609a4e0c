import type { Bot } from './bot.ts';

/** Percent of the limit at which a pair that fell below it may enter again, so that entries do not switch on and off at the limit. */
const RETURN_PERCENT = 110;

/** Returns the volume that a pair needs to enter, in whole units of the quote currency. @param low it was too low before */
export function neededVolume({ state }: Bot, low: boolean): number {
  const { product_min_volume: limit } = state.options;
  return low ? (limit * RETURN_PERCENT) / 100 : limit;
}
