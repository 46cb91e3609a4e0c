import type { MarketTerms } from '@heron/contract/bots/entities.ts';
import { parseUnits } from '@heron/engine/money/units.ts';
import { type PlanPreview, type PreviewedPair, previewPlan } from '@heron/engine/preview/previewPlan.ts';
import { backtestSetup } from '../../../entities/bot/setup/backtestSetup.ts';
import type { SetupDraft, SetupEdit } from '../../../entities/bot/setup/setupDraft.ts';
import type { PlannedOrder } from '../../../entities/bot/slots.ts';

/** The rules of a market and its last price, as far as they are known. */
export interface KnownMarket {
  readonly market: MarketTerms['market'];
  /** Exact decimal. */
  readonly last: string;
}

/**
 * Returns what the draft would place now, pair by pair.
 *
 * @param capital capital of a live bot; null for the paper capital of the draft
 * @param at present time, ms
 * @returns an empty list while the draft is not valid, and for strategies without a plan of prices
 */
export function planOf(
  draft: SetupDraft,
  capital: number | null,
  markets: readonly KnownMarket[],
  at: number,
): PlanPreview[] {
  const setup = backtestSetup(draft, capital);
  const pairs = markets.flatMap(({ market, last }): PreviewedPair[] => {
    const price = parseUnits(last);
    return price === null || price <= 0 ? [] : [{ market, price }];
  });
  return setup === null || pairs.length === 0 ? [] : previewPlan(setup, pairs, at);
}

/** Returns the orders of a plan for lines on a chart: entries, and exits of what is bought at once. */
export function linesOf({ rows }: PlanPreview): PlannedOrder[] {
  return rows.flatMap((row): PlannedOrder[] => {
    const long = row.direction === 'long';
    if (row.enters === 'order') return [{ side: long ? 'buy' : 'sell', price: row.price }];
    if (row.enters === 'base') return [{ side: long ? 'sell' : 'buy', price: row.exit }];
    return [];
  });
}

/** Returns the amount with which every pair of some plans would get the same, in whole units; null where they do already. */
export function equalAmount(previews: readonly PlanPreview[]): number | null {
  const budgets = previews.map(({ budget }) => Number(budget ?? 0));
  const sum = budgets.reduce((total, budget) => total + budget, 0);
  const equal = Math.floor(sum / budgets.length);
  return budgets.length > 1 && equal > 0 && budgets.some((budget) => Math.abs(budget - equal) >= 1) ? equal : null;
}

/** Returns the edit that gives every pair `amount`: all of the free cash, but at most this amount for one entry. */
export function equalEdit({ texts }: SetupDraft, amount: number): SetupEdit {
  const short = Number(texts.short_buy_pct ?? 0) > 0 ? { short_buy_pct: '100' } : {};
  return { texts: { buy_pct: '100', ...short, max_buy_size: String(amount) } };
}

/** Returns lowest and highest price of the newest `days` daily candles; null without any. */
export function rangeOf(
  { low, high }: { readonly low: readonly number[]; readonly high: readonly number[] },
  days: number,
): { lower: number; upper: number } | null {
  if (low.length === 0) return null;
  return { lower: Math.min(...low.slice(-days)), upper: Math.max(...high.slice(-days)) };
}
