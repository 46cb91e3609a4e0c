import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { asc, eq, inArray } from 'drizzle-orm';

/** A recorded halt of the kill switch that is not executed yet. */
export interface Halt {
  readonly id: number;
  /** Null means every pair. */
  readonly pair: string | null;
  /** Whether positions are closed as well. */
  readonly close: boolean;
}

/**
 * Records a halt. The current or next worker of the bot executes it before anything else.
 *
 * @param at ms since 1970
 * @throws CallError `not_found` when the bot is deleted meanwhile
 */
export async function wantHalt(
  { pool }: Database,
  bot: string,
  { pair, close }: Omit<Halt, 'id'>,
  at: number,
): Promise<void> {
  const { rowCount } = await pool.query(WANT, [bot, pair, close, at]);
  if (rowCount === 0) throw new CallError('not_found');
}

const WANT = `
  insert into bots.halts (bot_id, pair, close, at)
  select id, $2, $3, $4 from bots.bots where id = $1 for key share`;

/** Returns the recorded halts of a bot, oldest first. */
export async function haltsOf({ orm }: Database, bot: string): Promise<Halt[]> {
  const { id, pair, close } = table.halt;
  return orm.select({ id, pair, close }).from(table.halt).where(eq(table.halt.botId, bot)).orderBy(asc(table.halt.id));
}

/** Returns those of `ids` that have a recorded halt. */
export async function botsToHalt({ orm }: Database, ids: ReadonlySet<string>): Promise<string[]> {
  const rows = await orm.selectDistinct({ bot: table.halt.botId }).from(table.halt);
  return rows.map(({ bot }) => bot).filter((bot) => ids.has(bot));
}

/** Deletes halts that were executed and whose effects are in the journal. */
export async function forgetHalts({ orm }: Database, halts: readonly Halt[]): Promise<void> {
  const ids = halts.map(({ id }) => id);
  if (ids.length > 0) await orm.delete(table.halt).where(inArray(table.halt.id, ids));
}
