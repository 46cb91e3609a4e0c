import { CallError } from '@heron/contract/http/errors.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { inTransaction } from '@heron/database/transaction.ts';
import { isWatched } from '@heron/engine/bot/busy.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import { and, eq, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { BotRow } from './botRow.ts';
import { HOSTED } from './hosted.ts';
import { readSaved } from './savedBot.ts';
import { isActive } from './status.ts';

type Transaction = Parameters<Parameters<typeof inTransaction>[1]>[0];

/**
 * Of a contract an account has one position, whoever made it: two bots on it would close each other's. Until the end of the
 * transaction nobody else can begin on one.
 *
 * @param pairs that the bot is about to trade
 * @throws CallError `contract_taken` while another bot of the account runs on one of them or holds it
 */
export async function claimContracts(tx: Transaction, row: BotRow, pairs: readonly string[]): Promise<void> {
  const future = HOSTED.some(({ name, future: margin }) => margin && name === row.exchange);
  if (!future || row.options.mode !== 'live' || row.keyId === null) return;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('heron contracts'), hashtext(${row.exchange}))`);
  const own = alias(table.key, 'own');
  const sameAccount = and(eq(table.key.exchange, own.exchange), eq(table.key.account, own.account));
  const others = await tx
    .select({ row: table.bot, session: table.snapshot.session })
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .innerJoin(table.key, eq(table.key.id, table.bot.keyId))
    .innerJoin(own, eq(own.id, row.keyId))
    .where(and(ne(table.bot.id, row.id), or(eq(table.key.id, own.id), sameAccount)));
  for (const other of others) {
    const taken = claimsOf(other.row, other.session);
    const pair = pairs.find((name) => taken.has(name));
    if (pair === undefined) continue;
    // Of somebody else's bot nothing is told but that there is one.
    throw new CallError('contract_taken', { pair, name: other.row.owner === row.owner ? other.row.name : '?' });
  }
}

/** Contracts that a bot trades or holds, so that no other may. */
function claimsOf(row: BotRow, text: string): ReadonlySet<string> {
  const { session, unreadable } = readSaved(row, text);
  const { status, pairs } = session.state.bot;
  // What it holds cannot be seen.
  if (unreadable !== null) return new Set(parsePairs(String(row.options.watch_pairs)).pairs);
  const runs = row.wanted === 'running' || isActive(status);
  return new Set(
    pairs.filter((pair) => pair.holding.quantity > 0 || (runs && isWatched(pair))).map(({ pair }) => pair),
  );
}
