import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { BotStatus } from '@heron/engine/state/botState.ts';
import type { ClosedPosition } from '@heron/engine/state/closedPosition.ts';
import { createBatchLoader } from '@heron/runtime/batchLoader.ts';
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { isDatabaseUnavailable } from '../http/errorResponse.ts';
import type { Run } from '../ownership/runQueue.ts';
import type { BotRow } from '../store/botRow.ts';
import { writeHaltNote } from '../store/haltNote.ts';
import type { Unreadable } from '../store/savedBot.ts';
import { isActive } from '../store/status.ts';
import { alarmNote } from './alarmNote.ts';
import { notificationKindOf } from './notificationKind.ts';
import { positionRows } from './positionRow.ts';
import { tradeRows } from './tradeRow.ts';

/** A bot that this worker has taken over. Only writes with its fencing token succeed, until another worker takes it over. */
export interface TakenBot {
  readonly row: BotRow;
  /** Number of the current run at the take-over. */
  readonly run: number;
  readonly fence: number;
  /** Number of the last journal entry. */
  readonly seq: number;
  /** Input of the engine's `restoreSession`. */
  readonly session: string;
}

/** One write: journal entries numbered from `seq + 1`, and the session after them. */
export interface BotWrite {
  readonly bot: string;
  readonly venue: string;
  readonly run: number;
  readonly fence: number;
  /** Number of the last entry that is already written. */
  readonly seq: number;
  readonly notes: readonly Note[];
  /** Positions that were closed, or got a late result, oldest first. */
  readonly closed: readonly ClosedPosition[];
  /** The source of the trades and options that the entries concern. */
  readonly session: BotSession;
  /** The session as text, which is the input of the engine's `restoreSession`. */
  readonly saved: string;
  readonly status: BotStatus;
  readonly at: number;
}

/** Whether a journal entry records a change of options or a reset of the paper account. */
export function isChange({ kind, data }: Note): boolean {
  return kind === 'command' && (data.command === 'change' || data.command === 'reset');
}

/**
 * Takes a bot over by raising its fencing token. Once this is committed, no other worker can write for it.
 *
 * @param worker number of the worker that runs it from now on; null for a short operation on a stopped bot
 * @returns null when the bot does not exist
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

/** Commits the changes of a bot; bots that write at the same moment share one round trip to the database. */
export type WriteBot = (write: BotWrite) => Promise<'written' | 'lost'>;

/** Limits of the batches in which bots are written. */
const WRITES = { maxItems: 64, maxConcurrent: 4 } as const;

/**
 * Creates the function that commits the changes of a bot in one transaction: its state, journal entries, trades, fills and closed positions. It
 * also updates the wanted state of a bot that has started or finished by itself. A repeated write changes nothing, so a write
 * without a response can be sent again.
 *
 * The function returns `lost` when another worker has taken the bot over or it was deleted. Then nothing was written.
 */
export function createBotWriter(database: Database): WriteBot {
  return createBatchLoader((writes: readonly BotWrite[]) => writeBots(database, writes), {
    ...WRITES,
    failsAnyBatch: isDatabaseUnavailable,
  });
}

/** Writes in one statement and one round trip, because an order is sent only after this commit. */
async function writeBots({ pool, orm }: Database, writes: readonly BotWrite[]): Promise<('written' | 'lost')[]> {
  const { rows } = await pool.query<{ bot: string; fence: string }>({
    name: 'write what bots did',
    text: WRITE,
    values: [JSON.stringify(writes.map(written))],
  });
  // A bot that this worker has lost and taken over again may occur twice, with two fencing tokens.
  const done = new Set(rows.map(({ bot, fence }) => `${bot} ${fence}`));
  const rest = writes.filter(({ bot, fence }) => !done.has(`${bot} ${fence}`));
  if (rest.length > 0) {
    const held = await orm
      .select({ bot: table.snapshot.botId, fence: table.snapshot.fence, seq: table.snapshot.seq })
      .from(table.snapshot)
      .where(
        inArray(
          table.snapshot.botId,
          rest.map(({ bot }) => bot),
        ),
      );
    for (const { bot, fence, seq, notes } of rest) {
      // An earlier statement, whose response was lost, has already written it.
      const before = held.some((now) => now.bot === bot && now.fence === fence && now.seq === seq + notes.length);
      if (before) done.add(`${bot} ${fence}`);
    }
  }
  return writes.map(({ bot, fence }) => (done.has(`${bot} ${fence}`) ? 'written' : 'lost'));
}

/** Returns a write in the form that the statement reads. */
function written({ bot, venue, run, fence, seq, notes, closed, session, saved, status, at }: BotWrite) {
  const entries = notes.map((note, index) => ({ botId: bot, venue, seq: seq + 1 + index, ...note }));
  const fills = entries.flatMap((line) =>
    line.kind === 'fill' && line.pair !== null ? [fillRow(line, line.pair, session)] : [],
  );
  const { options, params, endsAt } = session.state.bot;
  const notifications = entries.flatMap(({ botId, seq: line, at: when, pair, data, kind: said }) => {
    const kind = notificationKindOf({ at: when, pair, kind: said, data }, endsAt);
    return kind === null ? [] : [{ botId, venue, seq: line, at: when, pair, kind, data }];
  });
  return {
    ...{ bot, run, fence, seq, last: seq + notes.length, status, session: saved, at },
    wanted: wantedAfter(notes, status),
    ...(notes.some(isChange) && { options, params }),
    lines: entries.map((line) => named(table.journal, line)),
    trades: tradeRows(session, notes).map((row) => named(table.trade, row)),
    fills: fills.map((row) => named(table.fill, row)),
    ...(closed.length > 0 && {
      positions: positionRows(session, closed).map((row) => named(table.position, row)),
    }),
    ...(notifications.length > 0 && {
      notices: notifications.map((row) => named(table.notification, { ...row, owner: '' })),
    }),
  };
}

