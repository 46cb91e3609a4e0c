import { optionTexts } from '@heron/contract/locales/optionTexts.ts';
import type { Item, NumberItem, Range } from '@heron/engine/options/item.ts';
import type { OptionName } from '@heron/engine/options/table.ts';
import type { Preferences } from '../../../lib/preferences.ts';
import type { Key } from '../../../locales/texts.ts';

type Locale = Pick<Preferences, 't' | 'format'>;

const UNITS = {
  percent: 'unit.percent',
  ms: 'unit.seconds',
  hours: 'unit.hours',
  minutes: 'unit.minutes',
  quote: 'unit.quote',
  count: 'unit.count',
  x: 'unit.x',
} as const satisfies Record<Exclude<NumberItem['format'], 'pairs' | 'pricemask'>, Key>;

/** Returns whether an option is a list of pairs, which has its own form field. */
export function isPairList(item: Item): boolean {
  return 'format' in item && item.format === 'pairs';
}

/** Returns the unit of a number option; "" when the number needs none. */
export function optionUnit(item: NumberItem, { t }: Locale): string {
  return item.format in UNITS ? t(UNITS[item.format as keyof typeof UNITS]) : '';
}

/** Meanings of 0. Other options have none. */
const ZERO = {
  max_watch_size: 'zero.noLimit',
  buy_pct: 'setup.off',
  max_buy_size: 'zero.noLimit',
  max_buy_pair_count: 'zero.noLimit',
  sell_pct: 'setup.off',
  run_for: 'zero.noLimit',
  max_buy_loss_pct: 'setup.off',
  max_sell_loss_pct: 'setup.off',
  quarentine_time: 'setup.off',
  short_buy_pct: 'zero.entrySize',
} as const satisfies Readonly<Partial<Record<OptionName, Key>>>;

/** Returns what 0 means for an option, such as "no limit"; null when it is a plain number. */
export function zeroText({ name }: Pick<Item, 'name'>, { t }: Pick<Locale, 't'>): string | null {
  return name in ZERO ? t(ZERO[name as keyof typeof ZERO]) : null;
}

/** Returns the divisor between the stored and the shown number: times are stored in milliseconds and shown in seconds. */
export function shownScale({ format }: Pick<NumberItem, 'format'>): number {
  return format === 'ms' ? 1_000 : 1;
}

/** Returns a range such as "2 to 100" with localised numbers. */
export function rangeHint([min, max]: Range, { t, format }: Locale): string {
  return t('option.range', { min: format.number(min), max: format.number(max) });
}

const CHOICES = {
  maker: 'option.maker',
  taker: 'option.taker',
  live: 'option.live',
  paper: 'option.paper',
  only_long: 'option.only_long',
  only_short: 'option.only_short',
  both: 'option.both',
  cross: 'option.cross',
  isolated: 'option.isolated',
} as const satisfies Record<string, Key>;

/** Returns the label of a value of a `tab` option. */
export function optionChoiceLabel(value: string, { t }: Locale): string {
  return value in CHOICES ? t(CHOICES[value as keyof typeof CHOICES]) : value;
}

/** Returns the title of an option in the chosen language. */
export function optionTitle({ name }: Pick<Item, 'name'>, language: Preferences['language']): string {
  return optionTexts(name).title[language];
}
