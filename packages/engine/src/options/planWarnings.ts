import { dcaRules } from '../dca/dcaRules.ts';
import { safetyDistances } from '../dca/safetyOrders.ts';
import { type GridRules, gridRules } from '../grid/gridRules.ts';
import { SCALE } from '../money/units.ts';
import type { Params } from '../strategies/strategy.ts';
import { effectiveOptions } from './effective.ts';
import type { BotOptions } from './table.ts';
import type { OptionWarning } from './warnings.ts';

/** An order that enlarges a position: its price as a multiple of the first one, and its share of the budget. */
interface Entry {
  readonly price: number;
  readonly value: number;
}

/**
 * Warns about a stop-loss that ends a grid or a DCA deal before all its orders are used.
 *
 * @param options validated; @param params of their strategy, checked
 * @see docs/strategies.md#grid, docs/grids-and-dca.md#common-rules
 */
export function planWarnings(options: BotOptions, params: Params): OptionWarning[] {
  const stops = options.stop_sell.map(({ profit }) => profit);
  if (stops.length === 0) return [];
  const stop = Math.min(...stops);
  const side = effectiveOptions(options).market === 'only_short' ? -1 : 1;
  const entries = entriesOf(options, params, side);
  const used = usedBefore(entries, stop, side);
  if (used >= entries.length) return [];
  const strategy = options.strategy === 'grid' ? 'grid' : 'dca';
  return [{ option: 'stop_sell', code: 'stop_ends_plan', strategy, stop, used, entries: entries.length }];
}

/** Returns the entries of a grid or DCA deal in the order in which an adverse price reaches them; none for other strategies. */
function entriesOf({ strategy }: BotOptions, params: Params, side: 1 | -1): Entry[] {
  if (strategy === 'grid') return gridEntries(gridRules(params), side);
  const rules = strategy === 'dca' ? dcaRules(params) : null;
  if (rules === null || rules.periodic) return [];
  const weight = (index: number) => (index === 0 ? 1 : rules.firstScale * rules.volumeScale ** (index - 1));
  return [0, ...safetyDistances(rules)].map((distance, index) => ({
    price: 1 - (side * distance) / 100,
    value: weight(index),
  }));
}

/** Returns the entries of a grid that starts in the middle of its range. */
function gridEntries({ lower, upper, range, cells, geometric, initialBuy }: GridRules, side: 1 | -1): Entry[] {
  const middle = Math.sqrt(lower * upper);
  const low = lower > 0 ? lower / middle : 1 - range / SCALE;
  const high = lower > 0 ? upper / middle : 1 + range / SCALE;
  const entries: Entry[] = [];
  for (let i = 0; i < cells; i++) {
    const level = side === 1 ? i : i + 1;
    const price = geometric ? low * (high / low) ** (level / cells) : low + ((high - low) * level) / cells;
    if (side * (1 - price) > 0) entries.push({ price, value: 1 });
    else if (initialBuy) entries.push({ price: 1, value: 1 });
  }
  return entries.sort((a, b) => side * (b.price - a.price));
}

/** Returns how many entries are filled before the price has moved `stop` percent against their average. */
function usedBefore(entries: readonly Entry[], stop: number, side: 1 | -1): number {
  let value = 0;
  let quantity = 0;
  for (const [index, entry] of entries.entries()) {
    const average = value / quantity;
    if (quantity > 0 && side * (entry.price - average * (1 - (side * stop) / 100)) <= 0) return index;
    value += entry.value;
    quantity += entry.value / entry.price;
  }
  return entries.length;
}
