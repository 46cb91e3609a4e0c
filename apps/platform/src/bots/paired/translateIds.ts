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
/** How an id of a paired bot host is known here. */
type Here = (id: string) => string;

const withId = <Told extends { id: string }>(told: Told, here: Here): Told => ({ ...told, id: here(told.id) });
/** Clocks differ, but by less: otherwise a host could keep its notices before all others for good. */
const AHEAD_MS = 86_400_000;
const noticeHere = <Told extends Omit<BotNotification, 'seen'>>(notice: Told, here: Here): Told => ({
  ...withId(notice, here),
  ...{ bot: here(notice.bot), at: Math.min(notice.at, Date.now() + AHEAD_MS) },
});
const keyHere = <Key extends { bots: string[] }>(key: Key, here: Here): Key => ({ ...key, bots: key.bots.map(here) });

/** Answers that name bots, with the names that those have here. Null: it names none, and is what it is. */
const NAMED: { [N in Name]: ((answer: Answer<N>, here: Here) => Answer<N>) | null } = {
  list: ({ bots }, here) => ({ bots: bots.map((bot) => withId(bot, here)) }),
  create: withId,
  get: withId,
  start: withId,
  stop: withId,
  drain: withId,
  resetPaper: withId,
  takeBack: withId,
  resume: withId,
  change: ({ bot, changes }, here) => ({ bot: withId(bot, here), changes }),
  halt: ({ confirmed, bot }, here) => ({ confirmed, bot: withId(bot, here) }),
  haltAll: ({ bots }, here) => ({ bots: bots.map(({ confirmed, bot }) => ({ confirmed, bot: withId(bot, here) })) }),
  profits: ({ bots }, here) => ({ bots: bots.map((bot) => withId(bot, here)) }),
  notifications: ({ notices, ...page }, here) => ({
    ...page,
    notices: notices.map((notice) => noticeHere(notice, here)),
  }),
  alarms: ({ bots }, here) => ({
    bots: bots.map(({ bot, newest, ...of }) => ({ ...of, bot: here(bot), newest: noticeHere(newest, here) })),
  }),
  keys: ({ keys }, here) => ({ keys: keys.map((key) => keyHere(key, here)) }),
  testKey: keyHere,
  addKey: keyHere,
  ...{ exchanges: null, markets: null, marketCandles: null, pastCandles: null, marketTerms: null },
  ...{ remove: null, markNotificationsSeen: null, prepareKeys: null, removeKey: null, order: null },
  ...{ candles: null, trades: null, equity: null, figures: null, journal: null },
};

const ANSWERS = new Map<Name, z.ZodType>(
  Object.entries(botCalls).map(([name, { response }]) => [name as Name, failFast<z.ZodType>(response)]),
);
const pushed = failFast(streamMessage);
const handedOut = failFast(
  z.object({ notices: z.array(z.object({ id: notificationId }).loose()).max(MAX_HOST_NOTIFICATIONS) }),
);
/** A notice that is sent on; no name of a bot is longer. */
const sentOn = hostNotification
  .omit({ owner: true })
  .extend({ name: z.string().max(200) })
  .refine(({ id, bot }) => hostOf(id) === null && hostOf(bot) === null);
/** The longest has a sentence of an exchange in it. */
const MOST_OF_NOTICE = 8_000;
const anyMessage = z.object({ type: z.string() });
const KINDS = new Set<string>(streamMessage.options.map(({ shape }) => shape.type.value));

/** @throws HostProblem `differs` */
function readAs<Read>(schema: z.ZodType<Read>, given: unknown): Read {
  try {
    return parseOrThrow(schema, given);
  } catch (error) {
    throw new HostProblem('differs', error);
  }
}

/** How ids of one paired bot host are known here. One that names another host is no id. @throws HostProblem */
function namer(host: string): Here {
  return (id) => {
    if (id.includes('~')) throw new HostProblem('differs', new Error('it names what is not its own'));
    return idHere(host, id);
  };
}

/**
 * What a paired bot host has answered to a call, if it is an answer to it at all.
 *
 * @throws HostProblem `differs`
 */
export function translateResponse<N extends Name>(host: string, name: N, body: unknown): Answer<N> {
  // The schema of this very call reads it.
  const answer = readAs(ANSWERS.get(name) ?? z.never(), body) as Answer<N>;
  return NAMED[name]?.(answer, namer(host)) ?? answer;
}

/**
 * What a paired bot host has handed out to be sent on. What cannot be read, as of another version, keeps nothing else from being
 * sent: it is taken with the rest.
 *
 * @returns with the ids by which all that was handed out is known there
 * @throws HostProblem `differs`
 */
export function translateNotifications(host: string, body: unknown) {
  const { notices } = readAs(handedOut, body);
  const here = namer(host);
  return {
    ids: notices.map(({ id }) => id),
    notices: notices.flatMap((each) => {
      const read = sentOn.safeParse(each);
      return read.success && JSON.stringify(read.data).length <= MOST_OF_NOTICE ? noticeHere(read.data, here) : [];
    }),
  };
}

/** What a paired bot host has pushed; null for a kind of message that nobody here knows. @throws HostProblem `differs` */
export function translateStreamMessage(host: string, text: string): StreamMessage | null {
  const here = namer(host);
  const given = parseHostJson(text);
  const { type } = readAs(anyMessage, given);
  if (!KINDS.has(type)) return null;
  const message = readAs(pushed, given);
  switch (message.type) {
    case 'bot':
      return { ...message, bot: withId(message.bot, here) };
    case 'detail':
      return { ...message, bot: withId(message.bot, here) };
    case 'notice':
      return { ...message, notice: noticeHere(message.notice, here) };
    case 'unseen':
      return message;
    // Only we say how a paired bot host is.
    case 'host':
      return null;
    default:
      return withId(message, here);
  }
}
