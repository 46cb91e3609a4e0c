import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { BotSession } from '@heron/engine/simulate/botSession.ts';
import type { Note } from '@heron/engine/simulate/journal.ts';
import { saveSession } from '@heron/engine/simulate/paperSession.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { BotRow } from '../bots/botRow.ts';
import type { Unreadable } from '../bots/savedBot.ts';
import { isActive } from '../bots/status.ts';
import { tradeRows } from './tradeRow.ts';

/** A bot that this worker has taken over: only writes with this fence count until another worker takes it. */
export interface TakenBot {
  readonly row: BotRow;
  /** Number of the run that was wanted last when it was taken. */
  readonly run: number;
  readonly fence: number;
  /** Number of the last journal line. */
  readonly seq: number;
  /** For the engine's `restoreSession`. */
  readonly session: string;
}

/** One write: journal lines numbered from `seq + 1`, and the session as it is after them. */
export interface BotWrite {
  readonly bot: string;
  readonly run: number;
  readonly fence: number;
  /** Last line already written. */
  readonly seq: number;
  readonly notes: readonly Note[];
  readonly session: BotSession;
  readonly at: number;
}

/** Whether a line of the journal tells of an option that was changed. */
export function isChange({ kind, data }: Note): boolean {
  return kind === 'command' && data.command === 'change';
}

/**
 * Takes a bot over by raising its fence: from the moment this commits, no other worker can write for it.
 *
 * @param worker number of the worker that runs it from now on; null when it is only looked after for a moment
 * @returns null when there is no such bot
 */
export async function takeOver(database: Database, id: string, worker: number | null): Promise<TakenBot | null> {
  return inTransaction(database, async (tx) => {
    const [taken] = await tx
      .update(table.snapshot)
      .set({ fence: sql`${table.snapshot.fence} + 1`, ...(worker === null ? {} : { worker }) })
      .where(eq(table.snapshot.botId, id))
      .returning();
    const [row] = await tx.select().from(table.bot).where(eq(table.bot.id, id));
    return taken && row ? { row, run: row.run, fence: taken.fence, seq: taken.seq, session: taken.session } : null;
  });
}

/**
 * Commits what a bot did, in one transaction: its state, the journal lines, trades and fills, and what is wanted of it
 * when it has begun or finished by itself. Sending the same write again does nothing, so that a write whose answer was
 * lost can be repeated.
 *
 * @returns `lost` when another worker has taken the bot over, or it was deleted: nothing was written and nothing may be
 */
export async function writeBot(database: Database, write: BotWrite): Promise<'written' | 'lost'> {
  const { bot, run, fence, seq, notes, session, at } = write;
  const status = session.state.bot.status;
  const lastSeq = seq + notes.length;
  if (notes.every(isPlain) && (await writePlain(database, write))) return 'written';
  return inTransaction(database, async (tx) => {
    const written = await tx
      .update(table.snapshot)
      .set({ seq: lastSeq, status, session: saveSession(session), savedAt: at })
      .where(and(eq(table.snapshot.botId, bot), eq(table.snapshot.fence, fence), eq(table.snapshot.seq, seq)))
      .returning({ seq: table.snapshot.seq });
    if (written.length === 0) {
      const [held] = await tx
        .select({ fence: table.snapshot.fence, seq: table.snapshot.seq })
        .from(table.snapshot)
        .where(eq(table.snapshot.botId, bot));
      return held?.fence === fence && held.seq === lastSeq ? 'written' : 'lost';
    }
    if (notes.length === 0) return 'written';
    const lines = notes.map((note, index) => ({ botId: bot, seq: seq + 1 + index, ...note }));
    await tx.insert(table.journal).values(lines);
    const trades = tradeRows(session, notes);
    for (const trade of trades) {
      await tx
        .insert(table.trade)
        .values(trade)
        .onConflictDoUpdate({ target: [table.trade.botId, table.trade.id], set: trade });
    }
    const fills = lines.flatMap((line) =>
      line.kind === 'fill' && line.pair !== null ? [fillRow(line, line.pair)] : [],
    );
    if (fills.length > 0) await tx.insert(table.fill).values(fills);
    if (notes.some(isChange)) {
      const { options, params } = session.state.bot;
      await tx
        .update(table.bot)
        .set({ options: { ...options }, params: { ...params } })
        .where(eq(table.bot.id, bot));
    }
    const turned = notes.find(({ kind }) => kind === 'status');
    if (turned && isActive(String(turned.data.from)) !== isActive(status)) {
      // Whoever has asked for another run meanwhile gets it.
      await tx
        .update(table.bot)
        .set({ wanted: isActive(status) ? 'running' : 'stopped' })
        .where(and(eq(table.bot.id, bot), eq(table.bot.run, run)));
    }
    return 'written';
  });
}

