import type { BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import { differenceOf, sumOf } from '@heron/engine/money/decimalText.ts';
import { MONEY_KINDS, moneyAt } from '../../entities/bot/moneyAt.ts';
import { today } from './profit.ts';

/** Holds sums over bots with the same kind of money and the same currency; exact decimals. */
export interface Totals {
  /** Any bot of the group; it gives kind of money and currency. */
  readonly of: BotSummary;
  readonly total: string;
  readonly profit: string;
  /** Null while the profit of any of the bots is unknown. */
  readonly today: string | null;
  readonly profitPercent: number;
}

/**
 * Returns sums by kind of money and currency. Paper and live, and two currencies, are never added.
 *
 * @param recent by bot; null while unknown
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
