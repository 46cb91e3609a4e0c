import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { BEGAN } from './botEquity.ts';
import { daysOf } from './daysOf.ts';

/** Daily returns of a bot in columns of equal length, oldest first. */
export interface BotReturns {
  /** `2026-11-27`. */
  readonly day: string[];
  /** Result of the day as a fraction of the equity before it. */
  readonly value: number[];
}

const DAY_MS = 86_400_000;
/** Older equity samples are thinned to one a day, at the end of a day in UTC. */
const DAYS = 90;

const LAST_OF_DAYS = `
  with own as materialized (select bot.id, ${BEGAN} as began from bots.bots as bot where bot.owner = $1)
  select distinct on (point.bot_id, day) point.bot_id as bot, width_bucket(point.at, $2::bigint[]) - 1 as day,
    point.total::float8 as total, (point.total::numeric - point.start::numeric)::float8 as profit
  from bots.equity as point join own on own.id = point.bot_id and point.at >= own.began
  where point.at >= $3 and point.at < $4
  order by point.bot_id, day, point.at desc`;

interface LastOfDay {
  readonly bot: string;
  /** Index of the day in the list. */
  readonly day: number;
  readonly total: number;
  readonly profit: number;
}

/**
 * Returns the daily returns of each bot of an owner over the last 90 complete days; bots without any are missing. The return of a day
 * is the change of the profit since the last sample of the day before, so that deposits and withdrawals are none. A day has no
 * return when the bot has no sample on it, or on the day before.
 *
 * @param zone time zone of the days, an IANA name
 * @throws CallError `invalid_request` when there is no such zone
 * @see docs/accounting.md#correlation
 */
export async function dailyReturns(
  { pool }: Database,
  owner: string,
  zone: string,
  at: number,
): Promise<ReadonlyMap<string, BotReturns>> {
  const days = daysOf(at - (DAYS + 1) * DAY_MS, at, zone);
  if (days === null) throw new CallError('invalid_request', { reason: 'zone' });
  const starts = days.map(({ from }) => from);
  const { rows } = await pool.query<LastOfDay>(LAST_OF_DAYS, [owner, starts, starts[0], starts.at(-1)]);
  const found = new Map<string, BotReturns>();
  for (const [index, { bot, day, profit }] of rows.entries()) {
    const before = rows[index - 1];
    if (before?.bot !== bot || before.day !== day - 1 || before.total <= 0) continue;
    const own = found.get(bot) ?? { day: [], value: [] };
    own.day.push(days[day]?.name ?? '');
    own.value.push((profit - before.profit) / before.total);
    found.set(bot, own);
  }
  return found;
}
