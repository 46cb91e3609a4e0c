import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { Fault } from '@heron/contract/http/errors.ts';
import { fieldFaultText } from '@heron/contract/locales/fieldFaultText.ts';
import { type DescribedWarning, describeWarning } from '@heron/contract/locales/optionWarningText.ts';
import { holds } from '@heron/engine/options/condition.ts';
import type { ExitRow, Item, TableItem } from '@heron/engine/options/item.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import { checkSetup, type GivenSetup } from '@heron/engine/options/setup.ts';
import { setupWarnings } from '@heron/engine/options/setupWarnings.ts';
import { type BotOptions, defaultOptions, OPTION_TABLE, OPTIONS } from '@heron/engine/options/table.ts';
import { isShown, normalizedOption } from '@heron/engine/options/validate.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';
import { isPairList } from './optionLabels.ts';

/** Holds a row of an exit table as typed. */
export interface RowDraft {
  readonly profit: string;
  readonly stop: string;
}

/** Holds options and parameters as typed. Numbers stay text until they are checked. */
export interface SetupDraft {
  readonly pairs: readonly string[];
  /** Options by name, without pairs and tables. */
  readonly texts: Readonly<Record<string, string>>;
  /** Exit tables by name. */
  readonly tables: Readonly<Record<string, readonly RowDraft[]>>;
  /** Parameters by name that have a single field. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * All other parameters by name, as plain data; NaN for a number that is not valid yet. Missing parameters have their
   * defaults.
   */
  readonly others: Readonly<Record<string, unknown>>;
}

/** Describes a change to a draft. A new strategy starts with its own defaults. */
export type SetupEdit = Partial<SetupDraft>;

/** Maps fields to errors: `pairs`, the name of an option, or `params.` and the name of a parameter. */
export type Faults = Readonly<Record<string, string>>;

const ITEMS: readonly Item[] = OPTION_TABLE;

/** Is a parameter with a single field. */
export type SingleParam = Exclude<Param, { type: 'list' | 'structure' }>;

export function isSingle(param: Param): param is SingleParam {
  return param.type !== 'list' && param.type !== 'structure';
}

function singleParams(strategy: string) {
  return STRATEGIES.get(strategy)?.params.filter(isSingle) ?? [];
}

/** Returns the parameters that apply with the other typed values. */
export function shownParams(draft: SetupDraft): Param[] {
  return fieldsAmong(STRATEGIES.get(draft.texts.strategy ?? '')?.params ?? [], typedParams(draft));
}

/** Returns the parameters that apply with these values of the others. */
export function fieldsAmong(params: readonly Param[], values: Readonly<Record<string, unknown>>): Param[] {
  return params.filter(({ show }) => show === undefined || holds(show, (key) => values[key]));
}

/**
 * Returns the edit of a parameter with a single field. It resets the parameters given for the strategy that the parameter
 * names.
 *
 * @param presets values given instead of the defaults, by name; none when left out
 */
export function paramEdit(
  { texts }: SetupDraft,
  name: string,
  text: string,
  presets: Readonly<Record<string, unknown>> = {},
): SetupEdit {
  const given = (STRATEGIES.get(texts.strategy ?? '')?.params ?? []).filter(
    (param) => param.type === 'structure' && param.of === name,
  );
  return {
    params: { [name]: text },
    ...(given.length > 0 && {
      others: Object.fromEntries(given.map((param) => [param.name, presets[param.name] ?? param.value])),
    }),
  };
}

/** Returns the parameters as they are sent. */
export function typedParams({ texts, params, others }: SetupDraft): Record<string, unknown> {
  const typed = singleParams(texts.strategy ?? '').map(({ name, type }) => {
    const text = params[name] ?? '';
    return [name, type === 'number' ? figure(text) : type === 'bool' ? text === 'true' : text] as const;
  });
  return { ...others, ...Object.fromEntries(typed) };
}

/** Returns the default parameters of a strategy, as text. */
export function defaultParams(strategy: string): Record<string, string> {
  return Object.fromEntries(singleParams(strategy).map(({ name, value }) => [name, String(value)]));
}

/** Returns a draft with the defaults of the option table. */
export function emptySetup(): SetupDraft {
  return setupDraft({ options: {}, params: {} });
}

/** Returns a draft filled with options and parameters. Missing ones get their defaults. */
export function setupDraft({ options, params }: GivenSetup): SetupDraft {
  const given: Readonly<Record<string, unknown>> = { ...defaultOptions(), ...options };
  const texts: Record<string, string> = {};
  const tables: Record<string, readonly RowDraft[]> = {};
  for (const { name, type } of ITEMS) {
    // The engine has validated the value, so a table contains rows.
    if (type === 'table') tables[name] = (given[name] as readonly ExitRow[]).map(typedRow);
    else if (name !== 'watch_pairs') texts[name] = String(given[name]);
  }
  const strategy = STRATEGIES.get(String(given.strategy));
  const single = defaultParams(String(given.strategy));
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(params)) {
    if (name in single) single[name] = String(value);
    else if (strategy?.params.some((param) => param.name === name)) others[name] = value;
  }
  return { pairs: parsePairs(String(given.watch_pairs)).pairs, texts, tables, params: single, others };
}

