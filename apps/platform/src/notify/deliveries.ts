import { hostOf } from '@heron/contract/bots/pairedHosts.ts';
import type { Database } from '@heron/database/connect.ts';
import { notifyChannels, notifyDeliveries } from '@heron/database/schema/accounts.ts';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { type ChannelRow, channelsOf, wants } from './channels.ts';
import type { CollectedNotification, DeliverableNotification } from './collectedNotification.ts';

/** What happened longer ago is of no use as a message. */
const NEWS_HOURS = 24;
/** What was sent or given up is remembered so long, so that it is not sent again. */
const KEPT_DAYS = 7;
/** Whoever takes a message and dies leaves it to others after so long. */
const LEASE_S = 120;
/** Notices in one message. */
const MOST_JOINED = 100;
/**
 * Messages of an hour by one way about bots of paired hosts, and how long others then wait for each other: what a machine of
 * somebody makes up may not use up the mail server of all.
 */
const MOST_OF_PAIRED = 60;
const FLOOD_WAIT_S = 600;
/** Pauses before further tries. */
const PAUSES_S = [60, 300, 900, 3_600, 10_800, 21_600] as const;
/** No receiver is left alone for longer because it wishes so. */
const LONGEST_WISH_S = 21_600;

/** Notices that belong together: after the first, others wait so long for company. */
interface Joining {
  readonly key: string;
  readonly waitS: number;
}

function joining({ id, bot, kind, pair, data }: CollectedNotification): Joining {
  switch (kind) {
    case 'fill':
    case 'stop':
    case 'position_closed':
      return { key: `${kind} ${bot}`, waitS: 10 };
    case 'liquidation':
      // The exchange may fill it in parts.
      return { key: `${kind} ${bot} ${pair}`, waitS: 10 };
    case 'disconnect':
    case 'reconnected':
      return { key: kind, waitS: 10 };
    case 'alarm':
    case 'outside':
      // A trouble that lasts is told every minute.
      return { key: `${kind} ${bot} ${pair} ${data.what}`, waitS: 600 };
    default:
      return { key: id, waitS: 0 };
  }
}

/** As above for mails: a mail server takes only so many, and those who wait for a code need it too. */
function joiningOfMails(notice: CollectedNotification): Joining {
  switch (notice.kind) {
    case 'fill':
    case 'position_closed':
      return { key: notice.kind, waitS: 300 };
    case 'stop':
    case 'disconnect':
    case 'reconnected':
      return { key: notice.kind, waitS: 60 };
    default:
      return joining(notice);
  }
}

/** Writes down who is to be told of notices, and by which way; what is written down already stays as it is. */
export async function writeDeliveries(
  database: Database,
  notices: readonly CollectedNotification[],
  now: number,
): Promise<void> {
  const fresh = notices.filter(({ at, owner }) => now - at < NEWS_HOURS * 3_600_000 && /^\d{1,15}$/.test(owner));
  const channels = await channelsOf(
    database,
    inArray(notifyChannels.userId, [...new Set(fresh.map(({ owner }) => Number(owner)))]),
  );
  const rows = fresh.flatMap((notice) =>
    channels
      .filter((channel) => channel.row.userId === Number(notice.owner) && wants(channel, notice.bot, notice.kind))
      .map(({ row }) => {
        const { owner: _, ...told } = notice;
        const { key, waitS } = row.kind === 'email' ? joiningOfMails(notice) : joining(notice);
        const paired = hostOf(notice.bot) !== null;
        return { channelId: row.id, noticeId: notice.id, joinKey: key, waitS, paired, notice: told };
      }),
  );
  if (rows.length === 0) return;
  await database.pool.query(WRITE, [JSON.stringify(rows), MOST_OF_PAIRED, FLOOD_WAIT_S]);
}

/**
 * The first of a kind goes at once; those that follow soon wait, and go together. By a way that is flooded from paired bot hosts
 * all else from there goes together.
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

/** Notices for one way that are sent as one message. */
export interface ClaimedMessage {
  readonly channelId: string;
  readonly ids: readonly number[];
  readonly notifications: readonly DeliverableNotification[];
}

/**
 * Takes what is due: one message for each way, so that all of it is sent before the lease is over. Nobody else gets it until
 * then. What was tried before is the same message again; what was not takes with it all that waits for the same message.
 *
 * @param kind of ways, as `notify_channels.kind`
 * @param busy ids of ways that are left alone
 * @param most messages
 */
export async function claimDue(
  { pool }: Database,
  kind: string,
  busy: readonly string[],
  most: number,
): Promise<ClaimedMessage[]> {
  const { rows } = await pool.query<{ id: string; channel_id: string; notice: DeliverableNotification }>(CLAIM, [
    LEASE_S,
    kind,
    busy,
    most,
    MOST_JOINED,
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
 * A way with the least waiting comes first, so that whoever is told much, slowly, holds up nobody; and of a way the message that
 * was tried least, so that one which is never taken holds up no other. The way is locked while its message is put together: two
 * platforms never take parts of one.
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

/** Notes that a message was sent. */
export async function markSent({ orm }: Database, { channelId, ids }: ClaimedMessage): Promise<void> {
  await orm
    .update(notifyDeliveries)
    .set({ doneAt: sql`now()`, sent: true })
    .where(inArray(notifyDeliveries.id, [...ids]));
  await orm
    .update(notifyChannels)
    .set({ failingSince: null, failingWhy: null })
    .where(eq(notifyChannels.id, channelId));
}

/**
 * Notes that a message was not sent: it is tried again for a day. What else is due by this way would not arrive either.
 *
 * @param why.retryAfterS how long the receiver wishes to be left alone, at least
 * @param why.blocked its owner has blocked whoever sends
 */
export async function markFailed(
  { orm, pool }: Database,
  { channelId, ids }: ClaimedMessage,
  { retryAfterS, blocked }: { readonly retryAfterS: number | null; readonly blocked: boolean },
): Promise<void> {
  const wished = Math.min(retryAfterS ?? 0, LONGEST_WISH_S);
  await pool.query(FAILED, [ids, channelId, PAUSES_S, NEWS_HOURS, wished]);
  await orm
    .update(notifyChannels)
    .set({ failingSince: sql`coalesce(${notifyChannels.failingSince}, now())`, failingWhy: blocked ? 'blocked' : null })
    .where(eq(notifyChannels.id, channelId));
}

/**
 * Notes that a browser takes no more messages by the subscription that was sent to, and gives up what waits for it. Its way stays,
 * with what was chosen for it, until the browser brings another or its owner removes it.
 *
 * @param sentTo the way as it was then; one that leads elsewhere meanwhile is left as it is
 */
export async function markSubscriptionExpired({ orm }: Database, { id, placeHmac }: ChannelRow): Promise<void> {
  const noted = await orm
    .update(notifyChannels)
    .set({ failingSince: sql`coalesce(${notifyChannels.failingSince}, now())`, failingWhy: 'gone' })
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

/** Milliseconds until the next message is due by a way of this kind that is not busy; null when none waits. */
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

/** Forgets what was sent or given up long ago. */
export async function deleteOldDeliveries({ pool }: Database): Promise<void> {
  await pool.query(`delete from accounts.notify_deliveries where done_at < now() - make_interval(days => $1::int)`, [
    KEPT_DAYS,
  ]);
}
