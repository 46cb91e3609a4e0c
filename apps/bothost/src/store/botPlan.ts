import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { BotRow } from './botRow.ts';

/** The state that the owner wants for a bot, and its saved status. */
export interface Plan {
  readonly venue: string;
  readonly mode: unknown;
  readonly wanted: BotRow['wanted'];
  /** Number of the current run, or of the last one. */
  readonly run: number;
  /** Status in its saved state. */
  readonly status: string;
}

/** @returns null when there is no such bot */
export async function planOf(database: Database, id: string): Promise<Plan | null> {
  const [found] = await database.orm
    .select({
      venue: table.bot.venue,
      mode: sql`${table.bot.options} ->> 'mode'`,
      wanted: table.bot.wanted,
      run: table.bot.run,
      status: table.snapshot.status,
    })
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .where(eq(table.bot.id, id));
  return found ?? null;
}

/**
 * Records whether the owner wants a bot to run. A worker starts or stops it, at once or as soon as one is available. The start
 * of a bot that was stopped gets a new run number.
 *
 * @returns the number of the run
 * @throws CallError `not_found`
 */
export async function wantBot(database: Pick<Database, 'orm'>, id: string, wanted: BotRow['wanted']): Promise<number> {
  const begins = sql`case when ${table.bot.wanted} = 'stopped' and ${wanted} = 'running' then 1 else 0 end`;
  const [row] = await database.orm
    .update(table.bot)
    .set({ wanted, run: sql`${table.bot.run} + ${begins}` })
    .where(eq(table.bot.id, id))
    .returning({ run: table.bot.run });
  if (row === undefined) throw new CallError('not_found');
  return row.run;
}

/** Returns those of `ids` whose bots were deleted. */
export async function deletedOf(database: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await database.orm
    .select({ id: table.bot.id })
    .from(table.bot)
    .where(inArray(table.bot.id, [...ids]));
  const there = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !there.has(id));
}

/** Returns those of `ids` whose owners have stopped them. */
export async function wantedStopped(database: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await database.orm
    .select({ id: table.bot.id })
    .from(table.bot)
    .where(and(inArray(table.bot.id, [...ids]), eq(table.bot.wanted, 'stopped')));
  return rows.map(({ id }) => id);
}
