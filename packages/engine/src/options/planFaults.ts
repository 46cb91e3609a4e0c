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
 * Faults of a ladder that are known before there is a price: cells of a grid that cannot earn their fees, safety orders
 * that reach too far. Sizes and liquidation are judged when it begins.
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
  const net = percent(gain * 100);
  const min = percent(MIN_GAIN * 100);
  const message = {
    zh: `每格扣除手续费后只赚 ${net}%，必须高于 ${min}%：减少格数（levels）或扩大区间`,
    en: `a cell would earn ${net}% after fees and must earn more than ${min}%: take fewer levels or a wider range`,
  };
  return [{ option: 'levels', message }];
}

function dcaFaults(params: Params): OptionFault[] {
  const rules = dcaRules(params);
  const distance = rules.periodic ? 0 : (safetyDistances(rules).at(-1) ?? 0);
  if (distance < MAX_DISTANCE) return [];
  const message = {
    zh: `最后一次补仓距首单 ${percent(distance)}%，必须小于 ${MAX_DISTANCE}%：减少补仓次数（safety_orders）或缩小跌幅`,
    en: `the last of safety_orders would lie ${percent(distance)}% away and must be nearer than ${MAX_DISTANCE}%: take fewer of them or smaller steps`,
  };
  return [{ option: 'safety_orders', message }];
}

function percent(value: number): string {
  return String(Number(value.toFixed(4)));
}
