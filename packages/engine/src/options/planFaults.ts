import { dcaRules } from '../dca/dcaRules.ts';
import { safetyDistances } from '../dca/safetyOrders.ts';
import { MAX_DISTANCE } from '../dca/startDca.ts';
import { minGain } from '../grid/gridLevels.ts';
import { gridRules } from '../grid/gridRules.ts';
import { MIN_GAIN } from '../grid/planGrid.ts';
import { percentRatio } from '../money/units.ts';
import type { Params } from '../strategies/strategy.ts';
import { effectiveOptions } from './effective.ts';
import type { OptionFault } from './fault.ts';
import type { BotOptions } from './table.ts';

/**
 * Returns the faults of a grid or DCA plan that do not depend on the price: grid levels that cannot earn their fees, and
 * safety orders that lie too far away. Sizes and liquidation are checked when the plan starts.
 *
 * @see docs/strategies.md#grid, docs/strategies.md#dca
 */
export function planFaults(options: BotOptions, params: Params): OptionFault[] {
  if (options.strategy === 'grid') return gridFaults(options, params);
  return options.strategy === 'dca' ? dcaFaults(params) : [];
}

function gridFaults(options: BotOptions, params: Params): OptionFault[] {
  const gain = minGain(gridRules(params), percentRatio(effectiveOptions(options).makerFee));
  if (gain > MIN_GAIN) return [];
  return [
    { option: 'levels', isParam: true, code: 'grid_gain', net: percent(gain * 100), min: percent(MIN_GAIN * 100) },
  ];
}

function dcaFaults(params: Params): OptionFault[] {
  const rules = dcaRules(params);
  const distance = rules.periodic ? 0 : (safetyDistances(rules).at(-1) ?? 0);
  if (distance < MAX_DISTANCE) return [];
  return [
    { option: 'safety_orders', isParam: true, code: 'dca_distance', distance: percent(distance), max: MAX_DISTANCE },
  ];
}

function percent(value: number): string {
  return String(Number(value.toFixed(4)));
}
