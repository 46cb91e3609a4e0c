import { hostOf } from '@heron/contract/bots/pairedHosts.ts';
import type { Database } from '@heron/database/connect.ts';
import { notifyChannels, notifyDeliveries } from '@heron/database/schema/accounts.ts';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { type ChannelRow, channelsOf, wants } from './channels.ts';
import type { CollectedNotification, DeliverableNotification } from './collectedNotification.ts';

/** Hours after which a notification is no longer sent. */
const MAX_AGE_HOURS = 24;
/** Days for which finished deliveries are stored, so that they are not sent again. */
const RETENTION_DAYS = 7;
/** Seconds after which another platform sends a message whose sender has died. */
const LEASE_S = 120;
/** Notifications per message. */
const MAX_JOINED = 100;
/**
 * Messages per hour and channel about bots of paired hosts. Further ones are collected, so that a user's machine cannot
 * use up the mail server.
 */
const MAX_FROM_PAIRED_HOSTS = 60;
const FLOOD_WAIT_S = 600;
/** Delays before further tries, in seconds. */
const RETRY_DELAYS_S = [60, 300, 900, 3_600, 10_800, 21_600] as const;
/** Longest delay that a receiver can request. */
const MAX_REQUESTED_DELAY_S = 21_600;

/** Notifications with the same key within `waitS` seconds are joined into one message. */
interface JoinRule {
  readonly key: string;
  readonly waitS: number;
}

function joinRuleOf({ id, bot, kind, pair, data }: CollectedNotification): JoinRule {
  switch (kind) {
    case 'fill':
    case 'stop':
    case 'position_closed':
      return { key: `${kind} ${bot}`, waitS: 10 };
    case 'liquidation':
      // The exchange may fill a liquidation in parts.
      return { key: `${kind} ${bot} ${pair}`, waitS: 10 };
    case 'disconnect':
    case 'reconnected':
      return { key: kind, waitS: 10 };
    case 'alarm':
    case 'outside':
      // A lasting problem is reported every minute.
      return { key: `${kind} ${bot} ${pair} ${data.what}`, waitS: 600 };
    default:
      return { key: id, waitS: 0 };
  }
}

/** Joins more for e-mails, because a mail server limits messages, and users wait for their codes. */
function emailJoinRuleOf(notice: CollectedNotification): JoinRule {
  switch (notice.kind) {
    case 'fill':
    case 'position_closed':
      return { key: notice.kind, waitS: 300 };
    case 'stop':
    case 'disconnect':
    case 'reconnected':
      return { key: notice.kind, waitS: 60 };
    default:
      return joinRuleOf(notice);
  }
}

/** Stores the deliveries of notifications for all channels that want them. Existing deliveries stay unchanged. */
export async function writeDeliveries(
  database: Database,
  notices: readonly CollectedNotification[],
  now: number,
): Promise<void> {
  const fresh = notices.filter(({ at, owner }) => now - at < MAX_AGE_HOURS * 3_600_000 && /^\d{1,15}$/.test(owner));
  const channels = await channelsOf(
    database,
    inArray(notifyChannels.userId, [...new Set(fresh.map(({ owner }) => Number(owner)))]),
  );
  const rows = fresh.flatMap((notice) =>
    channels
      .filter((channel) => channel.row.userId === Number(notice.owner) && wants(channel, notice.bot, notice.kind))
      .map(({ row }) => {
        const { owner: _, ...content } = notice;
        const { key, waitS } = row.kind === 'email' ? emailJoinRuleOf(notice) : joinRuleOf(notice);
        const paired = hostOf(notice.bot) !== null;
        return { channelId: row.id, noticeId: notice.id, joinKey: key, waitS, paired, notice: content };
      }),
  );
  if (rows.length === 0) return;
  await database.pool.query(WRITE, [JSON.stringify(rows), MAX_FROM_PAIRED_HOSTS, FLOOD_WAIT_S]);
}

