import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { BotRow } from '../bots/botRow.ts';
import type { Accounts } from './accounts.ts';

/**
 * Cancels whatever rests of a bot that cannot do it itself, but for its protective stops. Its orders are known by their names, so that its books are not
 * needed; when they can be read again they are told what became of each order, as after any cancel by hand.
 *
 * @returns whether nothing else of it rests any more
 */
export async function sweepOrders(
  { orm }: Database,
  accounts: Accounts,
  markets: readonly Market[],
  { id, owner, keyId, options }: BotRow,
): Promise<boolean> {
  if (keyId === null) return true;
  const traded = await orm
    .selectDistinct({ pair: table.journal.pair })
    .from(table.journal)
    .where(and(eq(table.journal.botId, id), isNotNull(table.journal.pair)));
  const known = new Set([...parsePairs(String(options.watch_pairs)).pairs, ...traded.map(({ pair }) => pair)]);
  const pairs = markets.map(({ pair }) => pair).filter((pair) => known.has(pair));
  const { trading } = await accounts.acquire(owner, keyId);
  const rests = async () => {
    const orders = await trading.openOrders(pairs);
    // A stop protects what is held, which nothing here can sell.
    return orders.filter(({ clientOrderId, trigger }) => clientOrderId.startsWith(`${id}-`) && trigger === undefined);
  };
  try {
    const own = await rests();
    // One that is gone already is refused: what counts is what rests afterwards.
    await Promise.allSettled(own.map(({ pair, clientOrderId }) => trading.cancel(pair, clientOrderId)));
    return own.length === 0 || (await rests()).length === 0;
  } finally {
    await accounts.release(keyId);
  }
}
