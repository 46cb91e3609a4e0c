import { BOT_ALARMS } from '@heron/engine/bot/alarm.ts';
import type { ExternalChange } from '@heron/engine/live/externalChange.ts';
import { z } from 'zod';
import { botId, pair, venueId } from './entities.ts';

/** What owners of bots are told of, as it happens. */
export const NOTICE_KINDS = [
  /** Bought or sold. */
  'fill',
  /** A position is flat. */
  'position_closed',
  /** Sold by a stop, of the bot or at the exchange, or by the guard against liquidation. */
  'stop',
  'liquidation',
  /** Something that wants its owner. */
  'alarm',
  /** Something happened on the account without the bot, or otherwise than it expected. */
  'outside',
  /** Nothing was heard of the market, or of the account, for a minute. */
  'disconnect',
  'reconnected',
  /** The bot has halted and does nothing more. */
  'bot_error',
  /** The bot has ended by itself. */
  'bot_finished',
] as const;

/** What an alarm can be about: what the bot raises it about, what it saved, and what it is connected to. */
export const ALARMS = [
  ...BOT_ALARMS,
  'fault',
  'state_unreadable',
  'venue_differs',
  'venue_disabled',
  'state_too_new',
  'feed_away',
  'feed_back',
  'account_away',
  'account_back',
] as const;
export type Alarm = (typeof ALARMS)[number];

/** What happens outside in the ordinary course: money that its owner moved, and what the bot has found again. Nobody is told. */
export const ORDINARY_OUTSIDE = [
  'capital',
  'late_fill',
  'adopted',
  'order_expired',
] as const satisfies readonly ExternalChange[];

/** What owners are told of as `outside`; a liquidation is a kind of its own. */
export type OutsideTold = Exclude<ExternalChange, (typeof ORDINARY_OUTSIDE)[number] | 'liquidated'>;

export const noticeKind = z.enum(NOTICE_KINDS);
export type NoticeKind = z.infer<typeof noticeKind>;

/** Those that may want something of their owner. */
export const URGENT_NOTICES: readonly NoticeKind[] = [
  'stop',
  'liquidation',
  'alarm',
  'outside',
  'disconnect',
  'bot_error',
];

/** A bot and the number of the journal line that a notice tells of. */
export const noticeId = z.string().regex(/^([a-z0-9]{4}~)?[a-z0-9]{6}\.\d{1,15}$/);

export const notice = z.object({
  id: noticeId,
  bot: botId,
  /** Of the bot. */
  name: z.string(),
  mode: z.enum(['paper', 'live']),
  /** The venue that the bot trades on. */
  venue: venueId,
  at: z.number().int().min(0),
  pair: pair.nullable(),
  kind: noticeKind,
  /** Of the journal line; amounts are exact decimals. */
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  seen: z.boolean(),
});

export type Notice = z.infer<typeof notice>;

/** What one bot has told that may want something of its owner, and is unseen. */
export const botAlarms = z.object({
  bot: botId,
  count: z.number().int().min(0),
  newest: notice,
});

export type BotAlarms = z.infer<typeof botAlarms>;

/** What whoever sends notices on asks the bot host for: never reached by way of people's calls. */
export const HOST_NOTICES = {
  /** GET: those that nobody has taken yet, oldest first; waits for one as long as `wait` says, in seconds. */
  list: '/host/notices',
  /** POST: these are written down elsewhere. */
  taken: '/host/notices/taken',
} as const;

export const hostNotice = notice.omit({ seen: true }).extend({
  /** A user id of the platform. */
  owner: z.string(),
});
export const hostNotices = z.object({ notices: z.array(hostNotice) });
/** Most that are handed on at once. */
export const MOST_HANDED = 200;
export const hostNoticesQuery = z.object({ wait: z.coerce.number().min(0).max(30).default(0) });
export const hostNoticesTaken = z.object({ ids: z.array(noticeId).max(1_000) });

export type HostNotice = z.infer<typeof hostNotice>;
