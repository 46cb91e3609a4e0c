import type { botCalls } from '@heron/contract/bots/calls.ts';
import { holds } from '@heron/engine/options/condition.ts';
import type { ExitRow, Item } from '@heron/engine/options/item.ts';
import { checkSetup } from '@heron/engine/options/setup.ts';
import { setupWarnings } from '@heron/engine/options/setupWarnings.ts';
import { type BotOptions, defaultOptions, OPTION_TABLE } from '@heron/engine/options/table.ts';
import { isShown } from '@heron/engine/options/validate.ts';
import type { OptionWarning } from '@heron/engine/options/warnings.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';
import type { z } from 'zod';
import { readAmount } from '../../../lib/amount.ts';

/** A row of an exit table as it is typed. */
export interface RowDraft {
  readonly profit: string;
  readonly stop: string;
}

/** What a person has typed so far; figures stay text until they are checked. */
export interface Draft {
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
  readonly pairs: readonly string[];
  /** Options by name, but pairs and tables. */
  readonly texts: Readonly<Record<string, string>>;
  /** Exit tables by name. */
  readonly tables: Readonly<Record<string, readonly RowDraft[]>>;
  /** Of a live bot: the account that it is to trade on. */
  readonly account: AccountDraft;
}

export interface AccountDraft {
  /** Id of a key; "" for none. */
  readonly key: string;
  /** Whether the bot gets a share of the account or all of it. */
  readonly share: 'part' | 'all';
  /** The share, in the product currency. */
  readonly allotment: string;
}

const ITEMS: readonly Item[] = OPTION_TABLE;

export type NewBot = z.input<NonNullable<typeof botCalls.create.body>>;

/** What is wrong, by field: `name`, `pairs`, `key`, `allotment`, an option's name, or `params.` and a parameter's name. */
export type Faults = Readonly<Record<string, string>>;

/** A parameter that one field can hold; the form leaves others at their defaults. */
function isSingle(param: Param): param is Exclude<Param, { type: 'list' | 'structure' }> {
  return param.type !== 'list' && param.type !== 'structure';
}

function singleParams(strategy: string) {
  return STRATEGIES.get(strategy)?.params.filter(isSingle) ?? [];
}

/** Parameters that have a field: those that one field can hold and that matter with the others as they are typed. */
export function shownParams(draft: Draft) {
  const typed: Readonly<Record<string, unknown>> = typedParams(draft);
  return singleParams(draft.texts.strategy ?? '').filter(
    ({ show }) => show === undefined || holds(show, (key) => typed[key]),
  );
}

/** Parameters as they are sent. */
function typedParams({ texts, params }: Draft) {
  return Object.fromEntries(
    singleParams(texts.strategy ?? '').map(({ name, type }) => {
      const text = params[name] ?? '';
      return [name, type === 'number' ? figure(text) : type === 'bool' ? text === 'true' : text];
    }),
  );
}

/** Parameters of a strategy at their defaults, as text. */
export function defaultParams(strategy: string): Record<string, string> {
  return Object.fromEntries(singleParams(strategy).map(({ name, value }) => [name, String(value)]));
}

const EMPTY_ACCOUNT: AccountDraft = { key: '', share: 'part', allotment: '' };

/** A form at the defaults of the option table. */
export function emptyDraft(): Draft {
  const { strategy, watch_pairs } = defaultOptions();
  const texts: Record<string, string> = {};
  const tables: Record<string, readonly RowDraft[]> = {};
  for (const item of ITEMS) {
    if (item.type === 'table') tables[item.name] = item.value.map(typedRow);
    else if (item.name !== 'watch_pairs') texts[item.name] = String(item.value);
  }
  return {
    name: '',
    params: defaultParams(strategy),
    pairs: watch_pairs.split(','),
    texts,
    tables,
    account: EMPTY_ACCOUNT,
  };
}

const typedRow = ({ profit, stop }: ExitRow): RowDraft => ({ profit: String(profit), stop: String(stop) });

// An empty field is no number; Number('') would make it 0.
const figure = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

function typedOption(draft: Draft, item: Item): unknown {
  if (item.name === 'watch_pairs') return draft.pairs.join(',');
  if (item.type === 'table') {
    return draft.tables[item.name]?.map(({ profit, stop }) => ({ profit: figure(profit), stop: figure(stop) }));
  }
  const text = draft.texts[item.name] ?? '';
  return item.type === 'number' ? figure(text) : text;
}

/** The options as typed, right or wrong; for deciding what is shown. */
export function typedOptions(draft: Draft): BotOptions {
  // What `isShown` looks at are choices, and those are never anything but one of their list.
  return Object.fromEntries(ITEMS.map((item) => [item.name, typedOption(draft, item)])) as unknown as BotOptions;
}

/** Texts of the faults that no rule of the engine knows. */
export type DraftWords = Readonly<Record<'nameMissing' | 'pairsMissing' | 'keyMissing' | 'allotmentWrong', string>>;

/** Whether what is typed is to trade with money. */
export const isLiveDraft = ({ texts }: Draft) => texts.mode === 'live';

/** The account of a live bot as it is sent; nothing for a paper bot. */
function typedAccount(draft: Draft): { key?: string; allotment?: string } {
  if (!isLiveDraft(draft)) return {};
  const { key, share, allotment } = draft.account;
  return share === 'all' ? { key } : { key, allotment: readAmount(allotment) ?? '' };
}

/**
 * Checks a draft by the same rules as the bot host. What is hidden is not sent.
 *
 * @returns what to send and what to warn of, or what is wrong, by field
 */
export function checkDraft(
  draft: Draft,
  language: 'zh' | 'en',
  words: DraftWords,
): { ok: true; body: NewBot; warnings: OptionWarning[] } | { ok: false; faults: Faults } {
  const faults: Record<string, string> = {};
  if (draft.name.trim() === '') faults.name = words.nameMissing;
  if (draft.pairs.length === 0) faults.pairs = words.pairsMissing;
  const account = typedAccount(draft);
  if (account.key === '') faults.key = words.keyMissing;
  if (account.allotment !== undefined && !(Number(account.allotment) > 0)) faults.allotment = words.allotmentWrong;

  const typed = typedOptions(draft);
  const shown = ITEMS.filter((item) => isShown(item, typed));
  const options = Object.fromEntries(shown.map((item) => [item.name, typedOption(draft, item)]));
  const params = typedParams(draft);
  const setup = checkSetup({ options, params });
  if (!setup.ok) {
    for (const { option, message } of setup.faults) {
      faults[option in params ? `params.${option}` : option] = message[language];
    }
    return { ok: false, faults };
  }
  return Object.keys(faults).length > 0
    ? { ok: false, faults }
    : { ok: true, body: { name: draft.name.trim(), options, params, ...account }, warnings: setupWarnings(setup) };
}

const NO_WORDS: DraftWords = { nameMissing: '', pairsMissing: '', keyMissing: '', allotmentWrong: '' };

const ANY_ACCOUNT: AccountDraft = { key: 'x', share: 'all', allotment: '' };

/** What the options of a draft are warned of, whatever its name and account; nothing while anything in them is wrong. */
export function draftWarnings(draft: Draft): OptionWarning[] {
  const checked = checkDraft({ ...draft, name: 'x', account: ANY_ACCOUNT }, 'en', NO_WORDS);
  return checked.ok ? checked.warnings : [];
}