/** Lines that change nothing beside the journal and the saved session. */
function isPlain(note: Note): boolean {
  return note.kind !== 'fill' && note.kind !== 'intent_end' && note.kind !== 'status' && !isChange(note);
}

/**
 * Commits lines that touch no other table in one statement, which is one way to the database and back: an order waits for
 * it before it leaves.
 *
 * @returns false when nothing was written, for whatever reason
 */
async function writePlain(database: Database, { bot, fence, seq, notes, session, at }: BotWrite): Promise<boolean> {
  const { rows } = await database.pool.query<{ written: string }>({
    name: 'write plain lines of a bot',
    text: WRITE_PLAIN,
    values: [
      ...[bot, fence, seq, seq + notes.length, session.state.bot.status, saveSession(session), at],
      JSON.stringify(notes.map((note, index) => ({ seq: seq + 1 + index, ...note }))),
    ],
  });
  return rows[0]?.written === '1';
}

const WRITE_PLAIN = `
  with written as (
    update bots.snapshots set seq = $4, status = $5, session = $6, saved_at = $7
    where bot_id = $1 and fence = $2 and seq = $3
    returning bot_id
  ), lines as (
    insert into bots.journal (bot_id, seq, at, pair, kind, data)
    select written.bot_id, line.seq, line.at, line.pair, line.kind, line.data
    from written, jsonb_to_recordset($8::jsonb) as line(seq bigint, at bigint, pair text, kind text, data jsonb)
  )
  select count(*) as written from written`;

/**
 * Writes into the journal that what a bot saved cannot be read, and takes the bot from those that must not be left alone.
 * What it saved stays as it is. A line that is the newest already is not written again.
 */
export async function writeUnreadable(database: Database, taken: TakenBot, why: Unreadable, at: number): Promise<void> {
  const { row, fence, seq } = taken;
  await inTransaction(database, async (tx) => {
    const [newest] = await tx
      .select({ data: table.journal.data })
      .from(table.journal)
      .where(and(eq(table.journal.botId, row.id), eq(table.journal.seq, seq)));
    const told = newest?.data.what === why;
    const written = await tx
      .update(table.snapshot)
      .set({ seq: told ? seq : seq + 1, status: 'error' })
      .where(and(eq(table.snapshot.botId, row.id), eq(table.snapshot.fence, fence), eq(table.snapshot.seq, seq)))
      .returning({ seq: table.snapshot.seq });
    if (told || written.length === 0) return;
    await tx
      .insert(table.journal)
      .values({ botId: row.id, seq: seq + 1, at, pair: null, kind: 'alarm', data: { what: why } });
  });
}

function fillRow({ botId, seq, at, data }: Note & { botId: string; seq: number }, pair: string) {
  return {
    botId,
    id: String(data.id),
    tradeId: String(data.intent),
    seq,
    at,
    pair,
    side: String(data.side),
    quantity: String(data.quantity),
    price: String(data.price),
    fee: String(data.fee),
    feeAsset: String(data.feeAsset),
    liquidity: String(data.liquidity),
    reason: String(data.reason),
  };
}
