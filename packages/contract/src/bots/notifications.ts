import type { ExternalChange } from '@heron/engine/live/externalChange.ts';
import { BOT_ALARMS } from '@heron/engine/state/botAlarm.ts';
import { z } from 'zod';
import { botId, pair, venueId } from './entities.ts';

/** Kinds of notifications, sent when the event happens. */
export const NOTIFICATION_KINDS = [
  /** An order was filled. */
  'fill',
  /** A position is flat. */
  'position_closed',
  /** A stop of the bot, a stop at the exchange or the liquidation guard has closed a position. */
  'stop',
  'liquidation',
  /** The bot needs an action of its owner. */
  'alarm',
  /** The account changed without the bot, or otherwise than it expected. */
  'outside',
  /** No market data, or no account data, arrived for a minute. */
  'disconnect',
  'reconnected',
  /** The bot has halted after an error. */
  'bot_error',
  /** The bot has finished without a command. */
  'bot_finished',
] as const;

/** Causes of alarms: causes that the bot reports, its saved state, and its connections. */
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

/** Expected external changes: deposits and withdrawals, and orders or fills that the bot has reconciled. No notification is sent. */
export const ROUTINE_EXTERNAL_CHANGES = [
  'capital',
  'late_fill',
  'adopted',
  'order_expired',
] as const satisfies readonly ExternalChange[];

/** External changes that are notified as `outside`; a liquidation is a kind of its own. */
export type NotifiedExternalChange = Exclude<ExternalChange, (typeof ROUTINE_EXTERNAL_CHANGES)[number] | 'liquidated'>;

export const notificationKind = z.enum(NOTIFICATION_KINDS);
export type NotificationKind = z.infer<typeof notificationKind>;

/** Kinds that may need an action of the owner. */
export const URGENT_NOTIFICATIONS: readonly NotificationKind[] = [
  'stop',
  'liquidation',
  'alarm',
  'outside',
  'disconnect',
  'bot_error',
];

/** Id of a bot and the number of the journal entry that caused the notification. */
export const notificationId = z.string().regex(/^([a-z0-9]{4}~)?[a-z0-9]{6}\.\d{1,15}$/);

export const botNotification = z.object({
  id: notificationId,
  bot: botId,
  /** Name of the bot. */
  name: z.string(),
  mode: z.enum(['paper', 'live']),
  /** Venue on which the bot trades. */
  venue: venueId,
  at: z.number().int().min(0),
  pair: pair.nullable(),
  kind: notificationKind,
  /** Data of the journal entry; amounts are exact decimals. */
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  seen: z.boolean(),
});

export type BotNotification = z.infer<typeof botNotification>;

/** Number of unseen urgent notifications of a bot, and the newest of them. */
export const botAlarms = z.object({
  bot: botId,
  count: z.number().int().min(0),
  newest: botNotification,
});

export type BotAlarms = z.infer<typeof botAlarms>;

/** Paths of the bot host for the process that delivers notifications. Calls of users never reach them. */
export const HOST_NOTIFICATION_PATHS = {
  /** GET: lists notifications that are not acknowledged yet, oldest first. Waits for the first one up to `wait` seconds. */
  list: '/host/notices',
  /** POST: acknowledges notifications that the caller has stored. */
  taken: '/host/notices/taken',
} as const;

export const hostNotification = botNotification.omit({ seen: true }).extend({
  /** User id of the platform. */
  owner: z.string(),
});
export const hostNotifications = z.object({ notices: z.array(hostNotification) });
/** Maximum number of notifications in one response. */
export const MAX_HOST_NOTIFICATIONS = 200;
export const hostNotificationsQuery = z.object({ wait: z.coerce.number().min(0).max(30).default(0) });
export const acknowledgedNotifications = z.object({ ids: z.array(notificationId).max(1_000) });

export type HostNotification = z.infer<typeof hostNotification>;
