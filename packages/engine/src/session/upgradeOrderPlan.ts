import type { Dca } from '../dca/dca.ts';
import { type DcaRules, dcaRules } from '../dca/dcaRules.ts';
import { safetyDistances } from '../dca/safetyOrders.ts';
import type { Grid } from '../grid/grid.ts';
import { gridRules } from '../grid/gridRules.ts';
import type { BotState, PairState } from '../state/botState.ts';
import type { OrderPlan } from '../state/orderPlan.ts';
import { strategyOf } from '../strategies/catalogue.ts';

/** Names of fields before version 6, each with its name since. */
type Names = Readonly<Record<string, string>>;

const PAIR_NAMES: Names = {
  kept: 'entryOptions',
  ladder: 'orderPlan',
  rungs: 'planOrders',
  ladderDue: 'dirtyOrders',
  ladderFrom: 'nextDealFrom',
};
const PARENT_ORDER_NAMES: Names = { rung: 'planKey' };
const GRID_NAMES: Names = { wakesAbove: 'activationPriceAbove', wakesBelow: 'activationPriceBelow' };

/** Fields of a pair that hold objects with renamed fields. */
const NAMES_OF_VALUES: Readonly<Record<string, Names>> = {
  entry: PARENT_ORDER_NAMES,
  exit: PARENT_ORDER_NAMES,
  stop: PARENT_ORDER_NAMES,
  rungs: PARENT_ORDER_NAMES,
  ladder: GRID_NAMES,
};

/** Returns a pair saved before version 6 with the names of that version for its order plan and its entry options. */
export function withNames6(saved: object): PairState {
  const fields = Object.entries(saved).map(([name, value]) => {
    const names = NAMES_OF_VALUES[name];
    return [PAIR_NAMES[name] ?? name, names === undefined ? value : renamed(value, names)];
  });
  // Fields that an early version lacks get their defaults later.
  return Object.fromEntries(fields) as PairState;
}

/** Returns an object, or every object of a list, with other names of fields and the same order; null stays null. */
function renamed(value: object | null, names: Names): object | null {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [names[name] ?? name, field]));
}

/**
 * Returns the plan of a saved pair with the rules that it keeps while it is active. A plan that an older program saved without
 * them gets the present ones, with the number of grid levels or safety orders that it has.
 */
export function withPlanRules(
  plan: OrderPlan | null,
  { options, params }: Pick<BotState, 'options' | 'params'>,
): OrderPlan | null {
  if (plan === null) return null;
  // A plan of another strategy ends with the next event; until then the default parameters serve.
  const present = strategyOf(plan.kind, options.strategy === plan.kind ? params : {}).params;
  if (plan.kind === 'dca') return withDealRules(plan, dcaRules(present));
  const grid = withGridAccount(plan);
  if (Object.hasOwn(plan, 'rules')) return grid;
  return { ...grid, rules: { ...gridRules(present), cells: plan.cells.length } };
}

/** Returns a grid with the fields of its figures. Older programs stored neither its start nor the profit of completed cycles. */
function withGridAccount(grid: Grid): Grid {
  if (Object.hasOwn(grid, 'startedAt')) return grid;
  // An exit that is filled in part counts as a completed cycle until that cycle ends.
  const cells = grid.cells.map((cell) => ({ ...cell, matched: cell.realised }));
  return { ...grid, startedAt: 0, invested: 0, cells };
}

/** Older programs kept an activation whose trailing take-profit was switched off, and did not act on it. */
function withDealRules(deal: Dca, rules: DcaRules): Dca {
  const isTrailing = deal.armed && rules.trailing > 0;
  // A deal with distances that is closing and armed sells because its trailing take-profit has triggered.
  if (Object.hasOwn(deal, 'distances'))
    return { ...deal, armed: isTrailing || (deal.armed && deal.phase === 'closing') };
  const distances = safetyDistances({ ...rules, safetyOrders: deal.sizes.length - 1 });
  return { ...deal, distances, armed: isTrailing };
}

/**
 * Returns the number of candles after which a saved pair may begin a deal. Older programs kept it when they lost the candles
 * that it counts, so that no deal began for weeks.
 */
export function nextDealOf(pair: PairState, { options, params }: Pick<BotState, 'options' | 'params'>): number {
  const pause = options.strategy === 'dca' ? dcaRules(params).pause : 0;
  return Math.min(pair.nextDealFrom, pair.candles + pause);
}

/** Renames the reason that blocks the entries of a bot saved before version 6, in place. */
export function renameEntryBlock6(saved: Pick<BotState, 'entriesBlockedBy'>): void {
  const old = saved as { barred?: NonNullable<BotState['entriesBlockedBy']> };
  if (old.barred === undefined) return;
  saved.entriesBlockedBy = old.barred;
  delete old.barred;
}
