import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { Range } from '@heron/engine/options/item.ts';
import { defaultOptions, OPTIONS, type OptionName } from '@heron/engine/options/table.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { chooseStrategy, STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';
import type { z } from 'zod';

/** What a person has typed so far; figures stay text until they are checked. */
export interface Draft {
  readonly name: string;
  readonly exchange: string;
  readonly strategy: string;
  readonly params: Readonly<Record<string, string>>;
  readonly period: string;
  readonly pairs: readonly string[];
  /** Number options by name. */
  readonly figures: Readonly<Record<FigureName, string>>;
  readonly orderType: 'maker' | 'taker';
}

/** Number options that this form asks for; the others take their defaults. */
export const FIGURES = ['currency_capital', 'buy_pct', 'min_periods'] as const satisfies OptionName[];
export type FigureName = (typeof FIGURES)[number];

export type NewBot = z.input<NonNullable<typeof botCalls.create.body>>;

/** What is wrong, by field: `name`, `pairs`, an option's name, or `params.` and a parameter's name. */
export type Faults = Readonly<Record<string, string>>;

/** A parameter that one field can hold; the form leaves others at their defaults. */
export function isSingle(param: Param): param is Exclude<Param, { type: 'list' | 'structure' }> {
  return param.type !== 'list' && param.type !== 'structure';
}

function singleParams(strategy: string) {
  return STRATEGIES.get(strategy)?.params.filter(isSingle) ?? [];
}

/** Parameters of a strategy at their defaults, as text. */
export function defaultParams(strategy: string): Record<string, string> {
  return Object.fromEntries(singleParams(strategy).map(({ name, value }) => [name, String(value)]));
}

/** A form at the defaults of the option table. */
export function emptyDraft(): Draft {
  const options = defaultOptions();
  return {
    name: '',
    exchange: options.exchange,
    strategy: options.strategy,
    params: defaultParams(options.strategy),
    period: options.period,
    pairs: options.watch_pairs.split(','),
    figures: {
      currency_capital: String(options.currency_capital),
      buy_pct: String(options.buy_pct),
      min_periods: String(options.min_periods),
    },
    orderType: options.order_type,
  };
}

/** Range of a number option. */
export function rangeOf(name: FigureName): Range {
  const item = OPTIONS.get(name);
  if (item?.type !== 'number') throw new Error(`${name} is no number option`);
  return item.step;
}

// An empty field is no number; Number('') would make it 0.
const figure = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

/**
 * Checks a draft by the same rules as the bot host.
 *
 * @param words texts of the faults that no rule of the engine knows
 * @returns what to send, or what is wrong, by field
 */
export function checkDraft(
  draft: Draft,
  language: 'zh' | 'en',
  words: { nameMissing: string; pairsMissing: string },
): { ok: true; body: NewBot } | { ok: false; faults: Faults } {
  const faults: Record<string, string> = {};
  if (draft.name.trim() === '') faults.name = words.nameMissing;
  if (draft.pairs.length === 0) faults.pairs = words.pairsMissing;

  const params = Object.fromEntries(
    singleParams(draft.strategy).map(({ name, type }) => {
      const text = draft.params[name] ?? '';
      return [name, type === 'number' ? figure(text) : type === 'bool' ? text === 'true' : text];
    }),
  );
  const choice = chooseStrategy(draft.strategy, params);
  if (!choice.ok) {
    for (const { option, message } of choice.faults) {
      faults[option in params ? `params.${option}` : option] = message[language];
    }
  }

  const options = {
    exchange: draft.exchange,
    strategy: draft.strategy,
    period: draft.period,
    watch_pairs: draft.pairs.join(','),
    order_type: draft.orderType,
    ...Object.fromEntries(FIGURES.map((name) => [name, figure(draft.figures[name])])),
  };
  const checked = validateOptions(options);
  if (!checked.ok) for (const { option, message } of checked.faults) faults[option] = message[language];
  return Object.keys(faults).length > 0
    ? { ok: false, faults }
    : { ok: true, body: { name: draft.name.trim(), options, params } };
}
