import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { ORDER_LIFETIME_MS, orderKind } from '@heron/engine/live/orderRequest.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { BotRow } from '../store/botRow.ts';
import type { Accounts } from './accounts.ts';

/** What is cancelled. A stop protects what is held, which nothing but the bot itself can sell: the kill switch leaves it. */
export type Sweep = 'all' | 'all_but_stops' | 'nothing';

/** What the clocks of exchange and hosts may differ by. */
const CLOCK_SKEW_MS = 1_000;

/** What a sweep has left. */
export interface Swept {
  /** Orders of the bot that rest afterwards; without stops when those are left. */
  readonly resting: number;
  /** Nothing that the bot sent can still be on its way. */
  readonly settled: boolean;
}

/**
 * Cancels what rests of a bot that cannot do it itself. Its orders are known by their names, so that its books are not
 * needed; when they can be read again they are told what became of each order, as after any cancel by hand. What the bot
 * sent last may still be on its way: unless stops are left, which is in a hurry and asked again, it looks again when the
 * exchange takes that no more.
 *
 * @param now ms since 1970
 */
export async function sweepOrders(
  { orm }: Database,
  accounts: Accounts,
  markets: readonly Market[],
  { id, owner, keyId, options }: Pick<BotRow, 'id' | 'owner' | 'keyId' | 'options'>,
  sweep: Sweep,
  now: () => number,
): Promise<Swept> {
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
    // One that is gone already is refused: what counts is what rests afterwards.
    await Promise.allSettled(own.map((order) => trading.cancel(order.pair, order.clientOrderId, orderKind(order))));
    return (await rests()).length;
  };
  try {
    const askedAt = now();
    const resting = await pass();
    // Orders are saved before they are sent.
    const settledAt = Math.min(saved?.at ?? 0, askedAt) + ORDER_LIFETIME_MS + CLOCK_SKEW_MS;
    const settled = settledAt <= askedAt;
    if (settled || sweep === 'all_but_stops') return { resting, settled };
    await delay(Math.max(0, settledAt - now()));
    return { resting: await pass(), settled: true };
  } finally {
    await accounts.release(keyId);
  }
}
