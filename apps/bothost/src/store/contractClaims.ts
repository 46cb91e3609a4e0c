import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { inTransaction, type Transaction } from '@heron/database/transaction.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import { exchangeOfVenue } from '@heron/engine/options/venues.ts';
import { isWatched } from '@heron/engine/state/pairActivity.ts';
import { createKeyedMutex } from '@heron/runtime/keyedMutex.ts';
import { and, eq, isNull, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { BotRow } from './botRow.ts';
import { readSaved } from './savedBot.ts';
import { isActive } from './status.ts';

/** Whether a bot must claim the contracts that it trades: live bots on futures. */
export function claimsContracts({ venue, options, keyId }: BotRow): boolean {
  const future = exchangeOfVenue(venue)?.future === true;
  return future && options.mode === 'live' && keyId !== null;
}

/** Lets the bots of a venue claim contracts one after another, across all bot hosts. */
export interface ContractLock {
  /**
   * Runs `work` in a transaction during which no other bot can claim a contract. The claims that it reads stay valid until its
   * start or change is committed, also when a worker commits it.
   */
  runLocked<T>(venue: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** Runs one claim at a time for each venue in this process, because each holds a database connection. */
export function createContractLock(database: Database): ContractLock {
  const mutex = createKeyedMutex();
  return {
    runLocked: (venue, work) =>
      mutex.run(venue, () =>
        inTransaction(database, async (tx) => {
          await tx.execute(sql`select pg_advisory_xact_lock(hashtext('heron contracts'), hashtext(${venue}))`);
          return work(tx);
        }),
      ),
  };
}

/**
 * Checks that a bot may trade some contracts. An account has one position for each contract, so two bots would close each other's.
 *
 * @param tx the transaction of a {@link ContractLock}
 * @param pairs the pairs that the bot is about to trade
 * @throws CallError `contract_taken` while another bot of the account trades or holds one of them. `account_unknown` while such
 *   a bot may share the account, because the account of a key is unknown.
 */
export async function claimContracts(tx: Transaction, row: BotRow, pairs: readonly string[]): Promise<void> {
  if (row.keyId === null) return;
  const own = alias(table.key, 'own');
  const mayBeSame = and(eq(table.key.venue, own.venue), or(isNull(own.account), eq(table.key.account, own.account)));
  const others = await tx
    .select({ row: table.bot, session: table.snapshot.session, account: own.account })
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .innerJoin(table.key, eq(table.key.id, table.bot.keyId))
    .innerJoin(own, eq(own.id, row.keyId))
    .where(and(ne(table.bot.id, row.id), or(eq(table.key.id, own.id), mayBeSame)));
  for (const other of others) {
    const taken = claimsOf(other.row, other.session);
    const pair = pairs.find((name) => taken.has(name));
    if (pair === undefined) continue;
    if (other.account === null && other.row.keyId !== row.keyId) throw new CallError('account_unknown');
    // The name of another owner's bot is not revealed.
    throw new CallError('contract_taken', { pair, name: other.row.owner === row.owner ? other.row.name : '?' });
  }
}

/** Returns the contracts that a bot trades or holds. */
function claimsOf(row: BotRow, text: string): ReadonlySet<string> {
  const { session, unreadable } = readSaved(row, text);
  const { status, pairs } = session.state.bot;
  // The positions of an unreadable bot are unknown, so all its pairs count.
  if (unreadable !== null) return new Set(parsePairs(String(row.options.watch_pairs)).pairs);
  const runs = row.wanted === 'running' || isActive(status);
  return new Set(
    pairs.filter((pair) => pair.holding.quantity > 0 || (runs && isWatched(pair))).map(({ pair }) => pair),
  );
}
