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

/** How long notifications are stored, seen or not. */
const KEEP_MS = 90 * 86_400_000;
const SEPARATOR = '.';

/** What an owner was told of, newest first, where the next page begins, and how much of all of it is unseen. */
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
  const last = page.at(-1)?.notice;
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

/** Of each bot of an owner that has any: how much of what may want something of them is unseen, and the newest of it. */
export async function unseenAlarms({ orm }: Database, owner: string): Promise<BotAlarms[]> {
  const { at, botId, seq } = table.notification;
  const rows = await orm
    .selectDistinctOn([botId], {
      notice: table.notification,
      bot: { name: table.bot.name, options: table.bot.options },
      count: sql<number>`(count(*) over (partition by ${botId}))::int`,
    })
    .from(table.notification)
    .innerJoin(table.bot, eq(table.bot.id, botId))
    .where(and(eq(table.notification.owner, owner), isNull(table.notification.seenAt), isUrgent()))
    .orderBy(botId, desc(at), desc(seq));
  return rows.map((row) => ({ bot: row.notice.botId, count: row.count, newest: shown(row) }));
}

/** Marks notices of an owner as seen, those named or all. */
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
  /** Since when it is paired, ms: what happened before is nothing to send on. */
  readonly since: number;
}

/** Notices that nobody has taken yet, oldest first. @param share null: those of all owners */
export async function undeliveredNotifications(
  database: Database,
  share: Share | null = null,
): Promise<HostNotification[]> {
  const open = [isNull(table.notification.takenAt), ...withinShare(share)];
  const rows = await selectNotifications(database, MAX_HOST_NOTIFICATIONS, open, asc(table.notification.at));
  return rows.map((row) => ({ ...notificationOf(row), owner: row.notice.owner }));
}

/** Notes that notices are written down elsewhere. Twice is once. @param share null: whosever they are */
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

/** Deletes what is too old to be of use. */
export async function deleteOldNotifications({ orm }: Database, at: number): Promise<void> {
  await orm.delete(table.notification).where(lt(table.notification.at, at - KEEP_MS));
}

interface NotificationRow {
  readonly notice: typeof table.notification.$inferSelect;
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
    .select({ notice: table.notification, bot: { name: table.bot.name, options: table.bot.options } })
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
  return { ...notificationOf(row), seen: row.notice.seenAt !== null };
}

function notificationOf({ notice, bot }: NotificationRow): Omit<BotNotification, 'seen'> {
  const { botId, seq, at, pair, data } = notice;
  return {
    id: `${botId}${SEPARATOR}${seq}`,
    ...{ bot: botId, name: bot.name, mode: modeOf(bot) },
    // Written by the worker in words of the contract.
    venue: notice.venue as BotNotification['venue'],
    ...{ at, pair, kind: notice.kind as BotNotification['kind'], data },
  };
}

/** @param ids as the contract has checked them */
function among(ids: readonly string[]): SQL {
  const parts = ids.map((id) => id.split(SEPARATOR));
  const bots = sql.param(parts.map(([bot]) => bot));
  const lines = sql.param(parts.map(([, line]) => line));
  return sql`(${table.notification.botId}, ${table.notification.seq}) in (select * from unnest(${bots}::text[], ${lines}::bigint[]))`;
}

/** Cursors are ours to make; anything else is refused. */
function parseCursor(text: string): { at: number; bot: string; seq: number } {
  const match = /^(\d{1,15})\.([a-z0-9]{6})\.(\d{1,15})$/.exec(text);
  if (!match) throw new CallError('invalid_request', { reason: 'before' });
  return { at: Number(match[1]), bot: match[2] as string, seq: Number(match[3]) };
}
