import { EXIT_KEY } from '../dca/dcaOrders.ts';
import { dcaBaseEnded, dcaExitFilled, safetyFilled } from '../dca/dcaProgress.ts';
import type { Cell } from '../grid/cell.ts';
import { baseEnded, baseFilled, gridFilled } from '../grid/cellOrders.ts';
import type { Grid } from '../grid/grid.ts';
import type { GridFill } from '../grid/planOrder.ts';
import type { Booked } from '../ledger/fill.ts';
import type { Market } from '../market/market.ts';
import { exact, formatUnits } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { OrderFill } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { removePlan } from '../state/gridFigures.ts';
import type { ParentOrder } from '../state/parentOrder.ts';
import { updatePlanPhase } from '../state/planPhase.ts';
import type { Turn } from '../state/turn.ts';

/** Key of all orders of a plan: everything is compared with what the plan wants. */
export const ALL = '*';

/** Books a fill of a grid, safety or base order into the plan, after the ledger booked it. */
export function onPlanFill(bot: Bot, pair: PairState, parent: ParentOrder, fill: OrderFill, booked: Booked): void {
  const { orderPlan } = pair;
  if (orderPlan === null) return;
  const market = pair.market as Market;
  if (orderPlan.kind === 'dca') {
    if (parent.planKey === EXIT_KEY) dcaExitFilled(orderPlan);
    else if (parent.planKey !== '') safetyFilled(orderPlan, Number(parent.planKey), fill.quantity);
    pair.dirtyOrders = ALL;
    return;
  }
  const inBase = fill.feeAsset === market.base;
  const gridFill: GridFill = {
    quantity: fill.quantity,
    value: booked.value,
    feeBase: inBase ? fill.fee : 0,
    feeQuote: inBase ? 0 : booked.feeQuote,
  };
  if (parent.planKey === '') {
    baseFilled(orderPlan, gridFill);
    return;
  }
  const cell = orderPlan.cells[Number(parent.planKey)] as Cell;
  const cycles = cell.cycles;
  const result = gridFilled(orderPlan, market, parent.planKey, parent.kind, gridFill);
  if (parent.kind === 'exit') parent.cycleResult = exact((parent.cycleResult ?? 0) + result);
  // In a neutral grid the side that holds decides the orders of the other side.
  if (orderPlan.side === 0) pair.dirtyOrders = ALL;
  if (cell.cycles > cycles) reportCell(bot, pair, orderPlan, cell, fill.at);
}

function reportCell(bot: Bot, pair: PairState, grid: Grid, cell: Cell, at: number): void {
  bot.observer.orderPlan(at, pair, 'cell_closed', {
    cell: grid.cells.indexOf(cell) + 1,
    low: formatUnits(cell.low),
    high: formatUnits(cell.high),
    cycles: cell.cycles,
    realised: formatUnits(cell.realised),
  });
}

/** Continues the plan after its base order has ended. */
export function onBaseOrderEnd(turn: Turn): void {
  const { bot, pair, at } = turn;
  const { orderPlan } = pair;
  if (orderPlan === null) return;
  const market = pair.market as Market;
  pair.dirtyOrders = ALL;
  if (orderPlan.kind === 'grid') {
    baseEnded(orderPlan, market);
  } else if (pair.position !== null) {
    dcaBaseEnded(orderPlan, market, pair.holding.entryPrice);
  } else {
    // Nothing or only dust was filled.
    removePlan(pair, at);
    bot.observer.orderPlan(at, pair, 'not_entered', {});
    updatePlanPhase(bot, pair, at);
  }
}
