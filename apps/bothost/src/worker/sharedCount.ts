import type { Database } from '@heron/database/connect.ts';
import { rateWindow } from '@heron/database/schema/bots.ts';
import type { LeaseRequest, SharedCount, WeightLease } from '@heron/exchanges/http/weightLeases.ts';
import { sql } from 'drizzle-orm';

/** Identifies the rate limit of an exchange for one IP address. */
interface CountedAt {
  readonly venue: string;
  /** The route, which identifies the IP address: `direct`, or a proxy without its credentials. */
  readonly via: string;
}

/** Counts the weight of requests to a venue in the database, for all processes of the installation. @param via names the current route */
export function openSharedCount(database: Pick<Database, 'orm'>, venue: string, via: () => string): SharedCount {
  return {
    address: via,
    lease: (wanted) => leaseWeight(database, { venue, via: via() }, wanted),
  };
}

/** Counts the weight of requests that are sent whatever the limit. */
export async function countWeight(
  database: Pick<Database, 'orm'>,
  at: CountedAt,
  { weight, windowMs }: { readonly weight: number; readonly windowMs: number },
): Promise<void> {
  await leaseWeight(database, at, { windowMs, owed: weight, size: 0, minSize: 0, maxTotal: 0 });
}

/**
 * Leases weight in one statement, so that two processes never lease the same. Windows begin by the clock of the database,
 * which all processes share. Does not wait for the commit, so one window may be counted too low after a crash of the database.
 */
async function leaseWeight({ orm }: Pick<Database, 'orm'>, at: CountedAt, wanted: LeaseRequest): Promise<WeightLease> {
  const { windowMs, owed, size, minSize, maxTotal } = wanted;
  const given = (value: number) => sql`${Math.ceil(value)}::bigint`;
  // The first window of an address has no row yet.
  const first = [size, minSize].find((part) => Math.ceil(owed) + Math.ceil(part) <= Math.floor(maxTotal)) ?? 0;
  const max = sql`${Math.floor(maxTotal)}::bigint`;
  const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  // A statement that waited for the row lock may still name the window before.
  const isCurrent = sql`excluded.starts_at between w.starts_at - ${given(windowMs)} and w.starts_at`;
  const before = sql`(case when ${isCurrent} then w.used else 0 end + ${given(owed)})`;
  const leased = sql`case when ${before} + ${given(size)} <= ${max} then ${given(size)}
    when ${before} + ${given(minSize)} <= ${max} then ${given(minSize)} else 0 end`;
  const { rows } = await orm.execute<{ leased: number; used: number; ends_in: string }>(sql`
    with hasty as (select set_config('synchronous_commit', 'off', true)),
      clock as (select ${now} as at from hasty)
    insert into ${rateWindow} as w (venue, via, starts_at, used, leased)
    select ${at.venue}, ${at.via}, at - at % ${given(windowMs)}, ${given(owed)} + ${given(first)}, ${given(first)} from clock
    on conflict (venue, via) do update set
      starts_at = case when ${isCurrent} then w.starts_at else excluded.starts_at end,
      used = ${before} + ${leased},
      leased = ${leased}
    returning leased, used, starts_at + ${given(windowMs)} - ${now} as ends_in`);
  const [row] = rows;
  if (row === undefined) throw new Error('the count of requests has no row');
  return { granted: row.leased, used: row.used, endsInMs: Number(row.ends_in) };
}
