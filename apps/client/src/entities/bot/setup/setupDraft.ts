import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { faultText } from '@heron/contract/locales/optionFaultText.ts';
import { type DescribedWarning, describeWarning } from '@heron/contract/locales/optionWarningText.ts';
import { holds } from '@heron/engine/options/condition.ts';
import type { OptionFault } from '@heron/engine/options/fault.ts';
import type { ExitLevel, Item } from '@heron/engine/options/item.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import { checkSetup, type GivenSetup } from '@heron/engine/options/setup.ts';
import { setupWarnings } from '@heron/engine/options/setupWarnings.ts';
import { type BotOptions, defaultOptions, OPTION_TABLE } from '@heron/engine/options/table.ts';
import { isShown } from '@heron/engine/options/validate.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';
import { isPairList } from './optionLabels.ts';

/** A row of an exit table as it is typed. */
export interface RowDraft {
  readonly profit: string;
  readonly stop: string;
}

/** Options and parameters as they are typed; figures stay text until they are checked. */
export interface SetupDraft {
  readonly pairs: readonly string[];
  /** Options by name, but pairs and tables. */
  readonly texts: Readonly<Record<string, string>>;
  /** Exit tables by name. */
  readonly tables: Readonly<Record<string, readonly RowDraft[]>>;
  /** Parameters by name that one field can hold. */
  readonly params: Readonly<Record<string, string>>;
  /** The others by name, as plain data; a figure in them that is none yet is NaN. Left out they are at their defaults. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** A change to a draft. Another strategy starts at its own defaults. */
export type SetupEdit = Partial<SetupDraft>;

/** Errors by field: `pairs`, the name of an option, or `params.` and the name of a parameter. */
export type Faults = Readonly<Record<string, string>>;

const ITEMS: readonly Item[] = OPTION_TABLE;

/** A parameter that one field can hold. */
export type SingleParam = Exclude<Param, { type: 'list' | 'structure' }>;

export function isSingle(param: Param): param is SingleParam {
  return param.type !== 'list' && param.type !== 'structure';
}

function singleParams(strategy: string) {
  return STRATEGIES.get(strategy)?.params.filter(isSingle) ?? [];
}

/** Parameters that matter with the others as they are typed. */
export function shownParams(draft: SetupDraft): Param[] {
  return fieldsAmong(STRATEGIES.get(draft.texts.strategy ?? '')?.params ?? [], typedParams(draft));
}

/** Returns the parameters that apply with these values of the others. */
export function fieldsAmong(params: readonly Param[], values: Readonly<Record<string, unknown>>): Param[] {
  return params.filter(({ show }) => show === undefined || holds(show, (key) => values[key]));
}

/**
 * An edit of a parameter that one field holds. What is given for the strategy that it names goes with it.
 *
 * @param kept what is given instead, by parameter; left out none
 */
export function paramEdit(
  { texts }: SetupDraft,
  name: string,
  text: string,
  kept: Readonly<Record<string, unknown>> = {},
): SetupEdit {
  const given = (STRATEGIES.get(texts.strategy ?? '')?.params ?? []).filter(
    (param) => param.type === 'structure' && param.of === name,
  );
  return {
    params: { [name]: text },
    ...(given.length > 0 && {
      others: Object.fromEntries(given.map((param) => [param.name, kept[param.name] ?? param.value])),
    }),
  };
}

/** Parameters as they are sent. */
export function typedParams({ texts, params, others }: SetupDraft): Record<string, unknown> {
  const typed = singleParams(texts.strategy ?? '').map(({ name, type }) => {
    const text = params[name] ?? '';
    return [name, type === 'number' ? figure(text) : type === 'bool' ? text === 'true' : text] as const;
  });
  return { ...others, ...Object.fromEntries(typed) };
}

/** Parameters of a strategy at their defaults, as text. */
export function defaultParams(strategy: string): Record<string, string> {
  return Object.fromEntries(singleParams(strategy).map(({ name, value }) => [name, String(value)]));
}

/** A form at the defaults of the option table. */
export function emptySetup(): SetupDraft {
  return setupDraft({ options: {}, params: {} });
}

/** A form filled with options and parameters; what is left out is at its default. */
export function setupDraft({ options, params }: GivenSetup): SetupDraft {
  const given: Readonly<Record<string, unknown>> = { ...defaultOptions(), ...options };
  const texts: Record<string, string> = {};
  const tables: Record<string, readonly RowDraft[]> = {};
  for (const { name, type } of ITEMS) {
    // Validated by the engine before, so that a table holds rows.
    if (type === 'table') tables[name] = (given[name] as readonly ExitLevel[]).map(typedRow);
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

/** A form filled with what a bot runs with. */
export function draftOfBot(bot: Pick<BotDetail, 'options' | 'strategy'>): SetupDraft {
  return setupDraft({ options: { ...bot.options, strategy: bot.strategy.id }, params: bot.strategy.params });
}

const typedRow = ({ profit, stop }: ExitLevel): RowDraft => ({ profit: String(profit), stop: String(stop) });

/** A draft after an edit. */
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

/** Two edits as one. */
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

// An empty field is no number; Number('') would make it 0.
export const figure = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

/** One option as typed, right or wrong. */
export function typedOption(draft: SetupDraft, item: Item): unknown {
  if (isPairList(item)) return draft.pairs.join(',');
  if (item.type === 'table') {
    return draft.tables[item.name]?.map(({ profit, stop }) => ({ profit: figure(profit), stop: figure(stop) }));
  }
  const text = draft.texts[item.name] ?? '';
  return item.type === 'number' ? figure(text) : text;
}

/** The options as typed, right or wrong; for deciding what is shown. */
export function typedOptions(draft: SetupDraft): BotOptions {
  // `isShown` reads choices only, and those always hold a member of their list.
  return Object.fromEntries(ITEMS.map((item) => [item.name, typedOption(draft, item)])) as unknown as BotOptions;
}

/** Options and parameters as they are sent: what is hidden is not. */
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
 * @returns what to warn of, and what is wrong, by field
 */
export function checkSetupDraft(
  draft: SetupDraft,
  language: 'zh' | 'en',
): { readonly faults: Faults; readonly warnings: readonly DescribedWarning[] } {
  const given = typedSetup(draft);
  const setup = checkSetup(given);
  if (setup.ok) return { faults: {}, warnings: setupWarnings(setup).map(describeWarning) };
  const told = setup.faults.map((fault) => ({ option: fault.option, message: faultText(fault)[language] }));
  return { faults: fieldFaults(told, given.params), warnings: [] };
}

/** Faults by the field that they are told at. */
export function fieldFaults(
  faults: readonly (Pick<OptionFault, 'option'> & { readonly message: string })[],
  params: Readonly<Record<string, unknown>>,
): Faults {
  return Object.fromEntries(
    faults.map(({ option, message }) => [option in params ? `params.${option}` : option, message]),
  );
}

/** Faults without those of fields that were typed in since, or that have gone with their strategy; the same when that is all. */
export function faultsAfter(faults: Faults, { texts, tables, params, others, pairs }: SetupEdit): Faults {
  const typed = new Set([
    ...Object.keys({ ...texts, ...tables }),
    ...Object.keys({ ...params, ...others }).map((name) => `params.${name}`),
    ...(pairs ? ['pairs', 'watch_pairs'] : []),
  ]);
  const isOver = (field: string) => typed.has(field) || (texts?.strategy !== undefined && field.startsWith('params.'));
  const left = Object.entries(faults).filter(([field]) => !isOver(field));
  return left.length === Object.keys(faults).length ? faults : Object.fromEntries(left);
}
