import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';

/** Returns the newest quote of a pair; null when it is too old or has no price. */
export function usableQuote(bot: Bot, pair: PairState, at: number) {
  const quote = pair.quote;
  if (quote === null || at - quote.at > Math.max(10_000, 2 * bot.rules.scanMs)) return null;
  return (quote.bid > 0 && quote.ask > 0) || quote.last > 0 ? quote : null;
}
