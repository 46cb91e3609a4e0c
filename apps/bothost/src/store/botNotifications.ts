import {
  type BotAlarms,
  type BotNotification,
  type HostNotification,
  MAX_HOST_NOTIFICATIONS,
  URGENT_NOTIFICATIONS,
} from '@heron/contract/bots/notifications.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { and, asc, count, desc, eq, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { modeOf } from './botRow.ts';

/** Notifications are stored for this time, seen or not. */
const RETENTION_MS = 90 * 86_400_000;
const SEPARATOR = '.';

/** Returns a page of an owner's notifications, newest first, the cursor of the next page, and the number of all unseen ones. */
export async function notificationPage(
  database: Database,
  owner: string,
  query: { bot?: string | undefined; only?: 'urgent' | undefined; before?: string | undefined; limit: number },
): Promise<{ notices: BotNotification[]; next: string | null; unseen: number }> {
  const before = query.before === undefined ? null : parseCursor(query.before);
  const { at, botId, seq } = table.notification;
  const [rows, unseen] = await Promise.all([
    selectNotifications(database, query.limit + 1, [
      eq(table.notification.owner, owner),
      query.bot === undefined ? undefined : eq(botId, query.bot),
      query.only === undefined ? undefined : isUrgent(),
      before === null
        ? undefined
        : sql`(${at}, ${botId}, ${seq}) < (${before.at}::bigint, ${before.bot}, ${before.seq}::bigint)`,
    ]),
    unseenCount(database, owner),
  ]);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1)?.notification;
  return {
    notices: page.map(shown),
    next: rows.length > query.limit && last ? [last.at, last.botId, last.seq].join(SEPARATOR) : null,
    unseen,
  };
}

/** Returns the number of unseen notifications of an owner. */
export async function unseenCount({ orm }: Database, owner: string): Promise<number> {
  const unseen = and(eq(table.notification.owner, owner), isNull(table.notification.seenAt));
  const [row] = await orm.select({ count: count() }).from(table.notification).where(unseen);
  return row?.count ?? 0;
}

/** Returns for each bot with unseen urgent notifications their number and the newest of them. */
export async function unseenAlarms({ orm }: Database, owner: string): Promise<BotAlarms[]> {
  const { at, botId, seq } = table.notification;
  const rows = await orm
    .selectDistinctOn([botId], {
      notification: table.notification,
      bot: { name: table.bot.name, options: table.bot.options },
      count: sql<number>`(count(*) over (partition by ${botId}))::int`,
    })
    .from(table.notification)
    .innerJoin(table.bot, eq(table.bot.id, botId))
    .where(and(eq(table.notification.owner, owner), isNull(table.notification.seenAt), isUrgent()))
    .orderBy(botId, desc(at), desc(seq));
  return rows.map((row) => ({ bot: row.notification.botId, count: row.count, newest: shown(row) }));
}

/** Marks notifications of an owner as seen: those with the given ids, or all. */
export async function markSeen(
  { orm }: Database,
  owner: string,
  which: { ids: readonly string[] } | { all: true },
  at: number,
): Promise<void> {
  const named = 'ids' in which ? among(which.ids) : undefined;
  await orm
    .update(table.notification)
    .set({ seenAt: at })
    .where(and(eq(table.notification.owner, owner), isNull(table.notification.seenAt), named));
}

/** The notifications that a paired Heron may read. */
export interface Share {
  readonly owner: string;
  /** When it was paired, in ms. Earlier notifications are not sent on. */
  readonly since: number;
}

/** Returns the notifications that were not delivered yet, oldest first. @param share null for those of all owners */
export async function undeliveredNotifications(
  database: Database,
  share: Share | null = null,
): Promise<HostNotification[]> {
  const open = [isNull(table.notification.takenAt), ...withinShare(share)];
  const rows = await selectNotifications(database, MAX_HOST_NOTIFICATIONS, open, asc(table.notification.at));
  return rows.map((row) => ({ ...notificationOf(row), owner: row.notification.owner }));
}

/** Marks notifications as delivered. A repeated call changes nothing. @param share null for those of all owners */
export async function markDelivered(
  { orm }: Database,
  ids: readonly string[],
  at: number,
  share: Share | null = null,
): Promise<void> {
  if (ids.length === 0) return;
  await orm
    .update(table.notification)
    .set({ takenAt: at })
    .where(and(isNull(table.notification.takenAt), among(ids), ...withinShare(share)));
}

function withinShare(share: Share | null): SQL[] {
  return share === null ? [] : [eq(table.notification.owner, share.owner), gte(table.notification.at, share.since)];
}

/** Deletes notifications that are older than {@link RETENTION_MS}. */
export async function deleteOldNotifications({ orm }: Database, at: number): Promise<void> {
  await orm.delete(table.notification).where(lt(table.notification.at, at - RETENTION_MS));
}

interface NotificationRow {
  readonly notification: typeof table.notification.$inferSelect;
  readonly bot: Pick<typeof table.bot.$inferSelect, 'name' | 'options'>;
}

function selectNotifications(
  { orm }: Database,
  limit: number,
  conditions: (SQL | undefined)[],
  order?: SQL,
): Promise<NotificationRow[]> {
  const { at, botId, seq } = table.notification;
  return orm
    .select({ notification: table.notification, bot: { name: table.bot.name, options: table.bot.options } })
    .from(table.notification)
    .innerJoin(table.bot, eq(table.bot.id, botId))
    .where(and(...conditions))
    .orderBy(...(order === undefined ? [desc(at), desc(botId), desc(seq)] : [order, asc(botId), asc(seq)]))
    .limit(limit);
}

function isUrgent(): SQL {
  return inArray(table.notification.kind, [...URGENT_NOTIFICATIONS]);
}

function shown(row: NotificationRow): BotNotification {
  return { ...notificationOf(row), seen: row.notification.seenAt !== null };
}

function notificationOf({ notification, bot }: NotificationRow): Omit<BotNotification, 'seen'> {
  const { botId, seq, at, pair, data } = notification;
  return {
    id: `${botId}${SEPARATOR}${seq}`,
    ...{ bot: botId, name: bot.name, mode: modeOf(bot) },
    // The worker writes only ids and kinds of the contract.
    venue: notification.venue as BotNotification['venue'],
    ...{ at, pair, kind: notification.kind as BotNotification['kind'], data },
  };
}

/** Returns the condition for some ids, which the contract has checked. */
function among(ids: readonly string[]): SQL {
  const parts = ids.map((id) => id.split(SEPARATOR));
  const bots = sql.param(parts.map(([bot]) => bot));
  const lines = sql.param(parts.map(([, line]) => line));
  return sql`(${table.notification.botId}, ${table.notification.seq}) in (select * from unnest(${bots}::text[], ${lines}::bigint[]))`;
}

/** Parses a cursor that {@link notificationPage} has made. @throws CallError `invalid_request` */
function parseCursor(text: string): { at: number; bot: string; seq: number } {
  const match = /^(\d{1,15})\.([a-z0-9]{6})\.(\d{1,15})$/.exec(text);
  if (!match) throw new CallError('invalid_request', { reason: 'before' });
  return { at: Number(match[1]), bot: match[2] as string, seq: Number(match[3]) };
}
