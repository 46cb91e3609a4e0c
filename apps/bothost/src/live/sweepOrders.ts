import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { ORDER_LIFETIME_MS, orderKind } from '@heron/engine/live/orderRequest.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { BotRow } from '../store/botRow.ts';
import type { Accounts } from './accounts.ts';

/** The orders that are cancelled. The kill switch keeps stops, because they protect a position that only the bot can sell. */
export type Sweep = 'all' | 'all_but_stops' | 'nothing';

/** Maximum difference between the clocks of exchange and hosts. */
const CLOCK_SKEW_MS = 1_000;

/** Dependencies of {@link sweepOrders}. */
export interface SweepDeps {
  readonly database: Database;
  readonly accounts: Accounts;
  /** Returns ms since 1970. */
  now(): number;
}

/** The result of a sweep. */
export interface Swept {
  /** Number of open orders of the bot afterwards, without stops that the sweep keeps. */
  readonly resting: number;
  /** Whether no order that the bot has sent can still arrive at the exchange. */
  readonly settled: boolean;
}

/**
 * Cancels the open orders of a bot that cannot do it itself. Finds its orders by their client order ids, without its saved
 * state. Once that state can be read again, the bot reconciles each order, as after any manual cancel.
 *
 * The last order that the bot sent may arrive late. The sweep therefore repeats once the exchange no longer accepts that order.
 * With `all_but_stops` it returns at once instead, because its caller is in a hurry and calls again.
 */
export async function sweepOrders(
  { database, accounts, now }: SweepDeps,
  markets: readonly Market[],
  { id, owner, keyId, options }: Pick<BotRow, 'id' | 'owner' | 'keyId' | 'options'>,
  sweep: Sweep,
): Promise<Swept> {
  const { orm } = database;
  if (keyId === null) return { resting: 0, settled: true };
  const [saved] = await orm
    .select({ at: table.snapshot.savedAt })
    .from(table.snapshot)
    .where(eq(table.snapshot.botId, id));
  const traded = await orm
    .selectDistinct({ pair: table.journal.pair })
    .from(table.journal)
    .where(and(eq(table.journal.botId, id), isNotNull(table.journal.pair)));
  const known = new Set([...parsePairs(String(options.watch_pairs)).pairs, ...traded.map(({ pair }) => pair)]);
  const pairs = markets.map(({ pair }) => pair).filter((pair) => known.has(pair));
  const { trading } = await accounts.acquire(owner, keyId);
  const rests = async () => {
    const orders = await trading.openOrders(pairs);
    const own = orders.filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`));
    return sweep === 'all_but_stops' ? own.filter(({ trigger }) => trigger === undefined) : own;
  };
  const pass = async () => {
    const own = await rests();
    if (sweep === 'nothing' || own.length === 0) return own.length;
    // A cancel of a finished order is rejected. Only the orders that are open afterwards count.
    await Promise.allSettled(own.map((order) => trading.cancel(order.pair, order.clientOrderId, orderKind(order))));
    return (await rests()).length;
  };
  try {
    const requestedAt = now();
    const resting = await pass();
    // Orders are saved before they are sent.
    const settledAt = Math.min(saved?.at ?? 0, requestedAt) + ORDER_LIFETIME_MS + CLOCK_SKEW_MS;
    const settled = settledAt <= requestedAt;
    if (settled || sweep === 'all_but_stops') return { resting, settled };
    await delay(Math.max(0, settledAt - now()));
    return { resting: await pass(), settled: true };
  } finally {
    await accounts.release(keyId);
  }
}
