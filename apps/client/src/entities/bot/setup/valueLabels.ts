import { paramTitle, paramValueText } from '@heron/contract/locales/strategyTexts.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import type { Item } from '@heron/engine/options/item.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';
import type { Locale } from '../../../lib/preferences.ts';
import { strategyTitle } from '../strategyTitle.ts';
import { givenIn } from './givenParams.ts';
import { isPairList, optionChoiceLabel, optionUnit, shownScale, zeroText } from './optionLabels.ts';
import { partsIn, SIDES } from './ruleParts.ts';
import { ruleSentence } from './ruleSentence.ts';

/** Returns the value of an option as text. */
export function optionText(item: Item, value: unknown, locale: Locale): string {
  if (item.type === 'number') {
    if (value === 0) {
      const meaning = zeroText(item, locale);
      if (meaning !== null) return meaning;
    }
    const unit = optionUnit(item, locale);
    const space = unit === '' || unit === '%' ? '' : ' ';
    return Number.isFinite(value) ? `${locale.format.quantity(Number(value) / shownScale(item))}${space}${unit}` : '—';
  }
  if (item.type === 'table') {
    const rows = value as { profit: number; stop: number }[];
    return rows.length === 0
      ? locale.t('setup.off')
      : rows.map(({ profit, stop }) => `${profit}% → ${stop}%`).join(', ');
  }
  if ('names' in item) {
    return item.names === 'venues' ? venueTitle(String(value))[locale.language] : strategyTitle(String(value), locale);
  }
  if (isPairList(item)) return String(value).split(',').join(', ');
  return item.type === 'tab' ? optionChoiceLabel(String(value), locale) : String(value);
}

/** Returns the value of a parameter as text. */
export function paramText(param: Param | undefined, value: unknown, locale: Locale): string {
  if (param?.type === 'structure' && param.entries === 'parts') {
    const parts = partsIn(value);
    return SIDES.map((side) => ruleSentence(parts, side, locale)).join(' ');
  }
  if (param?.type === 'structure' && param.entries === 'params') return givenText(givenIn(value), locale);
  if (typeof value === 'boolean') return locale.t(value ? 'setup.on' : 'setup.off');
  if (typeof value === 'number') return Number.isFinite(value) ? locale.format.quantity(value) : '—';
  if (typeof value === 'object')
    return Array.isArray(value) ? value.map((part) => partText(param, part, locale.language)).join(', ') : '';
  return partText(param, value, locale.language);
}

/** Lists the parameters given for another strategy, with the titles of the first strategy that has all of them. */
function givenText(given: Readonly<Record<string, unknown>>, locale: Locale): string {
  const names = Object.keys(given);
  if (names.length === 0) return locale.t('members.defaults');
  const owner = [...STRATEGIES.values()].find(({ params }) =>
    names.every((name) => params.some((param) => param.name === name)),
  );
  return names
    .map((name) => {
      const param = owner?.params.find((each) => each.name === name);
      return `${param === undefined ? name : paramTitle(param)[locale.language]} ${paramText(param, given[name], locale)}`;
    })
    .join(', ');
}

/** Returns the label of a value of a list, or the title of a member strategy. */
function partText(param: Param | undefined, part: unknown, language: 'zh' | 'en'): string {
  if (typeof part === 'object' && part !== null) {
    const id = 'id' in part ? String(part.id) : null;
    return id === null ? '' : strategyTitle(id, { language });
  }
  return param === undefined ? String(part) : paramValueText(param, String(part))[language];
}
