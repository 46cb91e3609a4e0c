import { holds } from './condition.ts';
import { crossFaults } from './crossChecks.ts';
import type { ExchangeEntry } from './exchanges.ts';
import type { OptionFault } from './fault.ts';
import type { ExitRow, Item, Range, TableItem } from './item.ts';
import { type BotOptions, defaultOptions, OPTIONS, type OptionName } from './table.ts';
import { exchangeOfVenue } from './venues.ts';

/** Returns whether the form shows an option, given the values of the others. @see docs/options.md#english */
export function isShown(item: Item, options: BotOptions): boolean {
  return item.show === undefined || holds(item.show, (key) => conditionValue(key, options));
}

/** Returns the exchange of the venue that the options name, or undefined when they name an unknown venue. */
export function exchangeOf(options: Pick<BotOptions, 'exchange'>): ExchangeEntry | undefined {
  return exchangeOfVenue(options.exchange);
}

function conditionValue(key: string, options: BotOptions): unknown {
  if (key === 'exchange.future' || key === 'exchange.defi') {
    const entry = exchangeOf(options);
    return entry !== undefined && (key === 'exchange.future' ? entry.future : entry.defi);
  }
  return options[key as OptionName];
}

/**
 * Completes and checks option values. Missing keys take defaults, unknown keys are rejected, hidden options are neither
 * checked nor used, and a number off the step of its form field but inside its range is accepted.
 *
 * @returns the complete options, or every fault found
 * @see docs/options.md#english, docs/options.md#refused-together
 */
export function validateOptions(
  given: Readonly<Record<string, unknown>>,
): { ok: true; options: BotOptions } | { ok: false; faults: OptionFault[] } {
  const faults: OptionFault[] = [];
  for (const name of Object.keys(given)) {
    if (!OPTIONS.has(name)) {
      faults.push({ option: name, code: 'unknown_option' });
    }
  }
  const values = Object.entries(given).map(([name, value]) => [name, normalizedOption(name, value)]);
  const options = { ...defaultOptions(), ...Object.fromEntries(values) } as BotOptions;
  for (const item of OPTIONS.values()) {
    if (isShown(item, options)) faults.push(...itemFaults(item, options[item.name as OptionName]));
  }
  const faulty = new Set(faults.map(({ option }) => option));
  faults.push(...crossFaults(options, faulty));
  return faults.length === 0 ? { ok: true, options } : { ok: false, faults };
}

/**
 * Returns the form in which an option value is stored and compared: a currency in capitals, and 0 for -0. JSON allows -0, which
 * equals 0 but is stored as another value (docs/invariants.md#ledger, I-37).
 */
export function normalizedOption(name: string, value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  const item = OPTIONS.get(name);
  return typeof value === 'string' && item?.type === 'text' && item.isUpperCase ? value.toUpperCase() : value;
}

/** Returns the fault of one value, if it has one. */
function itemFaults(item: Item, value: unknown): OptionFault[] {
  const { name: option } = item;
  switch (item.type) {
    case 'number':
      if (isInRange(value, item.step)) return [];
      return [{ option, code: 'option_number', ...limitsOf(item.step) }];
    case 'tab':
    case 'array':
      if (typeof value === 'string' && item.list.includes(value)) return [];
      return [{ option, code: 'option_choice', list: item.list }];
    case 'table':
      return tableFaults(item, value);
    default:
      if (typeof value === 'string' && item.pattern.test(value)) return [];
      return [{ option, code: 'option_form', standard: item.value }];
  }
}

/** Returns whether a value is a finite number in its range. The step is ignored, because it is only that of the form field. */
function isInRange(value: unknown, [min, max]: Range): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

function limitsOf([min, max]: Range) {
  return { min, max, range: [min, max] as const };
}

/** Returns the first fault of a table. */
function tableFaults({ name: option, columns, maxRows }: TableItem, value: unknown): OptionFault[] {
  if (!Array.isArray(value) || value.length > maxRows) return [{ option, code: 'table_rows', maxRows }];
  for (const [index, given] of (value as (Partial<ExitRow> | null)[]).entries()) {
    const row = index + 1;
    const unknown = Object.keys(given ?? {}).find((key) => key !== 'profit' && key !== 'stop');
    if (unknown !== undefined) return [{ option, code: 'table_unknown_column', row, column: unknown }];
    for (const column of ['profit', 'stop'] as const) {
      const { step } = columns[column];
      if (!isInRange(given?.[column], step)) return [{ option, code: 'table_number', row, column, ...limitsOf(step) }];
    }
  }
  return [];
}
