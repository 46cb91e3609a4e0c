import type { OwnFill, TradeCursor } from '@heron/engine/live/report.ts';
import type { Row } from '../http/row.ts';
import { type OrderNames, orderKey } from '../venue/orderIds.ts';

/** Most rows in one response, of trades and of orders. */
const PAGE = 1_000;

/** Lists of an account that are read page by page, on spot and on futures. */
export interface BinanceLists {
  /** Longest span of a page of trades, ms. */
  readonly spanMs: number;
  readonly names: OrderNames;
  /** Stores the client id of an order. */
  remember(row: Row): void;
  trades(
    page: { startTime: number; endTime: number; limit: number } | { fromId: string; limit: number },
  ): Promise<Row[]>;
  /** Returns orders of every state from an id on. */
  orders(page: { orderId: string; limit: number }): Promise<Row[]>;
}

/**
 * Returns own trades of a pair from a cursor on, oldest first. Binance's rows of trades lack the client id of the order,
 * so that it is read from the list of orders.
 *
 * @param until the venue's time, ms
 */
export async function binanceTrades(
  lists: BinanceLists,
  since: TradeCursor,
  until: number,
  fillOf: (row: Row, clientOrderId: string) => OwnFill,
): Promise<OwnFill[]> {
  const nameOf = ({ symbol, orderId }: Row) => lists.names.get(orderKey(symbol, orderId));
  const rows = await tradePages(lists, since, until);
  // Order ids ascend in time, but trades are not sorted by them.
  const unnamed = rows.filter((row) => nameOf(row) === undefined);
  if (unnamed.length > 0)
    await readNames(
      lists,
      unnamed.map(({ orderId }) => BigInt(String(orderId))).reduce((a, b) => (a < b ? a : b)),
    );
  // Orders of Heron are listed. An order that is not, such as a very old one, gets no client id.
  return rows.map((row) => fillOf(row, nameOf(row) ?? ''));
}

/** Reads pages by time until a page is full, and by trade id from there. */
async function tradePages({ spanMs, trades }: BinanceLists, since: TradeCursor, until: number): Promise<Row[]> {
  const found: Row[] = [];
  let fromId = since.id === '' ? null : since.id;
  for (let start = since.at; fromId === null && start <= until; start += spanMs) {
    const rows = await trades({ startTime: start, endTime: start + spanMs - 1, limit: PAGE });
    if (rows.length === PAGE) fromId = String(rows[0]?.id);
    else found.push(...rows);
  }
  while (fromId !== null) {
    const rows: Row[] = await trades({ fromId, limit: PAGE });
    found.push(...rows);
    fromId = rows.length < PAGE ? null : String(BigInt(String(rows.at(-1)?.id)) + 1n);
  }
  return found;
}

async function readNames({ remember, orders }: BinanceLists, from: bigint): Promise<void> {
  for (let orderId = String(from); ; ) {
    const rows = await orders({ orderId, limit: PAGE });
    for (const row of rows) remember(row);
    const last = rows.at(-1)?.orderId;
    if (rows.length < PAGE || last === undefined) return;
    orderId = String(BigInt(String(last)) + 1n);
  }
}
