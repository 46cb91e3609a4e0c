import { EXCHANGES } from './exchanges.ts';
import type { Condition, ExitRow, Item, Range, Text } from './item.ts';
import { type BotOptions, defaultOptions, OPTIONS, type OptionName } from './table.ts';

/** Why a value was refused; `option` names the item. */
export interface OptionFault {
  readonly option: string;
  readonly message: Text;
}

/** Whether an item shows, given the other values. @see options.md 2 */
export function isShown(item: Item, options: BotOptions): boolean {
  return item.show === undefined || holds(item.show, options);
}

function holds(condition: Condition, options: BotOptions): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, options));
  const actual = conditionValue(condition.key, options);
  return 'eq' in condition ? actual === condition.eq : condition.in.includes(actual);
}

function conditionValue(key: string, options: BotOptions): unknown {
  if (key === 'exchange.future' || key === 'exchange.defi') {
    const entry = EXCHANGES.find(({ name }) => name === options.exchange);
    return entry !== undefined && (key === 'exchange.future' ? entry.future : entry.defi);
  }
  return options[key as OptionName];
}

/**
 * Completes and checks option values. Missing keys take defaults, unknown keys are refused, hidden items are neither
 * checked nor used, a number off the widget's step but inside its range is accepted.
 *
 * @returns the complete options, or every fault found
 * @see options.md 2 and 2.2
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
  const options = { ...defaultOptions(), ...given } as BotOptions;
  for (const item of OPTIONS.values()) {
    if (!isShown(item, options)) continue;
    const message = faultOf(item, options[item.name as OptionName]);
    if (message) faults.push({ option: item.name, message: named(item, message) });
  }
  if (faults.length === 0) faults.push(...crossFaults(options));
  return faults.length === 0 ? { ok: true, options } : { ok: false, faults };
}

function crossFaults(options: BotOptions): OptionFault[] {
  const faults: OptionFault[] = [];
  if (options.max_buy_size > 0 && options.max_buy_size < options.min_buy_size) {
    faults.push({
      option: 'max_buy_size',
      message: {
        zh: `最大买入金额 ${options.max_buy_size} 小于最小买入金额 ${options.min_buy_size}`,
        en: `Largest entry ${options.max_buy_size} is below smallest entry ${options.min_buy_size}`,
      },
    });
  }
  return faults;
}

function named(item: Item, message: Text): Text {
  return { zh: `${item.title.zh}：${message.zh}`, en: `${item.title.en} (${item.name}): ${message.en}` };
}

function faultOf(item: Item, value: unknown): Text | null {
  switch (item.type) {
    case 'number':
      return numberFault(value, item.step);
    case 'tab':
    case 'array':
      return typeof value === 'string' && item.list.includes(value)
        ? null
        : { zh: `必须是 ${item.list.join('、')} 之一`, en: `must be one of ${item.list.join(', ')}` };
    case 'table':
      return tableFault(value, item.columns, item.maxRows);
    default:
      return typeof value === 'string' && item.pattern.test(value) ? null : { zh: '格式不对', en: 'has a wrong form' };
  }
}

function numberFault(value: unknown, [least, greatest]: Range): Text | null {
  return typeof value === 'number' && value >= least && value <= greatest
    ? null
    : { zh: `必须是 ${least} 到 ${greatest} 的数`, en: `must be a number from ${least} to ${greatest}` };
}

function tableFault(value: unknown, columns: { profit: Range; stop: Range }, maxRows: number): Text | null {
  if (!Array.isArray(value) || value.length > maxRows) {
    return { zh: `必须是最多 ${maxRows} 行的表`, en: `must be a table of at most ${maxRows} rows` };
  }
  const seen = new Set<number>();
  for (const row of value as Partial<ExitRow>[]) {
    for (const column of ['profit', 'stop'] as const) {
      const fault = numberFault(row?.[column], columns[column]);
      if (fault) return { zh: `${column} ${fault.zh}`, en: `${column} ${fault.en}` };
    }
    if (seen.has(row.profit as number)) {
      return { zh: `两行的 profit 都是 ${row.profit}`, en: `two rows have profit ${row.profit}` };
    }
    seen.add(row.profit as number);
  }
  return null;
}
