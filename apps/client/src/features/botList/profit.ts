import type { BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import { isAtRest } from '../../entities/bot/isStopped.ts';
import { differenceOf } from '../../lib/decimal.ts';

/** Profit of a bot since it began, exact. */
export function profitOf({ performance }: BotSummary): string {
  return differenceOf(performance.totalCapital, performance.startCapital);
}

/**
 * Profit of a bot since the moment that was asked for, exact.
 *
 * @param recent undefined for a bot that had not been seen at work when it was asked for
 * @returns null while it is not known: it has been at work since
 */
export function today(bot: BotSummary, recent: RecentProfit | undefined): string | null {
  if (recent) return differenceOf(profitOf(bot), recent.before);
  return isAtRest(bot.status) ? '0' : null;
}