/**
 * The first of a kind is sent at once. Later ones wait and are joined. A channel flooded by paired bot hosts joins all
 * their notifications.
 */
const WRITE = `
  with given as (
    select * from json_to_recordset($1::json)
      as given("channelId" uuid, "noticeId" text, "joinKey" text, "waitS" int, paired boolean, notice jsonb)
  ), flooded as (
    select channel_id from accounts.notify_deliveries
    where channel_id in (select "channelId" from given where paired) and notice_id like '%~%'
      and join_key <> 'flood' and made_at > now() - interval '1 hour' and (message is null or message = id)
    group by channel_id having count(*) >= $2
  ), keyed as (
    select given.*, "channelId" in (select channel_id from flooded) and paired as is_flood from given
  ), joined as (
    select "channelId", "noticeId", notice, case when is_flood then 'flood' else "joinKey" end as key,
      make_interval(secs => case when is_flood then $3::int else "waitS" end) as wait
    from keyed
  )
  insert into accounts.notify_deliveries (channel_id, notice_id, join_key, notice, next_at)
  select "channelId", "noticeId", key, notice,
    case when exists (
      select from accounts.notify_deliveries as before
      where before.channel_id = "channelId" and before.join_key = key and before.made_at > now() - wait
    ) then now() + wait else now() end
  from joined
  on conflict (channel_id, notice_id) do nothing`;

/** Notifications that are sent to one channel as one message. */
export interface ClaimedMessage {
  readonly channelId: string;
  readonly ids: readonly number[];
  readonly notifications: readonly DeliverableNotification[];
}

/**
 * Claims due messages, one per channel, so that each is sent within the lease. A repeated message has the same
 * notifications again. A new message includes all that wait with the same key.
 *
 * @param kind of channels, as `notify_channels.kind`
 * @param busy ids of channels to skip
 * @param max number of messages
 */
export async function claimDue(
  { pool }: Database,
  kind: string,
  busy: readonly string[],
  max: number,
): Promise<ClaimedMessage[]> {
  const { rows } = await pool.query<{ id: string; channel_id: string; notice: DeliverableNotification }>(CLAIM, [
    LEASE_S,
    kind,
    busy,
    max,
    MAX_JOINED,
  ]);
  const messages = Map.groupBy(
    rows.sort((a, b) => Number(a.id) - Number(b.id)),
    ({ channel_id }) => channel_id,
  );
  return [...messages].map(([channelId, parts]) => ({
    channelId,
    ids: parts.map(({ id }) => Number(id)),
    notifications: parts.map(({ notice }) => notice),
  }));
}

/**
 * Channels with the smallest backlog come first, so that slow channels delay nobody. Within a channel, the message with
 * the fewest tries comes first. A lock on the channel keeps two platforms from splitting one message.
 */
const CLAIM = `
  with due as (
    select distinct on (waiting.channel_id) waiting.channel_id, waiting.join_key, waiting.message, waiting.next_at,
      count(*) over (partition by waiting.channel_id) as backlog
    from accounts.notify_deliveries as waiting
    join accounts.notify_channels as channel on channel.id = waiting.channel_id
    where waiting.done_at is null and waiting.next_at <= now()
      and channel.kind = $2 and channel.disabled_at is null and waiting.channel_id <> all($3::uuid[])
    order by waiting.channel_id, waiting.tries, waiting.id
  ), chosen as (
    select due.* from due join accounts.notify_channels as channel on channel.id = due.channel_id
    order by due.backlog, due.next_at limit $4 for no key update of channel skip locked
  ), picked as (
    select part.id, chosen.channel_id from chosen cross join lateral (
      select waiting.id from accounts.notify_deliveries as waiting
      where waiting.channel_id = chosen.channel_id and waiting.join_key = chosen.join_key
        and waiting.message is not distinct from chosen.message
        and waiting.done_at is null and (waiting.next_at <= now() or waiting.tries = 0)
      order by waiting.id limit $5 for update of waiting
    ) as part
  ), numbered as (
    select id, min(id) over (partition by channel_id) as message from picked
  )
  update accounts.notify_deliveries as taken
  set tries = tries + 1, next_at = now() + make_interval(secs => $1), message = coalesce(taken.message, numbered.message)
  from numbered where taken.id = numbered.id
  returning taken.id, taken.channel_id, taken.notice`;

