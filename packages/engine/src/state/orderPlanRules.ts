import { type DcaRules, dcaRules } from '../dca/dcaRules.ts';
import { type GridRules, gridRules } from '../grid/gridRules.ts';
import type { Params } from '../strategies/strategy.ts';
import type { Rules } from './botRules.ts';

/** Rules of a strategy that places orders by a plan. */
export type OrderPlanRules =
  | { readonly kind: 'grid'; readonly grid: GridRules }
  | { readonly kind: 'dca'; readonly dca: DcaRules };

/** Returns the plan rules of a strategy; null for one that signals. */
export function orderPlanRules(strategy: string, params: Params): OrderPlanRules | null {
  if (strategy === 'grid') return { kind: 'grid', grid: gridRules(params) };
  return strategy === 'dca' ? { kind: 'dca', dca: dcaRules(params) } : null;
}

/** Returns whether a plan starts as soon as its pair may trade: a grid, or a DCA deal whose start condition is `now`. */
export function startsWithoutSignal(planRules: OrderPlanRules): boolean {
  return planRules.kind === 'grid' || planRules.dca.startsNow;
}

/**
 * Returns the rules of a bot with a plan: loss guards are off, and where the plan has exits of its own only stop_sell and the
 * liquidation guard act. Periodic entries have none, so all tables act on them.
 *
 * @see docs/exits.md#common-rules, docs/grids-and-dca.md#common-rules, docs/strategies.md#dca
 */
export function applyPlanRules(rules: Rules, planRules: OrderPlanRules): Rules {
  const free = { ...rules, maxBuyLoss: 0, maxSellLoss: 0 };
  if (planRules.kind === 'dca' && planRules.dca.periodic) return free;
  return { ...free, exitTables: rules.exitTables.filter(({ rule }) => rule.onPlans), quarantineMs: 0 };
}
