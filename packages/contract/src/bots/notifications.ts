import type { ExternalChange } from '@heron/engine/live/externalChange.ts';
import { BOT_ALARMS } from '@heron/engine/state/botAlarm.ts';
import { z } from 'zod';
import { botId, pair, venueId } from './entities.ts';

/** What owners of bots are told of, as it happens. */
export const NOTIFICATION_KINDS = [
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
export const ROUTINE_EXTERNAL_CHANGES = [
  'capital',
  'late_fill',
  'adopted',
  'order_expired',
] as const satisfies readonly ExternalChange[];

/** What owners are told of as `outside`; a liquidation is a kind of its own. */
export type NotifiedExternalChange = Exclude<ExternalChange, (typeof ROUTINE_EXTERNAL_CHANGES)[number] | 'liquidated'>;

export const notificationKind = z.enum(NOTIFICATION_KINDS);
export type NotificationKind = z.infer<typeof notificationKind>;

/** Those that may want something of their owner. */
export const URGENT_NOTIFICATIONS: readonly NotificationKind[] = [
  'stop',
  'liquidation',
  'alarm',
  'outside',
  'disconnect',
  'bot_error',
];

/** A bot and the number of the journal line that a notice tells of. */
export const notificationId = z.string().regex(/^([a-z0-9]{4}~)?[a-z0-9]{6}\.\d{1,15}$/);

export const botNotification = z.object({
  id: notificationId,
  bot: botId,
  /** Of the bot. */
  name: z.string(),
  mode: z.enum(['paper', 'live']),
  /** The venue that the bot trades on. */
  venue: venueId,
  at: z.number().int().min(0),
  pair: pair.nullable(),
  kind: notificationKind,
  /** Of the journal line; amounts are exact decimals. */
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  seen: z.boolean(),
});

export type BotNotification = z.infer<typeof botNotification>;

/** What one bot has told that may want something of its owner, and is unseen. */
export const botAlarms = z.object({
  bot: botId,
  count: z.number().int().min(0),
  newest: botNotification,
});

export type BotAlarms = z.infer<typeof botAlarms>;

/** What whoever sends notices on asks the bot host for: never reached by way of people's calls. */
export const HOST_NOTIFICATION_PATHS = {
  /** GET: those that nobody has taken yet, oldest first; waits for one as long as `wait` says, in seconds. */
  list: '/host/notices',
  /** POST: these are written down elsewhere. */
  taken: '/host/notices/taken',
} as const;

export const hostNotification = botNotification.omit({ seen: true }).extend({
  /** A user id of the platform. */
  owner: z.string(),
});
export const hostNotifications = z.object({ notices: z.array(hostNotification) });
/** Most that are handed on at once. */
export const MAX_HOST_NOTIFICATIONS = 200;
export const hostNotificationsQuery = z.object({ wait: z.coerce.number().min(0).max(30).default(0) });
export const acknowledgedNotifications = z.object({ ids: z.array(notificationId).max(1_000) });

export type HostNotification = z.infer<typeof hostNotification>;
