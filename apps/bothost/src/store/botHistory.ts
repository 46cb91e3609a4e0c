import type { ClosedPositions, JournalEntry, Trade } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm';

/** Returns a page of a bot's trades with their fills, newest first, and the cursor of the next page. */
export async function tradePage(
  database: Database,
  bot: string,
  query: {
    pair?: string | undefined;
    position?: number | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<{ trades: Trade[]; next: string | null }> {
  const before = query.before === undefined ? null : parseCursor(query.before);
  const rows = await database.orm
    .select()
    .from(table.trade)
    .where(
      and(
        eq(table.trade.botId, bot),
        query.pair === undefined ? undefined : eq(table.trade.pair, query.pair),
        query.position === undefined ? undefined : hasFillOf(database, bot, query.position),
        before === null
          ? undefined
          : sql`(${table.trade.openedAt}, ${table.trade.id}) < (${before.at}::bigint, ${before.id})`,
      ),
    )
    .orderBy(desc(table.trade.openedAt), desc(table.trade.id))
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit);
  const ids = page.map(({ id }) => id);
  const fills =
    ids.length === 0
      ? []
      : await database.orm
          .select()
          .from(table.fill)
          .where(and(eq(table.fill.botId, bot), inArray(table.fill.tradeId, ids)))
          .orderBy(asc(table.fill.seq));
  const last = page.at(-1);
  return {
    trades: page.map((row) =>
      tradeOf(
        row,
        fills.filter(({ tradeId }) => tradeId === row.id),
      ),
    ),
    next: rows.length > query.limit && last ? `${last.openedAt}.${last.id}` : null,
  };
}

/** Selects the trades with fills of a position. */
function hasFillOf({ orm }: Database, bot: string, position: number) {
  const trades = orm
    .select({ id: table.fill.tradeId })
    .from(table.fill)
    .where(and(eq(table.fill.botId, bot), eq(table.fill.position, position)));
  return inArray(table.trade.id, trades);
}

/**
 * Returns a page of a bot's closed positions, the one that closed last first, and the cursor of the next page.
 *
 * @throws CallError `invalid_request` for a cursor of another list
 */
export async function positionPage(
  { orm }: Database,
  bot: string,
  query: { before?: string | undefined; limit: number },
): Promise<{ positions: ClosedPositions; next: string | null }> {
  const before = query.before === undefined ? null : parseCursor(query.before);
  const { closedAt, id } = table.position;
  if (before !== null && !/^\d{1,15}$/.test(before.id)) throw new CallError('invalid_request', { reason: 'before' });
  const rows = await orm
    .select()
    .from(table.position)
    .where(
      and(
        eq(table.position.botId, bot),
        before === null ? undefined : sql`(${closedAt}, ${id}) < (${before.at}::bigint, ${before.id}::bigint)`,
      ),
    )
    .orderBy(desc(closedAt), desc(id))
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return { positions: columnsOf(page), next: rows.length > query.limit && last ? `${last.closedAt}.${last.id}` : null };
}

function columnsOf(rows: readonly (typeof table.position.$inferSelect)[]): ClosedPositions {
  return {
    id: rows.map(({ id }) => id),
    pair: rows.map(({ pair }) => pair),
    direction: rows.map(({ direction }) => direction),
    openedAt: rows.map(({ openedAt }) => openedAt),
    closedAt: rows.map(({ closedAt }) => closedAt),
    entryPrice: rows.map(({ entryPrice }) => entryPrice),
    exitPrice: rows.map(({ exitPrice }) => exitPrice),
    quantity: rows.map(({ quantity }) => quantity),
    net: rows.map(({ net }) => net),
    fees: rows.map(({ fees }) => fees),
    funding: rows.map(({ funding }) => funding),
    // The engine writes only reasons that the contract lists.
    reason: rows.map(({ reason }) => reason as ClosedPositions['reason'][number]),
  };
}

/** Returns a page of a bot's journal, newest first, and the cursor of the next page. */
export async function journalPage(
  database: Database,
  bot: string,
  query: {
    pair?: string | undefined;
    kind?: JournalEntry['kind'] | undefined;
    order?: string | undefined;
    before?: number | undefined;
    limit: number;
  },
): Promise<{ entries: JournalEntry[]; next: number | null }> {
  const rows = await database.orm
    .select()
    .from(table.journal)
    .where(
      and(
        eq(table.journal.botId, bot),
        query.pair === undefined ? undefined : eq(table.journal.pair, query.pair),
        query.kind === undefined ? undefined : eq(table.journal.kind, query.kind),
        query.order === undefined ? undefined : isOfOrder(query.order),
        query.before === undefined ? undefined : lt(table.journal.seq, query.before),
      ),
    )
    .orderBy(desc(table.journal.seq))
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit);
  return {
    // The engine writes only kinds that the contract lists.
    entries: page.map(({ botId: _, kind, ...line }) => ({ ...line, kind: kind as JournalEntry['kind'] })),
    next: rows.length > query.limit ? (page.at(-1)?.seq ?? null) : null,
  };
}

/** Selects the journal entries of a parent order. */
function isOfOrder(order: string) {
  const { kind, data } = table.journal;
  return sql`(${kind} in ('order', 'fill') and ${data} ->> 'intent' = ${order}
    or ${kind} in ('intent', 'intent_end') and ${data} ->> 'id' = ${order})`;
}

function tradeOf(row: typeof table.trade.$inferSelect, fills: (typeof table.fill.$inferSelect)[]): Trade {
  const { botId: _, fee, feeAsset, ...trade } = row;
  // The engine writes only values that the contract lists.
  const typed = {
    kind: row.kind as Trade['kind'],
    side: row.side as Trade['side'],
    reason: row.reason as Trade['reason'],
  };
  return {
    ...trade,
    ...typed,
    fees: feeAsset === '' ? [] : [{ asset: feeAsset, amount: fee }],
    fills: fills.map(({ botId: _bot, tradeId: _trade, seq: _seq, position: _position, ...fill }) => ({
      ...fill,
      side: typed.side,
      reason: typed.reason,
      liquidity: fill.liquidity as 'maker' | 'taker',
    })),
  };
}

/** Parses a cursor that a page of trades or positions has made. @throws CallError `invalid_request` */
function parseCursor(text: string): { at: number; id: string } {
  const match = /^(\d{1,15})\.([A-Za-z0-9-]{1,24})$/.exec(text);
  if (!match) throw new CallError('invalid_request', { reason: 'before' });
  return { at: Number(match[1]), id: match[2] as string };
}
