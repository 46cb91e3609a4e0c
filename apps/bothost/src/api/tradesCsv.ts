import { Readable } from 'node:stream';
import { botId } from '@heron/contract/bots/entities.ts';
import { moneyText } from '@heron/contract/bots/money.ts';
import { TRADES_CSV_PATH } from '@heron/contract/bots/tradesCsv.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { userOf } from '../http/serveCalls.ts';
import { type BotRow, modeOf } from '../store/botRow.ts';
import { ownBot } from '../store/botStore.ts';

/** Number of trades that are read and sent at a time. */
const PAGE = 1_000;

/** Without this mark, spreadsheet programs assume another encoding than UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

type Row = typeof table.trade.$inferSelect & {
  /** Mode and environment, so that an exported table of paper trades is not mistaken for real ones. */
  readonly money: string;
};

/** Times in UTC; amounts are exact decimals. */
const COLUMNS: readonly (readonly [title: string, cell: (row: Row) => string | number | null])[] = [
  ['opened', ({ openedAt }) => new Date(openedAt).toISOString()],
  ['closed', ({ closedAt }) => (closedAt === null ? null : new Date(closedAt).toISOString())],
  ['pair', ({ pair }) => pair],
  ['venue', ({ venue }) => venue],
  ['money', ({ money }) => money],
  ['kind', ({ kind }) => kind],
  ['side', ({ side }) => side],
  ['reason', ({ reason }) => reason],
  ['quantity', ({ quantity }) => quantity],
  ['average price', ({ averagePrice }) => averagePrice],
  ['first price', ({ firstPrice }) => firstPrice],
  ['slippage %', ({ slippagePercent }) => slippagePercent],
  ['fee', ({ fee }) => fee],
  ['fee asset', ({ feeAsset }) => feeAsset],
  ['fee in quote', ({ feeQuote }) => feeQuote],
  ['realised', ({ realised }) => realised],
  ['id', ({ id }) => id],
];

/** Adds the route of {@link TRADES_CSV_PATH}. */
export function serveTradesCsv(server: FastifyInstance, database: Database): void {
  server.get(TRADES_CSV_PATH, async (request, reply) => {
    const id = botId.safeParse((request.params as { id: string }).id);
    if (!id.success) throw new CallError('not_found');
    const { row } = await ownBot(database, userOf(request), id.data);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="heron-${row.id}-trades.csv"`)
      .send(Readable.from(tradesCsv(database, row.id, moneyOf(row))));
  });
}

/** Generates the table page by page, so that at most one page is in memory. */
async function* tradesCsv({ orm }: Database, bot: string, money: string): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${COLUMNS.map(([title]) => title).join(',')}\r\n`;
  let after = { openedAt: -1, id: '' };
  for (;;) {
    const rows = await orm
      .select()
      .from(table.trade)
      .where(
        and(
          eq(table.trade.botId, bot),
          sql`(${table.trade.openedAt}, ${table.trade.id}) > (${after.openedAt}::bigint, ${after.id})`,
        ),
      )
      .orderBy(asc(table.trade.openedAt), asc(table.trade.id))
      .limit(PAGE);
    if (rows.length > 0) yield `${rows.map((row) => rowOf({ ...row, money })).join('\r\n')}\r\n`;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last;
  }
}

function moneyOf(row: BotRow): string {
  // The database contains only ids from the table of venues.
  return moneyText({ venue: row.venue as VenueId, mode: modeOf(row) }).en;
}

function rowOf(row: Row): string {
  return COLUMNS.map(([, cell]) => cellOf(cell(row))).join(',');
}

/** Formats a cell. A value that a spreadsheet program would execute as a formula becomes text; numbers stay numbers. */
function cellOf(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  const harmless = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) || !/^[=+\-@\t\r]/.test(text);
  const shown = harmless ? text : `'${text}`;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
