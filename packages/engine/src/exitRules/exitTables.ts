import { percentRatio } from '../money/units.ts';
import type { BotOptions } from '../options/table.ts';
import type { ExitLevel, ExitRule } from './exitRule.ts';
import { stopLoss } from './stopLoss.ts';
import { takeProfit } from './takeProfit.ts';
import { trailingStop } from './trailingStop.ts';
import { trailingTakeProfit } from './trailingTakeProfit.ts';

/** Every exit table, in the order in which they are evaluated. @see docs/exits.md#common-rules */
export const EXIT_RULES: readonly ExitRule[] = [stopLoss, trailingStop, takeProfit, trailingTakeProfit];

/** An exit table of a bot with at least one row. */
export interface ExitTable {
  readonly rule: ExitRule;
  /** The level that triggers first is first. */
  readonly levels: readonly ExitLevel[];
}

/** Triggered levels of a position by table: bit i is row i as the user wrote it. */
export type TriggeredSets = Record<ExitRule['table'], number>;

export const NONE_TRIGGERED: Readonly<TriggeredSets> = { stopSell: 0, profitWin: 0, callback: 0, trailingStop: 0 };

/** Returns the exit tables that have rows, in the order in which they are evaluated. */
export function exitTables(options: BotOptions): ExitTable[] {
  return EXIT_RULES.map((rule) => ({ rule, levels: levelsOf(rule, options) })).filter(
    ({ levels }) => levels.length > 0,
  );
}

function levelsOf(rule: ExitRule, options: BotOptions): ExitLevel[] {
  const activation = rule.activationOption === null ? null : percentRatio(options[rule.activationOption]);
  return options[rule.option]
    .map(({ profit, stop }, index) => {
      return { index, bit: 1 << index, trigger: percentRatio(profit), share: percentRatio(stop), activation };
    })
    .sort((a, b) => (rule.largestFirst ? b.trigger - a.trigger : a.trigger - b.trigger));
}
