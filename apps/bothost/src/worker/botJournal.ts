import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { BotStatus } from '@heron/engine/bot/state.ts';
import type { BotSession } from '@heron/engine/simulate/botSession.ts';
import type { Note } from '@heron/engine/simulate/journal.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { BotRow } from '../bots/botRow.ts';
import type { Unreadable } from '../bots/savedBot.ts';
import { isActive } from '../bots/status.ts';
import { isDatabaseAway } from '../http/errorAnswer.ts';
import type { Run } from '../ownership/runQueue.ts';
import { inBatches } from './inBatches.ts';
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
  /** Of which trades and options are read, when the lines tell of any. */
  readonly session: BotSession;
  /** The session as text, for the engine's `restoreSession`. */
  readonly saved: string;
  readonly status: BotStatus;
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
 * Takes over the bots of many runs in one statement, as {@link takeOver} does.
 *
 * @param worker number of the worker that runs them from now on
 * @returns for each run its bot; null when it is not the newest run of a bot
 */
export async function takeOverRuns(
  { orm }: Database,
  worker: number,
  runs: readonly Run[],
): Promise<(TakenBot | null)[]> {
  const bots = sql.param(runs.map(({ bot }) => bot));
  const numbers = sql.param(runs.map(({ run }) => run));
  const wanted = sql`(select * from unnest(${bots}::text[], ${numbers}::bigint[]))`;
  const taken = await orm
    .update(table.snapshot)
    .set({ fence: sql`${table.snapshot.fence} + 1`, worker })
    .from(table.bot)
    .where(and(eq(table.snapshot.botId, table.bot.id), sql`(${table.bot.id}, ${table.bot.run}) in ${wanted}`))
    .returning();
  const found = new Map(
    taken.map(({ bots: row, fence, seq, session }) => [row.id, { row, run: row.run, fence, seq, session }]),
  );
  return runs.map(({ bot }) => found.get(bot) ?? null);
}

/** Commits what bots do; what several of them have at the same moment goes in one way to the database. */
export type WriteBot = (write: BotWrite) => Promise<'written' | 'lost'>;

/** Most bots in one statement, and how many statements are under way. */
const WRITES = { most: 64, atOnce: 4 } as const;

/**
 * Gives the function that commits what a bot did, in one transaction: its state, the journal lines, trades and fills, and
 * what is wanted of it when it has begun or finished by itself. Sending the same write again does nothing, so that a write
 * whose answer was lost can be repeated.
 *
 * It answers `lost` when another worker has taken the bot over, or it was deleted: nothing was written and nothing may be.
 */
export function botWriter(database: Database): WriteBot {
  const writePlain = inBatches((writes: readonly BotWrite[]) => writePlainLines(database, writes), {
    ...WRITES,
    concernsAll: isDatabaseAway,
  });
  return async (write) => {
    const plain = write.notes.every(isPlain) && (await writePlain(write));
    return plain ? 'written' : writeWhole(database, write);
  };
}

async function writeWhole(database: Database, write: BotWrite): Promise<'written' | 'lost'> {
  const { bot, run, fence, seq, notes, session, saved, status, at } = write;
  const lastSeq = seq + notes.length;
  return inTransaction(database, async (tx) => {
    const written = await tx
      .update(table.snapshot)
      .set({ seq: lastSeq, status, session: saved, savedAt: at })
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
    const wanted = wantedAfter(write);
    if (wanted !== null) {
      await tx
        .update(table.bot)
        .set({ wanted })
        .where(and(eq(table.bot.id, bot), eq(table.bot.run, run)));
    }
    return 'written';
  });
}

/** What is wanted of a bot that has begun or finished by itself; null otherwise. Who asked for another run meanwhile gets it. */
function wantedAfter({ notes, status }: BotWrite): 'running' | 'stopped' | null {
  const turned = notes.find(({ kind }) => kind === 'status');
  if (turned === undefined || isActive(String(turned.data.from)) === isActive(status)) return null;
  return isActive(status) ? 'running' : 'stopped';
}

/** Lines that tell nothing of trades or options. */
function isPlain(note: Note): boolean {
  return note.kind !== 'fill' && note.kind !== 'intent_end' && !isChange(note);
}

/**
 * Commits lines that tell nothing of trades or options in one statement, which is one way to the database and back: an
 * order waits for it before it leaves.
 *
 * @returns for each whether it was written; when not, for whatever reason, nothing of it was
 */
async function writePlainLines(database: Database, writes: readonly BotWrite[]): Promise<boolean[]> {
  const states = writes.map((write) => {
    const { bot, run, fence, seq, notes, saved, status, at } = write;
    const wanted = wantedAfter(write);
    return { bot, run, fence, seq, last: seq + notes.length, status, session: saved, at, wanted };
  });
  const lines = writes.flatMap(({ bot, fence, seq, notes }) =>
    notes.map((note, index) => ({ bot, fence, seq: seq + 1 + index, ...note })),
  );
  const { rows } = await database.pool.query<{ bot: string; fence: string }>({
    name: 'write plain lines of bots',
    text: WRITE_PLAIN,
    values: [JSON.stringify(states), JSON.stringify(lines)],
  });
  // A bot that this worker has lost and taken again may be among them twice, under two fences.
  const written = new Set(rows.map(({ bot, fence }) => `${bot} ${fence}`));
  return writes.map(({ bot, fence }) => written.has(`${bot} ${fence}`));
}

const WRITE_PLAIN = `
  with written as (
    update bots.snapshots as held
    set seq = given.last, status = given.status, session = given.session, saved_at = given.at
    from json_to_recordset($1::json)
      as given(
        bot text, run bigint, fence bigint, seq bigint, last bigint, status text, session text, at bigint, wanted text)
    where held.bot_id = given.bot and held.fence = given.fence and held.seq = given.seq
    returning held.bot_id as bot, held.fence, given.run, given.wanted
  ), turned as (
    update bots.bots as bot set wanted = written.wanted
    from written where bot.id = written.bot and bot.run = written.run and written.wanted is not null
  ), lines as (
    insert into bots.journal (bot_id, seq, at, pair, kind, data)
    select line.bot, line.seq, line.at, line.pair, line.kind, line.data
    from json_to_recordset($2::json)
      as line(bot text, fence bigint, seq bigint, at bigint, pair text, kind text, data jsonb)
    join written on written.bot = line.bot and written.fence = line.fence
  )
  select bot, fence from written`;

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
