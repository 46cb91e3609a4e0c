import type { ClosedSums } from '@heron/contract/bots/portfolio.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { sumOf } from '@heron/engine/money/decimalText.ts';
import { BEGAN } from './botEquity.ts';
import { daysOf } from './daysOf.ts';

/** Closed positions of one bot since the start of its account: all, and by three criteria of which each adds up to all. */
export interface BotClosedSums {
  readonly all: ClosedSums;
  readonly pairs: readonly (ClosedSums & { readonly pair: string })[];
  /** By the reason of the last exit; null without one. */
  readonly reasons: readonly (ClosedSums & { readonly reason: string | null })[];
  /** By the calendar day of the closing. */
  readonly days: readonly (ClosedSums & { readonly day: string })[];
}

interface SumRow {
  readonly bot: string;
  readonly kind: 'all' | 'pair' | 'reason' | 'day';
  /** Pair, reason, or index of the day in the list; null for all, and without a reason. */
  readonly name: string | null;
  readonly positions: string;
  readonly wins: string;
  readonly losses: string;
  readonly net: string;
  readonly fees: string;
  readonly funding: string;
}

const OWN = `own as materialized (select bot.id, ${BEGAN} as began from bots.bots as bot where bot.owner = $1)`;

const SPAN = `
  with ${OWN}
  select min(closed_at) as first, max(closed_at) as last
  from bots.positions as closed join own on own.id = closed.bot_id and closed.opened_at >= own.began`;

const SUMS = `
  with ${OWN}, counted as (
    select closed.bot_id as bot, pair, reason, greatest(width_bucket(closed_at, $2::bigint[]) - 1, 0) as day,
      net::numeric as net, fees::numeric as fees, funding::numeric as funding
    from bots.positions as closed join own on own.id = closed.bot_id and closed.opened_at >= own.began
  )
  select bot,
    case when grouping(pair) = 0 then 'pair' when grouping(reason) = 0 then 'reason' when grouping(day) = 0 then 'day'
      else 'all' end as kind,
    coalesce(pair, reason, day::text) as name,
    count(*) as positions, count(*) filter (where net > 0) as wins, count(*) filter (where net < 0) as losses,
    sum(net)::text as net, sum(fees)::text as fees, sum(funding)::text as funding
  from counted group by grouping sets ((bot), (bot, pair), (bot, reason), (bot, day))`;

/**
 * Adds up the closed positions of each bot of an owner; bots without any are missing.
 *
 * @param zone time zone of the days, an IANA name
 * @throws CallError `invalid_request` when there is no such zone
 * @see docs/accounting.md#figures-of-a-portfolio
 */
export async function closedSums(
  { pool }: Database,
  owner: string,
  zone: string,
): Promise<ReadonlyMap<string, BotClosedSums>> {
  const [span] = (await pool.query<{ first: string | null; last: string | null }>(SPAN, [owner])).rows;
  const days = daysOf(Number(span?.first ?? 0), Number(span?.last ?? 0), zone);
  if (days === null) throw new CallError('invalid_request', { reason: 'zone' });
  if (!span?.first) return new Map();
  const { rows } = await pool.query<SumRow>(SUMS, [owner, days.map(({ from }) => from)]);
  const nameOfDay = (index: string | null) => (days[Number(index)] ?? days.at(-1))?.name ?? '';
  return new Map(
    [...Map.groupBy(rows, ({ bot }) => bot)].map(([bot, own]) => {
      const of = (kind: SumRow['kind']) => own.filter((row) => row.kind === kind);
      const [all] = of('all');
      return [
        bot,
        {
          all: all ? sumsOf(all) : NO_POSITIONS,
          pairs: of('pair').map((row) => ({ ...sumsOf(row), pair: row.name ?? '' })),
          reasons: of('reason').map((row) => ({ ...sumsOf(row), reason: row.name })),
          days: of('day').map((row) => ({ ...sumsOf(row), day: nameOfDay(row.name) })),
        },
      ];
    }),
  );
}

const NO_POSITIONS: ClosedSums = { positions: 0, wins: 0, losses: 0, net: '0', fees: '0', funding: '0' };

/** The sums of a bot without closed positions. */
export const NOTHING_CLOSED: BotClosedSums = { all: NO_POSITIONS, pairs: [], reasons: [], days: [] };

function sumsOf({ positions, wins, losses, net, fees, funding }: SumRow): ClosedSums {
  return {
    ...{ positions: Number(positions), wins: Number(wins), losses: Number(losses) },
    // A sum of the database may end in zeros.
    ...{ net: sumOf([net]), fees: sumOf([fees]), funding: sumOf([funding]) },
  };
}
