import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { decimalUnits } from '@heron/engine/money/decimalText.ts';
import { parseUnits } from '@heron/engine/money/units.ts';
import type { GivenSetup } from '@heron/engine/options/setup.ts';
import { exchangeOfVenue, type VenueId } from '@heron/engine/options/venues.ts';
import type { z } from 'zod';
import {
  checkSetupDraft,
  draftOfBot,
  emptySetup,
  type Faults,
  figure,
  type SetupDraft,
  setupDraft,
  typedSetup,
} from '../../../entities/bot/setup/setupDraft.ts';
import { standardSetup, withVenue } from '../../../entities/bot/setup/standards.ts';
import { readAmount } from '../../../lib/amount.ts';

/** Holds the draft of a new bot. */
export interface Draft extends SetupDraft {
  readonly name: string;
  /** The account of a live bot. */
  readonly account: AccountDraft;
}

export interface AccountDraft {
  /** Id of a key; "" for none. */
  readonly key: string;
  /** Share of the account that the bot gets: a part or all of it. */
  readonly share: 'part' | 'all';
  /** The allotted amount, in the product currency. */
  readonly allotment: string;
}

export type NewBot = z.input<NonNullable<typeof botCalls.create.body>>;

/** Max number of characters of a bot's name. */
export const NAME_LENGTH = 40;

const EMPTY_ACCOUNT: AccountDraft = { key: '', share: 'part', allotment: '' };

/** Returns a draft with the defaults of the option table. @param venue venue of the bot; the default venue when absent */
export function emptyDraft(venue?: VenueId): Draft {
  const { exchange = '' } = emptySetup().texts;
  const setup = standardSetup(venue ?? exchange);
  return { ...setup, texts: withVenue(setup.texts, venue ?? exchange), name: '', account: EMPTY_ACCOUNT };
}

/** Options that a template does not set. They keep their values. */
const OWN = ['exchange', 'mode', 'takerFee', 'makerFee', 'currency_capital', 'product_currency'];

/** Returns the setup of a template, or the defaults. Venue, mode, capital, currency, fees and pairs stay as in the draft. */
export function fromTemplate({ texts, pairs }: SetupDraft, template: GivenSetup | null): SetupDraft {
  const initial = setupDraft(template ?? { options: {}, params: {} });
  const own = Object.entries(texts).filter(([name]) => OWN.includes(name));
  return { ...initial, pairs, texts: { ...initial.texts, ...Object.fromEntries(own) } };
}

function withMode(setup: SetupDraft, mode: string): SetupDraft {
  return { ...setup, texts: { ...setup.texts, mode } };
}

/**
 * Returns a draft with an imported setup. It keeps its mode, but a venue without live trading makes it paper. It keeps its
 * account if venue and currency are the same.
 *
 * @param live venues with live trading
 */
export function withImport(draft: Draft, imported: GivenSetup, live: readonly string[]): Draft {
  const fees = exchangeOfVenue(String(imported.options.exchange ?? emptySetup().texts.exchange))?.fees;
  const given = fees && { takerFee: fees.taker, makerFee: fees.maker };
  const setup = setupDraft({ ...imported, options: { ...given, ...imported.options } });
  const { exchange = '', product_currency } = setup.texts;
  const same = exchange === draft.texts.exchange && product_currency === draft.texts.product_currency;
  return {
    ...draft,
    ...withMode(setup, live.includes(exchange) ? (draft.texts.mode ?? 'paper') : 'paper'),
    account: same ? draft.account : EMPTY_ACCOUNT,
  };
}

/** Returns the draft of a copy of a bot, without its account. Options that the bot does not use get their defaults. */
export function draftLike(bot: Pick<BotDetail, 'options' | 'strategy'>, name: string): Draft {
  const { options, params } = typedSetup(draftOfBot(bot));
  return { ...emptyDraft(), ...withMode(setupDraft({ options, params }), 'paper'), name: name.slice(0, NAME_LENGTH) };
}

/**
 * Returns the draft with a key that exists: the only key of its venue unless one is chosen, and none in place of a removed one.
 *
 * @param keys keys of its venue; undefined while they are unknown
 */
export function withKnownKey(draft: Draft, keys: readonly { readonly id: string }[] | undefined): Draft {
  if (keys === undefined || keys.some(({ id }) => id === draft.account.key)) return draft;
  const key = keys.length === 1 ? (keys[0]?.id ?? '') : '';
  return { ...draft, account: { ...draft.account, key } };
}

/** Texts of the errors that the engine does not check. */
export type DraftMessages = Readonly<
  Record<
    'nameMissing' | 'pairsMissing' | 'keyMissing' | 'capitalMissing' | 'allotmentWrong' | 'allotmentTooLarge',
    string
  >
>;

/** Returns whether the draft is a live bot. */
export const isLiveDraft = ({ texts }: Pick<Draft, 'texts'>) => texts.mode === 'live';

/** Returns the amount that the bot trades with; null for a whole account, NaN while the typed text is not a number. */
export function stakeOf(draft: Draft): number | null {
  if (!isLiveDraft(draft)) return figure(draft.texts.currency_capital ?? '');
  const { share, allotment } = draft.account;
  return share === 'all' ? null : Number(readAmount(allotment) ?? Number.NaN);
}

/** Returns the account of a live bot as it is sent; nothing for a paper bot. */
function typedAccount(draft: Draft): { key?: string; allotment?: string } {
  if (!isLiveDraft(draft)) return {};
  const { key, share, allotment } = draft.account;
  return share === 'all' ? { key } : { key, allotment: readAmount(allotment) ?? '' };
}

/** The facts a draft is checked against, besides its own fields. */
interface DraftCheck {
  /** The money a new bot could take of the account; null while unknown, when only the bot host checks. */
  readonly available: string | null;
  readonly messages: DraftMessages;
}

/**
 * Checks a draft by the same rules as the bot host. Hidden options are not sent.
 *
 * @returns the request body, or the errors by field, including `name`, `pairs`, `key` and `allotment`
 */
export function checkDraft(
  draft: Draft,
  language: 'zh' | 'en',
  { available, messages }: DraftCheck,
): { ok: true; body: NewBot } | { ok: false; faults: Faults } {
  const account = typedAccount(draft);
  const faults = { ...ownFaults(draft, account, { available, messages }), ...checkSetupDraft(draft, language).faults };
  return Object.keys(faults).length > 0
    ? { ok: false, faults }
    : { ok: true, body: { name: draft.name.trim(), ...typedSetup(draft), ...account } };
}

function ownFaults(
  { name, pairs, texts }: Draft,
  account: ReturnType<typeof typedAccount>,
  { available, messages }: DraftCheck,
): Faults {
  return {
    ...(name.trim() === '' ? { name: messages.nameMissing } : {}),
    ...(pairs.length === 0 ? { pairs: messages.pairsMissing } : {}),
    ...(account.key === '' ? { key: messages.keyMissing } : {}),
    // The engine accepts a capital of 0, but such a bot can never trade.
    ...(!isLiveDraft({ texts }) && figure(texts.currency_capital ?? '') === 0
      ? { currency_capital: messages.capitalMissing }
      : {}),
    ...allotmentFault(account.allotment, available, messages),
  };
}

function allotmentFault(allotment: string | undefined, available: string | null, messages: DraftMessages): Faults {
  if (allotment === undefined) return {};
  if (available !== null && decimalUnits(allotment) > decimalUnits(available)) {
    return { allotment: messages.allotmentTooLarge };
  }
  return (parseUnits(allotment) ?? 0) > 0 ? {} : { allotment: messages.allotmentWrong };
}
