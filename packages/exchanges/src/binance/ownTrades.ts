import type { OwnFill, TradeCursor } from '@heron/engine/live/report.ts';
import type { Row } from '../http/row.ts';
import { type OrderNames, orderKey } from '../venue/orderIds.ts';

/** Most rows of one answer, of trades and of orders. */
const PAGE = 1_000;

/** Lists that Binance tells page by page; spot and futures alike. */
export interface BinanceLists {
  /** The longest span of time that a page of trades may have, ms. */
  readonly spanMs: number;
  readonly names: OrderNames;
  /** Remembers an order of the list by its id, its client id among what it remembers. */
  remember(row: Row): void;
  trades(
    asked: { startTime: number; endTime: number; limit: number } | { fromId: string; limit: number },
  ): Promise<Row[]>;
  /** Orders of every state from that id on. */
  orders(asked: { orderId: string; limit: number }): Promise<Row[]>;
}

/**
 * Own trades of a pair from a cursor on, oldest first, each with the client id of its order, which Binance's rows of trades
 * do not have.
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
  // Orders are numbered as they come, trades are not in their order.
  const nameless = rows.filter((row) => nameOf(row) === undefined);
  if (nameless.length > 0)
    await readNames(
      lists,
      nameless.map(({ orderId }) => BigInt(String(orderId))).reduce((a, b) => (a < b ? a : b)),
    );
  // An order of ours is listed; one that is not, such as a very old one of the user's, has no name that we could know.
  return rows.map((row) => fillOf(row, nameOf(row) ?? ''));
}

/** By id once one is known, before by time, a span a page. */
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
