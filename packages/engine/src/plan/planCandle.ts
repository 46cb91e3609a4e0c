import { entryGate } from '../entry/gates.ts';
import { activeRules, type Grid } from '../grid/grid.ts';
import { gridCandle } from '../grid/gridCandle.ts';
import type { GridRules } from '../grid/gridRules.ts';
import { planGrid } from '../grid/planGrid.ts';
import { recentredRange } from '../grid/recentre.ts';
import { marginOf } from '../ledger/marginOf.ts';
import type { Market } from '../market/market.ts';
import { formatUnits, type Price, toUnits } from '../money/units.ts';
import { ALL } from '../orders/planFills.ts';
import { isTrading } from '../state/botStatus.ts';
import { countGridFrom, countGridTime } from '../state/gridFigures.ts';
import type { Turn } from '../state/turn.ts';
import { planInputOf, startBaseOrder, startPlan } from './beginPlan.ts';
import { reconcilePlanOrders } from './reconcilePlanOrders.ts';

/**
 * Applies a closed candle to the plan of a pair, or starts one.
 *
 * @param flags flags of the strategy, which start a DCA deal or a periodic entry
 * @see docs/strategies.md#grid, docs/strategies.md#dca
 */
export function onPlanCandle(turn: Turn, flags: number, candleTime: number, close: number): void {
  const { bot, pair } = turn;
  if (!isTrading(bot) || pair.market === null) return;
  const { orderPlan } = pair;
  // A plan that ends between two candles starts again with the second one.
  pair.planTriedAt = candleTime;
  if (orderPlan === null) {
    startPlan(turn, flags, candleTime, toUnits(close));
  } else if (orderPlan.kind === 'grid' && bot.planRules?.kind === 'grid') {
    const price = toUnits(close);
    const limited = orderPlan.cells.length > (pair.market.maxOrders ?? orderPlan.cells.length);
    if (gridCandle(orderPlan, pair.market, price) || limited) pair.dirtyOrders = ALL;
    moveGrid(turn, orderPlan, bot.planRules.grid, price);
  }
  reconcilePlanOrders(turn);
}

/** Moves a flat grid to the present price. @see docs/strategies.md#grid */
function moveGrid(turn: Turn, grid: Grid, present: GridRules, price: Price): void {
  const { bot, pair, at } = turn;
  const rules = activeRules(grid, present);
  if (bot.state.status !== 'working' || pair.position !== null || pair.entry !== null) return;
  const market = pair.market as Market;
  const range = recentredRange(grid, rules, market, price);
  const direction = grid.side === -1 ? -1 : 1;
  // The old grid stays until the new one can start.
  if (range === null || entryGate(bot, pair, direction, at) !== null) return;
  const found = planInputOf(bot, pair, direction, price);
  const laid = found.ok ? planGrid(rules, found.input, grid.side, range, grid) : found;
  if (!found.ok || !laid.ok) return;
  countGridTime(pair, grid, at);
  pair.orderPlan = laid.grid;
  countGridFrom(laid.grid, at, marginOf(laid.grid.budget, found.leverage));
  pair.dirtyOrders = ALL;
  bot.observer.orderPlan(at, pair, 'grid_moved', {
    lower: formatUnits(laid.grid.levels[0] as Price),
    upper: formatUnits(laid.grid.levels.at(-1) as Price),
    price: formatUnits(price),
  });
  if (laid.base !== null) startBaseOrder(turn, laid.grid, laid.base);
}
