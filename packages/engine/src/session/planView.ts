import { dcaEntries } from '../dca/dcaProgress.ts';
import { dcaTakeProfitPrice } from '../dca/safetyOrders.ts';
import { gridCycles, gridRealised } from '../grid/grid.ts';
import type { Market } from '../market/market.ts';
import { formatUnits, type Price } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { gridFiguresOf, gridYieldPercent } from '../state/gridFigures.ts';

/** Returns the view of the plan of a pair: the levels of a grid, or a DCA deal; null when there is none. */
export function planView(bot: Bot, { orderPlan, position, holding }: PairState, market: Market) {
  if (orderPlan === null) return null;
  if (orderPlan.kind === 'grid') {
    return {
      kind: 'grid' as const,
      budget: formatUnits(orderPlan.budget),
      lower: formatUnits(orderPlan.levels[0] as Price),
      upper: formatUnits(orderPlan.levels.at(-1) as Price),
      cycles: gridCycles(orderPlan),
      realised: formatUnits(gridRealised(orderPlan)),
      cells: orderPlan.cells.map((cell) => ({
        low: formatUnits(cell.low),
        high: formatUnits(cell.high),
        direction: cell.side === 1 ? ('long' as const) : ('short' as const),
        state: cell.state,
        held: formatUnits(cell.asset, market.assetDecimals),
        cycles: cell.cycles,
        realised: formatUnits(cell.realised),
      })),
    };
  }
  const target =
    position === null || bot.planRules?.kind !== 'dca'
      ? 0
      : dcaTakeProfitPrice(bot.planRules.dca, market, orderPlan.side, holding.entryPrice);
  return {
    kind: 'dca' as const,
    phase: orderPlan.phase,
    budget: formatUnits(orderPlan.budget),
    entries: dcaEntries(orderPlan),
    /** Maximum number of entries of the deal. */
    orders: orderPlan.sizes.length,
    first: orderPlan.first === 0 ? null : formatUnits(orderPlan.first),
    takeProfit: target === 0 ? null : formatUnits(target),
    trailing: orderPlan.armed,
  };
}

/** Returns the result of the grids of a pair at `at`, past ones included; null when it had none. */
export function gridView(pair: PairState, at: number) {
  const figures = gridFiguresOf(pair, at);
  if (figures === null) return null;
  return {
    profit: formatUnits(figures.profit),
    floating: formatUnits(figures.floating),
    other: formatUnits(figures.other),
    total: formatUnits(figures.total),
    cycles: figures.cycles,
    days: figures.days,
    yearlyPercent: gridYieldPercent(figures),
  };
}