/** Returns a row with the column names of the database. */
function named<Of extends PgTable>(of: Of, row: Of['$inferInsert']): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(row));
  return Object.fromEntries(Object.entries(getTableColumns(of)).map(([key, { name }]) => [name, values.get(key)]));
}

/** Returns the new wanted state of a bot that has started or finished by itself; null for other changes. */
function wantedAfter(notes: readonly Note[], status: BotStatus): 'running' | 'stopped' | null {
  const turned = notes.find(({ kind }) => kind === 'status');
  if (turned === undefined || isActive(String(turned.data.from)) === isActive(status)) return null;
  return isActive(status) ? 'running' : 'stopped';
}

/** Returns the assignments that replace a row by the given one. */
const replaced = (of: PgTable) => Object.values(getTableColumns(of)).map(({ name }) => `${name} = excluded.${name}`);

/** Changes nothing when fencing token or entry number do not match. A newer run that the owner has requested stays requested. */
const WRITE = `
  with written as (
    update bots.snapshots as held
    set seq = given.last, status = given.status, session = given.session, saved_at = given.at
    from json_to_recordset($1::json) as given(
      bot text, run bigint, fence bigint, seq bigint, last bigint, status text, session text, at bigint,
      wanted text, options jsonb, params jsonb, lines json, trades json, fills json, positions json, notices json)
    where held.bot_id = given.bot and held.fence = given.fence and held.seq = given.seq
    returning given.*
  ), lines as (
    insert into bots.journal select line.* from written, json_populate_recordset(null::bots.journal, lines) as line
  ), trades as (
    insert into bots.trades select trade.* from written, json_populate_recordset(null::bots.trades, trades) as trade
    on conflict (bot_id, id) do update set ${replaced(table.trade)}
  ), fills as (
    insert into bots.fills select fill.* from written, json_populate_recordset(null::bots.fills, fills) as fill
  ), positions as (
    insert into bots.positions
    select position.* from written, json_populate_recordset(null::bots.positions, written.positions) as position
    on conflict (bot_id, id) do update set ${replaced(table.position)}
  ), notices as (
    insert into bots.notices (bot_id, venue, seq, owner, at, pair, kind, data)
    select bot.id, bot.venue, line.seq, bot.owner, line.at, line.pair, line.kind, line.data
    from written join bots.bots as bot on bot.id = written.bot,
      json_populate_recordset(null::bots.notices, written.notices) as line
  ), turned as (
    update bots.bots as bot set
      wanted = case when bot.run = written.run then coalesce(written.wanted, bot.wanted) else bot.wanted end,
      options = coalesce(written.options, bot.options),
      params = coalesce(written.params, bot.params)
    from written where bot.id = written.bot and (written.wanted is not null or written.options is not null)
  )
  select bot, fence from written`;

/**
 * Records in the journal that the saved state of a bot cannot be read, and sets its status to `error`. The saved state is not
 * changed. The entry is not repeated when it is the newest one already.
 */
export async function writeUnreadable(database: Database, taken: TakenBot, why: Unreadable, at: number): Promise<void> {
  const { row, fence, seq } = taken;
  await inTransaction(database, async (tx) => {
    const [newest] = await tx
      .select({ data: table.journal.data })
      .from(table.journal)
      .where(and(eq(table.journal.botId, row.id), eq(table.journal.seq, seq)));
    const isRecorded = newest?.data.what === why;
    const written = await tx
      .update(table.snapshot)
      .set({ seq: isRecorded ? seq : seq + 1, status: 'error' })
      .where(and(eq(table.snapshot.botId, row.id), eq(table.snapshot.fence, fence), eq(table.snapshot.seq, seq)))
      .returning({ seq: table.snapshot.seq });
    if (isRecorded || written.length === 0) return;
    await writeHaltNote(tx, row, seq + 1, alarmNote(at, why));
  });
}

/**
 * Records in the journal that the program failed while it ran a bot. The saved state is not changed.
 *
 * @returns the entry and its number; null when another worker owns the bot
 */
export async function writeFault(
  database: Database,
  row: BotRow,
  fence: number,
  at: number,
): Promise<{ note: Note; seq: number } | null> {
  return inTransaction(database, async (tx) => {
    const [written] = await tx
      .update(table.snapshot)
      .set({ seq: sql`${table.snapshot.seq} + 1` })
      .where(and(eq(table.snapshot.botId, row.id), eq(table.snapshot.fence, fence)))
      .returning({ seq: table.snapshot.seq });
    if (written === undefined) return null;
    const note = alarmNote(at, 'fault');
    await writeHaltNote(tx, row, written.seq, note);
    return { note, seq: written.seq };
  });
}

/** Returns the position of a fill. A fill that came after the end of its position belongs to the one that closed last. */
function positionOf({ data }: Note, pair: string, { state }: BotSession): number | null {
  if (typeof data.position === 'string') return Number(data.position.slice(1));
  return state.bot.pairs.find((each) => each.pair === pair)?.lastClosed?.id ?? null;
}

function fillRow(line: Note & { botId: string; venue: string; seq: number }, pair: string, session: BotSession) {
  const { botId, venue, seq, at, data } = line;
  return {
    ...{ botId, venue },
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
    position: positionOf(line, pair, session),
  };
}
