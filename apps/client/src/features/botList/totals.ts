import type { BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import { MONEY_KINDS, moneyAt } from '../../entities/bot/moneyAt.ts';
import { differenceOf, sumOf } from '../../lib/decimal.ts';
import { today } from './profit.ts';

/** Sums over bots that trade with the same money in the same currency; exact decimals. */
export interface Totals {
  /** Any of the bots. */
  readonly of: BotSummary;
  readonly total: string;
  readonly profit: string;
  /** Null while it is not known of one of them. */
  readonly today: string | null;
  readonly profitPercent: number;
}

/**
 * Sums by what is traded with and by currency: paper is never added to money, nor one currency to another.
 *
 * @param recent by bot; null while it is not known
 */
export function totalsOf(bots: readonly BotSummary[], recent: ReadonlyMap<string, RecentProfit> | null): Totals[] {
  const groups = new Map<string, BotSummary[]>();
  for (const bot of bots) {
    const name = `${MONEY_KINDS.indexOf(moneyAt(bot))} ${bot.performance.currency}`;
    groups.set(name, [...(groups.get(name) ?? []), bot]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, own]) => {
      const [of] = own;
      if (of === undefined) return [];
      const total = sumOf(own.map(({ performance }) => performance.totalCapital));
      const start = sumOf(own.map(({ performance }) => performance.startCapital));
      const profit = differenceOf(total, start);
      const profitPercent = Number(start) > 0 ? (100 * Number(profit)) / Number(start) : 0;
      const days = own.map((bot) => recent && today(bot, recent.get(bot.id)));
      return { of, total, profit, profitPercent, today: days.every((day) => day !== null) ? sumOf(days) : null };
    });
}
