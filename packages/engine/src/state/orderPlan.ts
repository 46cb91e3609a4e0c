import type { Dca } from '../dca/dca.ts';
import type { Grid } from '../grid/grid.ts';

/** A ladder at work on one pair. */
export type OrderPlan = Grid | Dca;

/** What a ladder did that no order tells. */
export const ORDER_PLAN_EVENTS = [
  'grid_laid',
  'grid_moved',
  'cell_closed',
  'cycle_begun',
  'cycle_ended',
  'not_entered',
  'ended',
  'replaced',
  'removed',
] as const;

export type OrderPlanEvent = (typeof ORDER_PLAN_EVENTS)[number];
