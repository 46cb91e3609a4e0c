import { botCalls } from '@heron/contract/bots/calls.ts';
import {
  type BotNotification,
  hostNotification,
  MAX_HOST_NOTIFICATIONS,
  notificationId,
} from '@heron/contract/bots/notifications.ts';
import { hostOf, idHere } from '@heron/contract/bots/pairedHosts.ts';
import { type StreamMessage, streamMessage } from '@heron/contract/bots/stream.ts';
import { z } from 'zod';
import { failFast, parseOrThrow } from './failFast.ts';
import { HostProblem, parseHostJson } from './hostConnections.ts';

type BotCalls = typeof botCalls;
type Name = keyof BotCalls;
type Answer<N extends Name> = z.output<BotCalls[N]['response']>;
/** Translates an id of a paired bot host to the id that the client uses. */
type TranslateId = (id: string) => string;

const translateId = <Item extends { id: string }>(item: Item, here: TranslateId): Item => ({
  ...item,
  id: here(item.id),
});
/** Clocks differ by less. Otherwise a host could keep its notifications on top for ever. */
const MAX_CLOCK_SKEW_MS = 86_400_000;
const translateNotification = <Item extends Omit<BotNotification, 'seen'>>(notice: Item, here: TranslateId): Item => ({
  ...translateId(notice, here),
  ...{ bot: here(notice.bot), at: Math.min(notice.at, Date.now() + MAX_CLOCK_SKEW_MS) },
});
const translateKey = <Key extends { bots: string[] }>(key: Key, here: TranslateId): Key => ({
  ...key,
  bots: key.bots.map(here),
});

/** Translations of responses that contain ids of bots; null for responses without. */
const NAMED: { [N in Name]: ((answer: Answer<N>, here: TranslateId) => Answer<N>) | null } = {
  list: ({ bots }, here) => ({ bots: bots.map((bot) => translateId(bot, here)) }),
  create: translateId,
  get: translateId,
  rename: translateId,
  start: translateId,
  stop: translateId,
  drain: translateId,
  close: translateId,
  resetPaper: translateId,
  setExit: translateId,
  removeExit: translateId,
  cancelOrder: translateId,
  resume: translateId,
  change: ({ bot, changes }, here) => ({ bot: translateId(bot, here), changes }),
  halt: ({ confirmed, bot }, here) => ({ confirmed, bot: translateId(bot, here) }),
  haltAll: ({ bots }, here) => ({
    bots: bots.map(({ confirmed, bot }) => ({ confirmed, bot: translateId(bot, here) })),
  }),
  profits: ({ bots }, here) => ({ bots: bots.map((bot) => translateId(bot, here)) }),
  portfolio: ({ groups, uncounted }, here) => ({
    groups: groups.map((group) => ({
      ...group,
      bots: group.bots.map((row) => ({ ...row, bot: here(row.bot) })),
      positions: group.positions.map((row) => ({ ...row, bot: here(row.bot) })),
      returns: group.returns.map((row) => ({ ...row, bot: here(row.bot) })),
      // The merge makes them from the returns of all hosts.
      correlations: [],
    })),
    uncounted: uncounted.map((row) => ({ ...row, bot: here(row.bot) })),
  }),
  notifications: ({ notices, ...page }, here) => ({
    ...page,
    notices: notices.map((notice) => translateNotification(notice, here)),
  }),
  alarms: ({ bots }, here) => ({
    bots: bots.map(({ bot, newest, ...of }) => ({
      ...of,
      bot: here(bot),
      newest: translateNotification(newest, here),
    })),
  }),
  keys: ({ keys }, here) => ({ keys: keys.map((key) => translateKey(key, here)) }),
  testKey: translateKey,
  keyBalance: null,
  addKey: translateKey,
  addDemoKey: translateKey,
  ...{ exchanges: null, markets: null, marketCandles: null, pastCandles: null, marketTerms: null },
  ...{ remove: null, markNotificationsSeen: null, prepareKeys: null, removeKey: null },
  ...{ order: null, previewOrder: null },
  ...{ candles: null, trades: null, positions: null, equity: null, figures: null, journal: null },
};

const ANSWERS = new Map<Name, z.ZodType>(
  Object.entries(botCalls).map(([name, { response }]) => [name as Name, failFast<z.ZodType>(response)]),
);
const pushed = failFast(streamMessage);
const notificationList = failFast(
  z.object({ notices: z.array(z.object({ id: notificationId }).loose()).max(MAX_HOST_NOTIFICATIONS) }),
);
/** A notification to be forwarded. No name of a bot is longer. */
const forwardedNotification = hostNotification
  .omit({ owner: true })
  .extend({ name: z.string().max(200) })
  .refine(({ id, bot }) => hostOf(id) === null && hostOf(bot) === null);
/** Maximum length of a notification. The longest ones contain a text of an exchange. */
const MAX_NOTIFICATION_LENGTH = 8_000;
const anyMessage = z.object({ type: z.string() });
const KINDS = new Set<string>(streamMessage.options.map(({ shape }) => shape.type.value));

/** @throws HostProblem `differs` */
function parseAs<Read>(schema: z.ZodType<Read>, given: unknown): Read {
  try {
    return parseOrThrow(schema, given);
  } catch (error) {
    throw new HostProblem('differs', error);
  }
}

/** Returns the translation of ids of one host. Rejects ids that name another host. @throws HostProblem */
function createTranslator(host: string): TranslateId {
  return (id) => {
    if (id.includes('~')) throw new HostProblem('differs', new Error('it names what is not its own'));
    return idHere(host, id);
  };
}

/** Validates a response of a paired bot host and translates its ids. @throws HostProblem `differs` */
export function translateResponse<N extends Name>(host: string, name: N, body: unknown): Answer<N> {
  // The schema of the same call has parsed it.
  const answer = parseAs(ANSWERS.get(name) ?? z.never(), body) as Answer<N>;
  return NAMED[name]?.(answer, createTranslator(host)) ?? answer;
}

/**
 * Validates the notifications of a paired bot host and translates their ids. Skips notifications that cannot be parsed,
 * and acknowledges them with the rest.
 *
 * @returns also all ids as the bot host knows them
 * @throws HostProblem `differs`
 */
export function translateNotifications(host: string, body: unknown) {
  const { notices } = parseAs(notificationList, body);
  const here = createTranslator(host);
  return {
    ids: notices.map(({ id }) => id),
    notices: notices.flatMap((each) => {
      const read = forwardedNotification.safeParse(each);
      return read.success && JSON.stringify(read.data).length <= MAX_NOTIFICATION_LENGTH
        ? translateNotification(read.data, here)
        : [];
    }),
  };
}

/**
 * Validates a message of a paired bot host and translates its ids; null for an unknown kind.
 *
 * @throws HostProblem `differs`
 */
export function translateStreamMessage(host: string, text: string): StreamMessage | null {
  const here = createTranslator(host);
  const given = parseHostJson(text);
  const { type } = parseAs(anyMessage, given);
  if (!KINDS.has(type)) return null;
  const message = parseAs(pushed, given);
  switch (message.type) {
    case 'bot':
      return { ...message, bot: translateId(message.bot, here) };
    case 'detail':
      return { ...message, bot: translateId(message.bot, here) };
    case 'notice':
      return { ...message, notice: translateNotification(message.notice, here) };
    case 'unseen':
      return message;
    // Only the platform reports the state of a paired host.
    case 'host':
      return null;
    default:
      return translateId(message, here);
  }
}
