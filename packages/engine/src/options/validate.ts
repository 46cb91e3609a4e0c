import { holds } from './condition.ts';
import { crossFaults } from './crossChecks.ts';
import type { ExchangeEntry } from './exchanges.ts';
import type { OptionFault } from './fault.ts';
import type { Column, ExitLevel, Item, Range } from './item.ts';
import { type BotOptions, defaultOptions, OPTIONS, type OptionName } from './table.ts';
import { exchangeOfVenue } from './venues.ts';

/** Whether an item shows, given the other values. @see docs/options.md#english */
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
 * Completes and checks option values. Missing keys take defaults, unknown keys are refused, hidden items are neither
 * checked nor used, a number off the widget's step but inside its range is accepted.
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
      faults.push({ option: name, message: { zh: `没有名为 ${name} 的选项`, en: `there is no option ${name}` } });
    }
  }
  const values = Object.entries(given).map(([name, value]) => [name, withoutNegativeZero(value)]);
  const options = { ...defaultOptions(), ...Object.fromEntries(values) } as BotOptions;
  for (const item of OPTIONS.values()) {
    if (isShown(item, options)) faults.push(...itemFaults(item, options[item.name as OptionName]));
  }
  const faulty = new Set(faults.map(({ option }) => option));
  faults.push(...crossFaults(options, faulty));
  return faults.length === 0 ? { ok: true, options } : { ok: false, faults };
}

/** JSON can say -0, which would be stored as another value than it is compared with (docs/invariants.md#ledger, I-37). */
function withoutNegativeZero(value: unknown): unknown {
  return Object.is(value, -0) ? 0 : value;
}

/** What is wrong with one value, said with the item's name and range. */
function itemFaults(item: Item, value: unknown): OptionFault[] {
  const fault = valueFault(item, value);
  if (fault === null) return [];
  const { message, range } = fault;
  const { title, name } = item;
  const named = { zh: `${title.zh}（${name}）：${message.zh}`, en: `${title.en} (${name}): ${message.en}` };
  return [{ option: name, message: named, ...(range ? { range } : {}) }];
}

type ValueFault = Omit<OptionFault, 'option'> | null;

function valueFault(item: Item, value: unknown): ValueFault {
  switch (item.type) {
    case 'number':
      return numberFault(value, item.step);
    case 'tab':
    case 'array':
      return typeof value === 'string' && item.list.includes(value)
        ? null
        : { message: { zh: `必须是 ${item.list.join('、')} 之一`, en: `must be one of ${item.list.join(', ')}` } };
    case 'table':
      return tableFault(value, item.columns, item.maxRows);
    default:
      return typeof value === 'string' && item.pattern.test(value)
        ? null
        : { message: { zh: `格式不对，默认值是 ${item.value}`, en: `has a wrong form; the default is ${item.value}` } };
  }
}

/** Also refuses what is no finite number. Off the step but in range is accepted: steps are for the widget. */
function numberFault(value: unknown, [least, greatest]: Range): ValueFault {
  if (typeof value === 'number' && value >= least && value <= greatest) return null;
  const range = [least, greatest] as const;
  return {
    message: { zh: `必须是 ${least} 到 ${greatest} 的数`, en: `must be a number from ${least} to ${greatest}` },
    range,
  };
}

function tableFault(value: unknown, columns: { profit: Column; stop: Column }, maxRows: number): ValueFault {
  if (!Array.isArray(value) || value.length > maxRows) {
    return { message: { zh: `必须是最多 ${maxRows} 行的表`, en: `must be a table of at most ${maxRows} rows` } };
  }
  for (const [index, row] of (value as (Partial<ExitLevel> | null)[]).entries()) {
    const extra = Object.keys(row ?? {}).find((key) => key !== 'profit' && key !== 'stop');
    if (extra !== undefined) {
      return {
        message: { zh: `第 ${index + 1} 行没有 ${extra} 这一列`, en: `row ${index + 1} has no column ${extra}` },
      };
    }
    for (const name of ['profit', 'stop'] as const) {
      const { title, step } = columns[name];
      const fault = numberFault(row?.[name], step);
      if (fault === null) continue;
      const zh = `第 ${index + 1} 行的${title.zh}（${name}）${fault.message.zh}`;
      const en = `row ${index + 1}, ${title.en} (${name}) ${fault.message.en}`;
      return { ...fault, message: { zh, en } };
    }
  }
  return null;
}
