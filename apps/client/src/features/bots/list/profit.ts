import type { BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import { differenceOf } from '../../../lib/decimal.ts';

/** Profit of a bot since it began, exact. */
export function profitOf({ performance }: BotSummary): string {
  return differenceOf(performance.totalCapital, performance.startCapital);
}

/** Profit of a bot since the moment that was asked for, exact. One that was never seen at work has none. */
export function today(bot: BotSummary, recent: RecentProfit | undefined): string {
  return recent === undefined ? '0' : differenceOf(profitOf(bot), recent.before);
}
