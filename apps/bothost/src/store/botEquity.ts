import type { EquityHistory, RecentProfit } from '@heron/contract/bots/entities.ts';
import type { Database } from '@heron/database/connect.ts';

const DAY_MS = 86_400_000;
/** Maximum number of samples of one day. */
const DAY_POINTS = 48;

/**
 * Selects the start of a bot's current account: its last reset, or its last change of venue, mode or currency. Zero for the
 * first account. The surrounding query must define `bot.id`.
 */
export const BEGAN = `coalesce((
  select max(line.at) from bots.journal as line
  where line.bot_id = bot.id and line.kind = 'command' and line.data ->> 'acts' = 'flat_reload'), 0)`;

/**
 * Returns the equity of a bot in its current account since `from`. The first sample is the last one before `from`, if any.
 *
 * @param points maximum number of samples: the first, and the last of each of `points - 1` equal parts of the time
 */
export async function equityHistory(
  { pool }: Database,
  bot: string,
  { from, points }: { from: number; points: number },
  at: number,
): Promise<EquityHistory> {
  const begin = Math.min(from, at);
  const { rows } = await pool.query<{ at: string; total: string; start: string }>(EQUITY, [bot, begin, points, at]);
  return {
    at: rows.map((row) => Math.max(begin, Number(row.at))),
    total: rows.map(({ total }) => total),
    start: rows.map(({ start }) => start),
  };
}

const EQUITY = `
  with held as (
    select point.at, point.total, point.start
    from bots.bots as bot join bots.equity as point on point.bot_id = bot.id
    where bot.id = $1 and point.at >= ${BEGAN}
      and point.at >= coalesce(
        (select max(before.at) from bots.equity as before where before.bot_id = bot.id and before.at <= $2::bigint), 0)
  ), span as (
    select min(at) as first, greatest(min(at), $2::bigint) as low, greatest(max(at), $4::bigint) + 1 as high from held
  )
  select * from (
    select distinct on (part) held.at, total, start from (
      -- The first sample is a part of its own, because only the last sample of each part is returned.
      select held.*, case when held.at = first then 0 else width_bucket(held.at, low, high, $3::int - 1) end as part
      from held, span
    ) as held order by part, held.at desc
  ) as chosen order by at`;

/**
 * Returns the recent profit of each bot of an owner, without bots that have no equity sample.
 *
 * @param since start of the profit, ms since 1970
 */
export async function recentProfits(
  { pool }: Database,
  owner: string,
  since: number,
  at: number,
): Promise<RecentProfit[]> {
  const part = DAY_MS / DAY_POINTS;
  const { rows } = await pool.query<{
    id: string;
    since: string;
    before: string;
    times: number[] | null;
    profits: string[] | null;
  }>(PROFITS, [owner, since, at - DAY_MS, part]);
  return rows.map((row) => ({
    id: row.id,
    since: Math.max(since, Number(row.since)),
    before: row.before,
    at: row.times ?? [],
    profit: row.profits ?? [],
  }));
}

const PROFIT = 'trim_scale(point.total::numeric - point.start::numeric)::text';

const PROFITS = `
  with own as materialized (select bot.id, ${BEGAN} as began from bots.bots as bot where bot.owner = $1)
  select own.id, base.at as since, base.profit as before, day.times, day.profits
  from own
  cross join lateral (
    select at, profit from (
      (select at, ${PROFIT} as profit from bots.equity as point
       where point.bot_id = own.id and point.at >= own.began and point.at <= $2 order by at desc limit 1)
      union all
      (select at, ${PROFIT} from bots.equity as point
       where point.bot_id = own.id and point.at >= own.began and point.at > $2 order by at limit 1)
    ) as near order by at limit 1
  ) as base
  left join lateral (
    select json_agg(at order by at) as times, json_agg(profit order by at) as profits from (
      (select $3::bigint as at, ${PROFIT} as profit from bots.equity as point
       where point.bot_id = own.id and point.at >= own.began and point.at <= $3 order by point.at desc limit 1)
      union
      (select at, ${PROFIT} from bots.equity as point
       where point.bot_id = own.id and point.at >= own.began and point.at > $3 order by at limit 1)
      union
      (select distinct on (at / $4::bigint) at, ${PROFIT} from bots.equity as point
       where point.bot_id = own.id and point.at >= own.began and point.at > $3
       order by at / $4::bigint, at desc)
    ) as points
  ) as day on true`;

/** Rules of thinning: of samples older than `olderMs`, only the last of each `eachMs` is kept. */
const THINNED = [
  { olderMs: 7 * DAY_MS, eachMs: 3_600_000 },
  { olderMs: 90 * DAY_MS, eachMs: DAY_MS },
] as const;

/** Each run checks this time before the age limit, because earlier runs have thinned older samples. */
const RECHECK_MS = 30 * DAY_MS;

/**
 * Thins old samples to one an hour and very old ones to one a day. A year of a bot then has a few thousand rows. The first
 * samples of a bot and of its current account stay. Sends statements for one bot at a time, so that none of them is long.
 */
export async function thinEquity({ pool }: Database, at: number): Promise<void> {
  const { rows: bots } = await pool.query<{ id: string }>('select id from bots.bots');
  for (const { id } of bots) {
    for (const { olderMs, eachMs } of THINNED) {
      const until = at - olderMs;
      await pool.query(THIN, [id, until - RECHECK_MS, until - (until % eachMs), eachMs]);
    }
  }
}

const THIN = `
  with first as materialized (
    select (select min(at) from bots.equity as own where own.bot_id = bot.id) as bot,
      (select min(at) from bots.equity as own where own.bot_id = bot.id and own.at >= ${BEGAN}) as account
    from bots.bots as bot where bot.id = $1
  ), old as (
    select at, row_number() over (partition by at / $4::bigint order by at desc) as place
    from bots.equity where bot_id = $1 and at >= $2 and at < $3
  )
  delete from bots.equity as point using old, first
  where old.place > 1 and point.bot_id = $1 and point.at = old.at
    and old.at is distinct from first.bot and old.at is distinct from first.account`;
