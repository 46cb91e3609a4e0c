import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import { optionTexts } from '@heron/contract/locales/optionTexts.ts';
import { paramTitle } from '@heron/contract/locales/strategyTexts.ts';
import type { Item } from '@heron/engine/options/item.ts';
import { OPTIONS } from '@heron/engine/options/table.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';
import type { Locale } from '../../lib/preferences.ts';
import { optionText, paramText } from './setup/valueLabels.ts';

/** The option or parameter that a journal entry says was changed. */
interface ChangedField {
  readonly title: string;
  /** Returns one of the values of the entry as the form shows it. */
  text(value: unknown): string;
}

/** Returns the title of the option or parameter that a `change` entry names, and how its values read. */
export function changedField({ option, strategy, acts }: JournalEntry['data'], locale: Locale): ChangedField {
  const name = String(option ?? '');
  const item = OPTIONS.get(name);
  const param = strategy === undefined ? olderParam(name, acts, item) : paramOf(strategy, name);
  if (param !== undefined) {
    return {
      title: paramTitle(param)[locale.language],
      text: (value) => valueText(value, param.type, (stored) => paramText(param, stored, locale)),
    };
  }
  const title = optionTexts(name).title[locale.language];
  // A newer bot host may know more.
  if (item === undefined || strategy !== undefined) return { title, text: (value) => valueText(value, 'text', String) };
  return { title, text: (value) => valueText(value, item.type, (stored) => optionText(item, stored, locale)) };
}

function paramOf(strategy: unknown, name: string): Param | undefined {
  return STRATEGIES.get(String(strategy))?.params.find((param) => param.name === name);
}

/**
 * Returns the first parameter of a name, for an entry of an older version, which does not hold the strategy. Where an option has
 * the same name, `acts` distinguishes them.
 */
function olderParam(name: string, acts: unknown, item: Item | undefined): Param | undefined {
  if (item !== undefined && item.apply === acts) return undefined;
  return [...STRATEGIES.values()].flatMap(({ params }) => params).find((param) => param.name === name);
}

/** Types whose values an entry holds as JSON; it holds text as it is. */
const JSON_TYPES: ReadonlySet<(Item | Param)['type']> = new Set(['number', 'bool', 'table', 'list', 'structure']);

/** Returns the text of a value; the value itself if this version cannot read it. A parameter of another strategy had none. */
function valueText(value: unknown, type: (Item | Param)['type'], textOf: (stored: unknown) => string): string {
  if (value === undefined || value === '') return '—';
  try {
    return textOf(JSON_TYPES.has(type) ? JSON.parse(String(value)) : value);
  } catch {
    return String(value);
  }
}
