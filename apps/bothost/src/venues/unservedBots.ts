import type { Alarm } from '@heron/contract/bots/notifications.ts';
import type { Text } from '@heron/contract/locales/text.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq } from 'drizzle-orm';
import { livingWorkers } from '../ownership/presence.ts';
import { type BotRow, modeOf } from '../store/botRow.ts';
import { needsWorker } from '../store/botStore.ts';
import { writeHaltNote } from '../store/haltNote.ts';
import { isActive } from '../store/status.ts';

/** The bots that no worker runs although they should run, by mode. */
export interface UnservedBots {
  readonly paper: readonly BotRow[];
  readonly live: readonly BotRow[];
}

const ALARM: Alarm = 'venue_disabled';

/**
 * Explains why a bot on a venue that is not enabled does not run.
 *
 * @param live positions and orders of the bot may exist at the exchange
 */
export function unservedText({ venue }: Pick<BotRow, 'venue'>, live: boolean): Text {
  return {
    zh: `市场 ${venue} 未启用，机器人没有运行${live ? '，持仓无人看管' : ''}。请在启动参数 --venues 中加入 ${venue} 并重启苍鹭；显示的是上次保存的数据。`,
    en: `This bot is not running: the venue ${venue} is not enabled.${live ? ' Nothing watches its positions.' : ''} Add ${venue} to --venues and restart Heron. The figures are those saved last.`,
  };
}

/** Whether a bot should run: its owner wants it to, or it was interrupted. */
export function shouldRun({ wanted }: Pick<BotRow, 'wanted'>, status: string): boolean {
  return wanted === 'running' || isActive(status);
}

/**
 * Finds the bots that should run on venues that no host serves. Writes one alarm for each live bot among them.
 *
 * @param isServed whether this host serves a venue
 * @param at ms since 1970
 */
export async function reportUnservedBots(
  database: Database,
  isServed: (venue: string) => boolean,
  at: number,
): Promise<UnservedBots> {
  const workers = await livingWorkers(database);
  const rows = (await botsThatShouldRun(database)).filter(
    (row) => !isServed(row.venue) && !workers.some(({ venue, mode }) => venue === row.venue && mode === modeOf(row)),
  );
  const live = rows.filter((row) => modeOf(row) === 'live');
  for (const row of live) await writeAlarm(database, row, at);
  return { paper: rows.filter((row) => modeOf(row) === 'paper'), live };
}

async function botsThatShouldRun({ orm }: Database): Promise<BotRow[]> {
  const found = await orm
    .selectDistinctOn([table.bot.id], { row: table.bot })
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .leftJoin(table.halt, eq(table.halt.botId, table.bot.id))
    .where(needsWorker());
  return found.map(({ row }) => row);
}

/** Writes the alarm unless it is the newest journal entry. The row lock keeps a concurrent take-over from using the same `seq`. */
async function writeAlarm(database: Database, row: BotRow, at: number): Promise<void> {
  await inTransaction(database, async (tx) => {
    const ofBot = eq(table.snapshot.botId, row.id);
    const [held] = await tx.select({ seq: table.snapshot.seq }).from(table.snapshot).where(ofBot).for('update');
    if (held === undefined) return;
    const [newest] = await tx
      .select({ data: table.journal.data })
      .from(table.journal)
      .where(and(eq(table.journal.botId, row.id), eq(table.journal.seq, held.seq)));
    if (newest?.data.what === ALARM) return;
    const seq = held.seq + 1;
    await tx.update(table.snapshot).set({ seq }).where(ofBot);
    await writeHaltNote(tx, row, seq, { at, pair: null, kind: 'alarm', data: { what: ALARM } });
  });
}