/** Marks a message as sent. */
export async function markSent({ orm }: Database, { channelId, ids }: ClaimedMessage): Promise<void> {
  await orm
    .update(notifyDeliveries)
    .set({ doneAt: sql`now()`, sent: true })
    .where(inArray(notifyDeliveries.id, [...ids]));
  await orm
    .update(notifyChannels)
    .set({ failingSince: null, failureReason: null })
    .where(eq(notifyChannels.id, channelId));
}

/**
 * Marks a message as failed, to be retried for a day. Delays other due messages of the channel too.
 *
 * @param why.retryAfterS minimum delay that the receiver has requested
 * @param why.blocked whether its owner has blocked the sender
 */
export async function markFailed(
  { orm, pool }: Database,
  { channelId, ids }: ClaimedMessage,
  { retryAfterS, blocked }: { readonly retryAfterS: number | null; readonly blocked: boolean },
): Promise<void> {
  const wished = Math.min(retryAfterS ?? 0, MAX_REQUESTED_DELAY_S);
  await pool.query(FAILED, [ids, channelId, RETRY_DELAYS_S, MAX_AGE_HOURS, wished]);
  await orm
    .update(notifyChannels)
    .set({
      failingSince: sql`coalesce(${notifyChannels.failingSince}, now())`,
      failureReason: blocked ? 'blocked' : null,
    })
    .where(eq(notifyChannels.id, channelId));
}

/**
 * Marks the subscription of a browser as expired and drops its pending messages. The channel keeps its rules until the
 * browser subscribes again or its owner removes it.
 *
 * @param sentTo the channel at the time of sending; a channel with a newer subscription stays unchanged
 */
export async function markSubscriptionExpired({ orm }: Database, { id, placeHmac }: ChannelRow): Promise<void> {
  const noted = await orm
    .update(notifyChannels)
    .set({ failingSince: sql`coalesce(${notifyChannels.failingSince}, now())`, failureReason: 'gone' })
    .where(and(eq(notifyChannels.id, id), eq(notifyChannels.placeHmac, placeHmac ?? '')))
    .returning({ id: notifyChannels.id });
  if (noted.length === 0) return;
  await orm
    .update(notifyDeliveries)
    .set({ doneAt: sql`now()` })
    .where(and(eq(notifyDeliveries.channelId, id), isNull(notifyDeliveries.doneAt)));
}

const FAILED = `
  update accounts.notify_deliveries set
    next_at = now() + make_interval(
      secs => greatest(($3::int[])[least(greatest(tries, 1), cardinality($3::int[]))], $5::int)),
    done_at = case when made_at < now() - make_interval(hours => $4::int) then now() end
  where done_at is null and (id = any($1::bigint[]) or (channel_id = $2 and next_at <= now()))`;

/**
 * Returns the milliseconds until the next message is due, for channels of a kind that are not busy; null when none is
 * pending.
 */
export async function millisecondsUntilDue(
  { pool }: Database,
  kind: string,
  busy: readonly string[],
): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select (extract(epoch from min(waiting.next_at) - now()) * 1000)::float8 as ms
     from accounts.notify_deliveries as waiting
     join accounts.notify_channels as channel on channel.id = waiting.channel_id
     where waiting.done_at is null and channel.kind = $1 and channel.disabled_at is null and waiting.channel_id <> all($2::uuid[])`,
    [kind, busy],
  );
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : Math.max(0, ms);
}

/** Deletes old finished deliveries. */
export async function deleteOldDeliveries({ pool }: Database): Promise<void> {
  await pool.query(`delete from accounts.notify_deliveries where done_at < now() - make_interval(days => $1::int)`, [
    RETENTION_DAYS,
  ]);
}
