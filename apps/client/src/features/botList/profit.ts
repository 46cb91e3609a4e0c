import type { BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import { isStopped } from '@heron/contract/bots/isStopped.ts';
import { differenceOf } from '@heron/engine/money/decimalText.ts';

/** Returns the profit of a bot since its start, exact. */
export function profitOf({ performance }: BotSummary): string {
  return differenceOf(performance.totalCapital, performance.startCapital);
}

/**
 * Returns the profit of a bot since the requested time, exact.
 *
 * @param recent undefined for a bot that had not run before the request
 * @returns null while unknown, because the bot has been started since
 */
export function today(bot: BotSummary, recent: RecentProfit | undefined): string | null {
  if (recent) return differenceOf(profitOf(bot), recent.before);
  return isStopped(bot.status) ? '0' : null;
}
