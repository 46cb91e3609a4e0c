import { floorStep, quantityFor } from '../market/market.ts';
import { exact, formatUnits, type Price, type Quote } from '../money/units.ts';
import { setActivationPrices } from './activation.ts';
import { type Cell, entryOf, exitOf } from './cell.ts';
import { type Grid, gridCycles, gridRealised } from './grid.ts';
import { cellGain, gridLevels, type Range, startRange } from './gridLevels.ts';
import type { GridRules } from './gridRules.ts';
import { type BaseRequest, canTradeBothSides, type PlanInput, type PlanRefusal } from './planInput.ts';
import type { Side } from './planOrder.ts';

/** Minimum net gain of a cell per cycle, as a ratio of its price. @see docs/strategies.md#grid */
export const MIN_GAIN = 0.0005;

/**
 * Plans a grid at the price of `input`. Cells whose entry lies before the price get an entry order; the others are filled at once by
 * the base order (`initial_buy`), or wait.
 *
 * @param side +1 long, −1 short, 0 neutral
 * @param before grid that this one replaces; it must be flat
 * @see docs/strategies.md#grid
 */
export function planGrid(
  rules: GridRules,
  input: PlanInput,
  side: Side | 0,
  range: Range = startRange(rules, input.price),
  before: Grid | null = null,
): { ok: true; grid: Grid; base: BaseRequest | null } | PlanRefusal {
  const levels = gridLevels(input.market, range, rules);
  const share = Math.floor(input.budget / rules.cells);
  const cells: Cell[] = [];
  let quantity = 0;
  for (let i = 0; i < rules.cells; i++) {
    const low = levels[i] as number;
    const high = levels[i + 1] as number;
    const gain = low > 0 ? cellGain(low, high, input.makerFee) : 0;
    if (!(gain > MIN_GAIN)) {
      const percent = Math.round(gain * 1e6) / 1e4;
      return {
        ok: false,
        gate: 'cell_gain',
        inputs: { gain: percent, low: formatUnits(low), high: formatUnits(high) },
      };
    }
    const cell = planCell(rules, input, side, { low, high, share });
    if (!canTradeBothSides(input, entryOf(cell), exitOf(cell), cell.quantity)) {
      const { minNotional } = input.market;
      return {
        ok: false,
        gate: 'below_minimum',
        inputs: { value: formatUnits(share), least: formatUnits(minNotional) },
      };
    }
    if (cell.byBase) quantity = exact(quantity + cell.quantity);
    const old = before?.cells[i];
    if (old?.side === cell.side) {
      // Dust below the step carries over.
      cell.asset = old.asset;
      cell.cost = old.cost;
    }
    cells.push(cell);
  }
  const grid: Grid = {
    kind: 'grid',
    side,
    rules,
    budget: input.budget,
    levels,
    cells,
    base: quantity > 0 ? 'wanted' : 'none',
    price: input.price,
    activationPriceAbove: 0,
    activationPriceBelow: 0,
    startedAt: 0,
    invested: 0,
    laid: (before?.laid ?? 0) + 1,
    cyclesBefore: before === null ? 0 : gridCycles(before),
    realisedBefore: before === null ? 0 : gridRealised(before),
  };
  setActivationPrices(grid);
  if (quantity === 0) return { ok: true, grid, base: null };
  const value = share * cells.filter(({ byBase }) => byBase).length;
  const max = floorStep(input.market, Math.min(quantity, input.market.maxQuantity));
  return { ok: true, grid, base: { side: side === -1 ? -1 : 1, quantity: max, value } };
}

function planCell(
  { initialBuy }: GridRules,
  { market, price }: PlanInput,
  gridSide: Side | 0,
  { low, high, share }: { readonly low: Price; readonly high: Price; readonly share: Quote },
): Cell {
  const side = gridSide === 0 ? (low < price ? 1 : -1) : gridSide;
  const before = side === 1 ? low < price : high > price;
  const byBase = !before && initialBuy && gridSide !== 0;
  return {
    side,
    low,
    high,
    state: before ? 'cash' : byBase ? 'buying' : 'waiting',
    // A short that starts above its entry price would exceed its share.
    quantity: quantityFor(market, share, side === 1 ? low : Math.max(high, byBase ? price : high)),
    entered: 0,
    byBase,
    asset: 0,
    cost: 0,
    cycles: 0,
    realised: 0,
    matched: 0,
  };
}
