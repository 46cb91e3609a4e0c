import type { BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import { isStopped } from '@heron/contract/bots/isStopped.ts';
import { MONEY_KINDS, moneyAt } from '../../entities/bot/moneyAt.ts';
import { today } from './profit.ts';

/** Lists the orders of the list of bots. */
export const BOT_ORDERS = ['running', 'newest', 'today', 'return', 'name'] as const;
export type BotOrder = (typeof BOT_ORDERS)[number];

/** Lists the filters of the list of bots. */
export const BOT_KINDS = ['all', 'running', 'atRest', ...MONEY_KINDS] as const;
export type BotKind = (typeof BOT_KINDS)[number];

/** Describes the order and the filters of a list of bots. */
export interface Arrangement {
  readonly order: BotOrder;
  readonly kind: BotKind;
  /** Part of a name, a pair or an exchange. */
  readonly search: string;
}

/**
 * Returns the filtered and sorted bots. Among equal ones the newest is first.
 *
 * @param recent by bot; null while unknown
 * @param language language of the names
 */
export function arranged(
  bots: readonly BotSummary[],
  { order, kind, search }: Arrangement,
  recent: ReadonlyMap<string, RecentProfit> | null,
  language: string,
): BotSummary[] {
  const names = new Intl.Collator(language, { numeric: true });
  // The profit is relative to the capital, because amounts of two currencies cannot be compared.
  const day = (bot: BotSummary) => {
    const start = Number(bot.performance.startCapital);
    return recent === null || start === 0 ? 0 : Number(today(bot, recent.get(bot.id))) / start;
  };
  const firsts: Record<BotOrder, (a: BotSummary, b: BotSummary) => number> = {
    running: (a, b) => Number(isStopped(a.status)) - Number(isStopped(b.status)),
    newest: () => 0,
    today: (a, b) => day(b) - day(a),
    return: (a, b) => b.performance.profitPercent - a.performance.profitPercent,
    name: (a, b) => names.compare(a.name, b.name),
  };
  return bots
    .filter((bot) => isOf(bot, kind) && isFound(bot, search))
    .sort((a, b) => firsts[order](a, b) || b.createdAt - a.createdAt);
}

/** Returns the kinds that match some but not all of the bots; a choice between others would change nothing. */
export function kindsAmong(bots: readonly BotSummary[]): BotKind[] {
  return BOT_KINDS.filter((kind) => {
    const found = bots.filter((bot) => isOf(bot, kind)).length;
    return kind === 'all' || (found > 0 && found < bots.length);
  });
}

function isOf(bot: BotSummary, kind: BotKind): boolean {
  if (kind === 'all') return true;
  if (kind === 'running' || kind === 'atRest') return isStopped(bot.status) === (kind === 'atRest');
  return moneyAt(bot) === kind;
}

function isFound({ name, venue, pairs }: BotSummary, search: string): boolean {
  const sought = search.trim().toLocaleLowerCase();
  return [name, venue, ...pairs].some((text) => text.toLocaleLowerCase().includes(sought));
}