/** Returns a draft filled with the options and parameters of a bot. */
export function draftOfBot(bot: Pick<BotDetail, 'options' | 'strategy'>): SetupDraft {
  return setupDraft({ options: { ...bot.options, strategy: bot.strategy.id }, params: bot.strategy.params });
}

/** Returns the row that is added to an exit table. */
export function exampleRow({ example, value }: TableItem): RowDraft {
  const row = example ?? value[0];
  // Without an example the user must fill it in.
  return row === undefined ? { profit: '', stop: '' } : typedRow(row);
}

const typedRow = ({ profit, stop }: ExitRow): RowDraft => ({ profit: String(profit), stop: String(stop) });

/** Returns a draft after an edit. */
export function withEdit(draft: SetupDraft, { texts, tables, params, others, pairs }: SetupEdit): SetupDraft {
  const strategy = texts?.strategy ?? draft.texts.strategy ?? '';
  const same = strategy === draft.texts.strategy;
  return {
    pairs: pairs ?? draft.pairs,
    texts: { ...draft.texts, ...texts },
    tables: { ...draft.tables, ...tables },
    params: { ...(same ? draft.params : defaultParams(strategy)), ...params },
    others: { ...(same ? draft.others : {}), ...others },
  };
}

/** Combines two edits. */
export function joinEdits(first: SetupEdit, second: SetupEdit): SetupEdit {
  const pairs = second.pairs ?? first.pairs;
  const same = second.texts?.strategy === undefined;
  return {
    ...(pairs ? { pairs } : {}),
    texts: { ...first.texts, ...second.texts },
    tables: { ...first.tables, ...second.tables },
    params: { ...(same && first.params), ...second.params },
    others: { ...(same && first.others), ...second.others },
  };
}

// An empty field is not a number, although Number('') is 0.
export const figure = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

/** Returns one option as typed, valid or not. */
export function typedOption(draft: SetupDraft, item: Item): unknown {
  if (isPairList(item)) return draft.pairs.join(',');
  if (item.type === 'table') {
    return draft.tables[item.name]?.map(({ profit, stop }) => ({ profit: figure(profit), stop: figure(stop) }));
  }
  const text = draft.texts[item.name] ?? '';
  return item.type === 'number' ? figure(text) : normalizedOption(item.name, text);
}

/** Returns the options as typed, valid or not, to decide which fields are shown. */
export function typedOptions(draft: SetupDraft): BotOptions {
  // `isShown` reads choices only, and those always hold a member of their list.
  return Object.fromEntries(ITEMS.map((item) => [item.name, typedOption(draft, item)])) as unknown as BotOptions;
}

/** Returns options and parameters as they are sent, without hidden ones. */
export function typedSetup(draft: SetupDraft): GivenSetup {
  const typed = typedOptions(draft);
  const shown = ITEMS.filter((item) => isShown(item, typed));
  return {
    options: Object.fromEntries(shown.map((item) => [item.name, typedOption(draft, item)])),
    params: typedParams(draft),
  };
}

/**
 * Checks options and parameters by the same rules as the bot host.
 *
 * @returns the warnings, and the errors by field
 */
export function checkSetupDraft(
  draft: SetupDraft,
  language: 'zh' | 'en',
): { readonly faults: Faults; readonly warnings: readonly DescribedWarning[] } {
  const given = typedSetup(draft);
  const setup = checkSetup(given);
  if (setup.ok) return { faults: {}, warnings: setupWarnings(setup).map(describeWarning) };
  const found = setup.faults.map((fault) => ({ ...fault, message: fieldFaultText(fault)[language] }));
  return { faults: fieldFaults(found, given.params), warnings: [] };
}

/** Maps errors to the fields that show them. An older bot host does not distinguish parameters from options. */
export function fieldFaults(
  faults: readonly Pick<Fault, 'option' | 'isParam' | 'message'>[],
  params: Readonly<Record<string, unknown>>,
): Faults {
  return Object.fromEntries(
    faults.map(({ option, isParam, message }) => [
      isParam || (option in params && !OPTIONS.has(option)) ? `params.${option}` : option,
      withoutIdentifier(message, option),
    ]),
  );
}

/** Removes the identifier that a message of the server has after the title of an option. */
function withoutIdentifier(message: string, option: string): string {
  return message.replace(` (${option})`, '').replace(`（${option}）`, '');
}

/**
 * Removes the errors of fields that an edit changed or whose strategy it replaced. It returns the same object when none is
 * removed.
 */
export function faultsAfter(faults: Faults, { texts, tables, params, others, pairs }: SetupEdit): Faults {
  const typed = new Set([
    ...Object.keys({ ...texts, ...tables }),
    ...Object.keys({ ...params, ...others }).map((name) => `params.${name}`),
    ...(pairs ? ['pairs', 'watch_pairs'] : []),
    // Errors between two values are shown at one of them, and end when either is edited.
    ...(params || others ? ['strategy', 'keep_lookback_periods'] : []),
    ...(texts?.min_buy_size === undefined ? [] : ['max_buy_size']),
    ...(texts?.min_periods === undefined ? [] : ['keep_lookback_periods']),
  ]);
  const isOver = (field: string) => typed.has(field) || (texts?.strategy !== undefined && field.startsWith('params.'));
  const left = Object.entries(faults).filter(([field]) => !isOver(field));
  return left.length === Object.keys(faults).length ? faults : Object.fromEntries(left);
}
