import type { Item } from '@heron/engine/options/item.ts';
import { OPTIONS } from '@heron/engine/options/table.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import { parseAssignments } from './assignments.ts';
import { readNumber } from './number.ts';

/** Flags that set options of the bot. */
export interface OptionFlags {
  readonly option: readonly string[];
  readonly strategy?: string;
  readonly period?: string;
  readonly capital?: string;
  readonly exchange?: string;
}

/** Venue of a backtest that names none: stored candles are those of real exchanges. */
export const BACKTEST_VENUE = 'binance' satisfies VenueId;

/** The values of `--option name=value …` and of the options that have a flag of their own, not checked yet. */
export function optionsFromFlags({
  option,
  strategy,
  period,
  capital,
  exchange,
}: OptionFlags): Record<string, unknown> {
  const values: Record<string, unknown> = { exchange: BACKTEST_VENUE };
  for (const [name, text] of parseAssignments(option, '--option')) {
    values[name] = readOption(OPTIONS.get(name), text);
  }
  if (period !== undefined) values.period = period;
  if (strategy !== undefined) values.strategy = strategy;
  if (exchange !== undefined) values.exchange = exchange;
  if (capital !== undefined) values.currency_capital = readNumber(capital, '--capital');
  return values;
}

function readOption(item: Item | undefined, text: string): unknown {
  if (item?.type === 'number') return text.trim() === '' ? text : Number(text);
  if (item?.type !== 'table') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`--option ${item.name} is a table: write it as JSON, such as [{"profit":5,"stop":100}]`);
  }
}
