import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { GivenSetup } from '@heron/engine/options/setup.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import type { z } from 'zod';
import {
  checkSetupDraft,
  draftOfBot,
  emptySetup,
  type Faults,
  type SetupDraft,
  setupDraft,
  typedSetup,
} from '../../../entities/bot/setup/setupDraft.ts';
import { readAmount } from '../../../lib/amount.ts';

/** The draft of a new bot. */
export interface Draft extends SetupDraft {
  readonly name: string;
  /** The account of a live bot. */
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

export type NewBot = z.input<NonNullable<typeof botCalls.create.body>>;

/** Most letters of a bot's name. */
export const NAME_LENGTH = 40;

const EMPTY_ACCOUNT: AccountDraft = { key: '', share: 'part', allotment: '' };

/** A form at the defaults of the option table. @param venue where the bot is to trade; the default venue when absent */
export function emptyDraft(venue?: VenueId): Draft {
  const setup = emptySetup();
  const texts = venue === undefined ? setup.texts : { ...setup.texts, exchange: venue };
  return { ...setup, texts, name: '', account: EMPTY_ACCOUNT };
}

/** Options that a template does not set; they keep their values. */
const OWN = ['exchange', 'mode', 'takerFee', 'makerFee', 'currency_capital', 'product_currency'];

/** A set-up by a template, or at the defaults, with venue, mode, money, fees and pairs as they are in a draft. */
export function fromTemplate({ texts, pairs }: SetupDraft, template: GivenSetup | null): SetupDraft {
  const begun = setupDraft(template ?? { options: {}, params: {} });
  const own = Object.entries(texts).filter(([name]) => OWN.includes(name));
  return { ...begun, pairs, texts: { ...begun.texts, ...Object.fromEntries(own) } };
}

function withMode(setup: SetupDraft, mode: string): SetupDraft {
  return { ...setup, texts: { ...setup.texts, mode } };
}

/**
 * A draft with a set-up that came from elsewhere. Its mode stays, but on a venue where nothing can be traded live it is
 * paper; its account stays where venue and currency do.
 *
 * @param live venues with live trading
 */
export function withImport(draft: Draft, taken: GivenSetup, live: readonly string[]): Draft {
  const setup = setupDraft(taken);
  const { exchange = '', product_currency } = setup.texts;
  const same = exchange === draft.texts.exchange && product_currency === draft.texts.product_currency;
  return {
    ...draft,
    ...withMode(setup, live.includes(exchange) ? (draft.texts.mode ?? 'paper') : 'paper'),
    account: same ? draft.account : EMPTY_ACCOUNT,
  };
}

/** A draft of a bot like another one, without its account. */
export function draftLike(bot: Pick<BotDetail, 'options' | 'strategy'>, name: string): Draft {
  return { ...emptyDraft(), ...withMode(draftOfBot(bot), 'paper'), name: name.slice(0, NAME_LENGTH) };
}

/** Texts of the faults that no rule of the engine knows. */
export type DraftMessages = Readonly<Record<'nameMissing' | 'pairsMissing' | 'keyMissing' | 'allotmentWrong', string>>;

/** Whether what is typed is to trade with money. */
export const isLiveDraft = ({ texts }: Pick<Draft, 'texts'>) => texts.mode === 'live';

/** The account of a live bot as it is sent; nothing for a paper bot. */
function typedAccount(draft: Draft): { key?: string; allotment?: string } {
  if (!isLiveDraft(draft)) return {};
  const { key, share, allotment } = draft.account;
  return share === 'all' ? { key } : { key, allotment: readAmount(allotment) ?? '' };
}

/**
 * Checks a draft by the same rules as the bot host. What is hidden is not sent.
 *
 * @returns what to send, or what is wrong, by field: also `name`, `pairs`, `key` and `allotment`
 */
export function checkDraft(
  draft: Draft,
  language: 'zh' | 'en',
  messages: DraftMessages,
): { ok: true; body: NewBot } | { ok: false; faults: Faults } {
  const account = typedAccount(draft);
  const faults = { ...ownFaults(draft, account, messages), ...checkSetupDraft(draft, language).faults };
  return Object.keys(faults).length > 0
    ? { ok: false, faults }
    : { ok: true, body: { name: draft.name.trim(), ...typedSetup(draft), ...account } };
}

function ownFaults({ name, pairs }: Draft, account: ReturnType<typeof typedAccount>, messages: DraftMessages): Faults {
  return {
    ...(name.trim() === '' ? { name: messages.nameMissing } : {}),
    ...(pairs.length === 0 ? { pairs: messages.pairsMissing } : {}),
    ...(account.key === '' ? { key: messages.keyMissing } : {}),
    ...(account.allotment !== undefined && !(Number(account.allotment) > 0)
      ? { allotment: messages.allotmentWrong }
      : {}),
  };
}
