import { randomInt } from 'node:crypto';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { inTransaction, type Transaction } from '@heron/database/transaction.ts';
import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import { parseUnits } from '@heron/engine/money/units.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import { createPaperSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import { and, desc, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import type { BotRow } from './botRow.ts';
import { readSaved } from './savedBot.ts';
import { ACTIVE, isActive } from './status.ts';

/** Maximum number of bots of one owner. */
const MAX_BOTS = 50;

const ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A bot and its last saved session. */
export interface StoredBot {
  readonly row: BotRow;
  /** Input of the engine's `restoreSession`. */
  readonly session: string;
  /** Number of its last worker; null before its first run. */
  readonly worker: number | null;
  /** Fencing token, which each take-over by a worker raises. */
  readonly fence: number;
  /** Number of the last journal entry that the session includes. */
  readonly seq: number;
  /** Status in the saved state. */
  readonly status: string;
}

const STORED = {
  row: table.bot,
  session: table.snapshot.session,
  worker: table.snapshot.worker,
  fence: table.snapshot.fence,
  seq: table.snapshot.seq,
  status: table.snapshot.status,
};

/** Lists the bots of one owner, newest first. */
export async function listBots(database: Database, owner: string): Promise<StoredBot[]> {
  return database.orm
    .select(STORED)
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .where(eq(table.bot.owner, owner))
    .orderBy(desc(table.bot.createdAt), desc(table.bot.id));
}

/** @throws CallError `not_found`, also for bots of others */
export async function ownBot(database: Pick<Database, 'orm'>, owner: string, id: string): Promise<StoredBot> {
  const [found] = await database.orm
    .select(STORED)
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .where(and(eq(table.bot.id, id), eq(table.bot.owner, owner)));
  if (!found) throw new CallError('not_found');
  return found;
}

/**
 * Creates a stopped bot.
 *
 * @param given.options validated @param given.params validated
 * @throws CallError `bot_name_taken`, `bot_limit`, and for live bots `key_needed`, `key_may_withdraw`
 */
export async function createBot(
  database: Database,
  owner: string,
  given: { name: string; options: BotOptions; params: Params; key?: string | null; allotment?: string | null },
  at: number,
): Promise<StoredBot> {
  return inTransaction(database, async (tx) => {
    const held = await lockBots(tx, owner);
    if (held.some(({ name }) => name === given.name)) throw new CallError('bot_name_taken');
    if (held.length >= MAX_BOTS) throw new CallError('bot_limit', { greatest: MAX_BOTS });
    const id = await freeId(async (candidate) => {
      const [taken] = await tx.select({ id: table.bot.id }).from(table.bot).where(eq(table.bot.id, candidate));
      return taken === undefined;
    });
    const { options, params, key = null, allotment = null } = given;
    const live = options.mode === 'live';
    if (live) await needKey(tx, owner, options.exchange, key);
    const session = live
      ? createLiveSession({ id, options, params, allotment: allotment === null ? null : parseUnits(allotment) })
      : createPaperSession({ id, options, params });
    const row = {
      id,
      owner,
      venue: options.exchange,
      name: given.name,
      options: { ...options },
      params: { ...params },
      keyId: live ? key : null,
      allotment: live ? allotment : null,
      wanted: 'stopped',
      createdAt: at,
    } satisfies BotRow;
    await tx.insert(table.bot).values(row);
    const text = saveSession(session);
    const { status } = session.state.bot;
    await tx.insert(table.snapshot).values({ botId: id, venue: row.venue, status, session: text, savedAt: at });
    return { row, session: text, worker: null, fence: 0, seq: 0, status };
  });
}

/** Renames a bot. @throws CallError `not_found`, `bot_name_taken` */
export async function renameBot(database: Database, owner: string, id: string, name: string): Promise<void> {
  await inTransaction(database, async (tx) => {
    const held = await lockBots(tx, owner);
    if (!held.some((bot) => bot.id === id)) throw new CallError('not_found');
    if (held.some((bot) => bot.id !== id && bot.name === name)) throw new CallError('bot_name_taken');
    await tx.update(table.bot).set({ name }).where(eq(table.bot.id, id));
  });
}

/**
 * Returns the bots of an owner. Until the end of the transaction no other one adds or renames bots of this owner, so that checks
 * of their number and names hold.
 */
async function lockBots(tx: Transaction, owner: string): Promise<{ id: string; name: string }[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('heron bots'), hashtext(${owner}))`);
  return tx.select({ id: table.bot.id, name: table.bot.name }).from(table.bot).where(eq(table.bot.owner, owner));
}

/** Checks that a live bot has a key of its owner for its venue. */
async function needKey(tx: Transaction, owner: string, venue: string, key: string | null): Promise<void> {
  const [held] = await tx
    .select({ venue: table.key.venue, permissions: table.key.permissions })
    .from(table.key)
    .where(and(eq(table.key.id, key ?? ''), eq(table.key.owner, owner)))
    // Waits for a concurrent deletion of the key, and prevents later ones until the commit.
    .for('key share');
  if (held?.venue !== venue) throw new CallError('key_needed');
  if (held.permissions.withdraw === true) throw new CallError('key_may_withdraw');
}

/** Selects the bots that are wanted running or halted, or were interrupted, from bots joined with snapshots and halts. */
export function needsWorker(): SQL | undefined {
  return or(eq(table.bot.wanted, 'running'), inArray(table.snapshot.status, [...ACTIVE]), isNotNull(table.halt.id));
}

/** Returns the venues and modes in which any bot is wanted running or halted, or was interrupted. */
export async function activeFleets(database: Database): Promise<{ venue: string; mode: 'paper' | 'live' }[]> {
  const mode = sql<string>`${table.bot.options} ->> 'mode'`;
  const found = await database.orm
    .selectDistinct({ venue: table.bot.venue, mode })
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .leftJoin(table.halt, eq(table.halt.botId, table.bot.id))
    .where(needsWorker());
  return found.map((row) => ({ venue: row.venue, mode: row.mode === 'live' ? 'live' : 'paper' }));
}

/**
 * Deletes a bot and its history.
 *
 * @param failedAt its fencing token when its fault was found; null for a bot without a fault. While the token is unchanged no
 *   worker runs the bot, whatever its saved status. No worker runs a bot with an unreadable state either.
 * @throws CallError `not_found`, `bot_running`
 */
export async function deleteBot(database: Database, owner: string, id: string, failedAt: number | null): Promise<void> {
  await inTransaction(database, async (tx) => {
    const isOwn = and(eq(table.bot.id, id), eq(table.bot.owner, owner));
    const own = tx.select({ id: table.bot.id }).from(table.bot).where(isOwn);
    // Writers of the journal lock the snapshot first and then the bot. The other order would be a deadlock.
    await tx
      .select({ id: table.snapshot.botId })
      .from(table.snapshot)
      .where(inArray(table.snapshot.botId, own))
      .for('update');
    const [found] = await tx
      .select(STORED)
      .from(table.bot)
      .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
      .where(isOwn)
      .for('update');
    if (!found) throw new CallError('not_found');
    const { row, session, status, fence } = found;
    const runs =
      failedAt === null
        ? row.wanted === 'running' || isActive(status)
        : fence !== failedAt && readSaved(row, session).unreadable !== 'state_unreadable';
    if (runs) throw new CallError('bot_running');
    await tx.delete(table.bot).where(eq(table.bot.id, id));
  });
}

async function freeId(isFree: (candidate: string) => Promise<boolean>): Promise<string> {
  for (;;) {
    const id = Array.from({ length: 6 }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join('');
    if (await isFree(id)) return id;
  }
}
