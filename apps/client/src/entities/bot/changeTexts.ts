import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import { optionTexts } from '@heron/contract/locales/optionTexts.ts';
import { paramTitle } from '@heron/contract/locales/strategyTexts.ts';
import type { Item } from '@heron/engine/options/item.ts';
import { OPTIONS } from '@heron/engine/options/table.ts';
import { findParam, STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';
import type { Locale } from '../../lib/preferences.ts';
import { optionText, paramText } from './setup/valueLabels.ts';

interface ChangeTexts {
  readonly option: string;
  readonly from: string;
  readonly to: string;
}

/** Returns the title of the option or parameter that a `change` entry names, and its values as the form shows them. */
export function changeTexts(data: JournalEntry['data'], locale: Locale): ChangeTexts {
  const { title, type, textOf } = changedField(data, locale);
  return { option: title, from: valueText(data.from, type, textOf), to: valueText(data.to, type, textOf) };
}

/** An option or parameter and how its values read. */
interface ChangedField {
  readonly title: string;
  readonly type: ValueType;
  readonly textOf: (stored: unknown) => string;
}

function changedField({ option, strategy, acts }: JournalEntry['data'], locale: Locale): ChangedField {
  const name = String(option ?? '');
  const item = OPTIONS.get(name);
  const param = strategy === undefined ? olderParam(name, acts, item) : findParam(String(strategy), name);
  if (param !== undefined) {
    const title = paramTitle(param)[locale.language];
    return { title, type: param.type, textOf: (stored) => paramText(param, stored, locale) };
  }
  const title = optionTexts(name).title[locale.language];
  // A newer bot host may have options and parameters that this version does not know.
  if (item === undefined || strategy !== undefined) return { title, type: 'text', textOf: String };
  return { title, type: item.type, textOf: (stored) => optionText(item, stored, locale) };
}

/**
 * Returns the first parameter of a name, for an entry of an older version, which does not name the strategy. If an option has
 * the same name, `acts` shows which of them was changed.
 */
function olderParam(name: string, acts: unknown, item: Item | undefined): Param | undefined {
  if (item !== undefined && item.apply === acts) return undefined;
  return [...STRATEGIES.values()].flatMap(({ params }) => params).find((param) => param.name === name);
}

type ValueType = (Item | Param)['type'];

/** Types whose values an entry stores as JSON. Values of other types are stored as text. */
const JSON_TYPES: ReadonlySet<ValueType> = new Set(['number', 'bool', 'table', 'list', 'structure']);

/** Returns a value as text. A value that this version cannot read is returned as it is stored. */
function valueText(value: unknown, type: ValueType, textOf: (stored: unknown) => string): string {
  // A new strategy has parameters that the old one did not have.
  if (value === undefined || value === '') return '—';
  try {
    return textOf(JSON_TYPES.has(type) ? JSON.parse(String(value)) : value);
  } catch {
    return String(value);
  }
}
