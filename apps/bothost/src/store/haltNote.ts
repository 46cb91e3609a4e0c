import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { BotRow } from './botRow.ts';

/** Writes the journal entry with the reason why a bot has halted, and its notification. */
export async function writeHaltNote(
  tx: Pick<Database['orm'], 'insert'>,
  row: BotRow,
  seq: number,
  note: Note,
): Promise<void> {
  const of = { botId: row.id, venue: row.venue };
  await tx.insert(table.journal).values({ ...of, seq, ...note });
  const { at, pair, data } = note;
  await tx.insert(table.notification).values({ ...of, seq, owner: row.owner, at, pair, kind: 'bot_error', data });
}
