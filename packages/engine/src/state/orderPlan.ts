import type { Dca } from '../dca/dca.ts';
import type { Grid } from '../grid/grid.ts';

/** The active order plan of a pair. */
export type OrderPlan = Grid | Dca;

/** Events of an order plan that no order shows. */
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
