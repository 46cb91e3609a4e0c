import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import type { AssetUnits } from '@heron/exchanges/venue/assetUnits.ts';
import { and, eq, lt } from 'drizzle-orm';
import type { Logger } from '../log.ts';
import { openSavedUnits } from './savedUnits.ts';

/**
 * Stores the unit of each pair of a venue, which all bots and all bot hosts share. At the first start after an upgrade, pairs
 * keep the units in which saved bots count them.
 *
 * @see docs/accounting.md#exact-amounts
 */
export function openAssetUnitStore({ orm }: Pick<Database, 'orm'>, venue: string, log: Logger): AssetUnits {
  const saved = openSavedUnits({ orm }, venue, log);

  async function readUnits(): Promise<ReadonlyMap<string, number>> {
    const rows = await orm.select().from(table.assetUnit).where(eq(table.assetUnit.venue, venue));
    return new Map(rows.map(({ pair, decimals }) => [pair, decimals]));
  }

  async function reserve(proposed: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    const reserved = await readUnits();
    if ([...proposed.keys()].every((pair) => reserved.has(pair))) return reserved;
    const held = reserved.size === 0 ? await saved.ofHeldPairs() : [];
    const missing = [...new Map([...proposed, ...held])]
      .filter(([pair]) => !reserved.has(pair))
      // Processes that insert the same rows in one order cannot deadlock.
      .sort(([a], [b]) => (a < b ? -1 : 1));
    await orm
      .insert(table.assetUnit)
      .values(missing.map(([pair, decimals]) => ({ venue, pair, decimals })))
      // Another process may have stored a pair first: its unit is read afterwards.
      .onConflictDoNothing();
    return readUnits();
  }

  async function refine(pair: string, decimals: number): Promise<void> {
    try {
      if (await saved.isCounted(pair)) return;
      const isCoarser = lt(table.assetUnit.decimals, decimals);
      const own = and(eq(table.assetUnit.venue, venue), eq(table.assetUnit.pair, pair), isCoarser);
      await orm.update(table.assetUnit).set({ decimals }).where(own);
    } catch (error) {
      log.warn({ err: error, pair }, 'a pair could not get a finer unit, so it is not traded yet');
    }
  }

  /** @throws ExchangeUnreachable when the database does not answer */
  async function reachable<T>(query: () => Promise<T>): Promise<T> {
    try {
      return await query();
    } catch (error) {
      throw new ExchangeUnreachable(venue, 'the units of its pairs could not be read from the database', error);
    }
  }

  return {
    reserve: (proposed) => reachable(() => reserve(proposed)),
    async refine(finer) {
      for (const [pair, decimals] of finer) await refine(pair, decimals);
      return reachable(readUnits);
    },
  };
}
