import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { BotRow } from './botRow.ts';

/** What is wanted of a bot, and how far it is. */
export interface Plan {
  readonly venue: string;
  readonly mode: unknown;
  readonly wanted: BotRow['wanted'];
  /** Number of the run that is wanted, or was last. */
  readonly run: number;
  /** Of what it saved. */
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
 * Writes down what the owner wants; whoever runs bots brings it about, now or when it comes back. A start of a bot that was
 * to stand still begins a new run.
 *
 * @returns number of the run
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

/** Those of `ids` that are no more. */
export async function deletedOf(database: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await database.orm
    .select({ id: table.bot.id })
    .from(table.bot)
    .where(inArray(table.bot.id, [...ids]));
  const there = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !there.has(id));
}

/** Those of `ids` that their owners want to stand still. */
export async function wantedStopped(database: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await database.orm
    .select({ id: table.bot.id })
    .from(table.bot)
    .where(and(inArray(table.bot.id, [...ids]), eq(table.bot.wanted, 'stopped')));
  return rows.map(({ id }) => id);
}
