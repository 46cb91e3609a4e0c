import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { BotState } from '@heron/engine/state/botState.ts';
import { ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import type { AssetUnits } from '@heron/exchanges/venue/assetUnits.ts';
import { eq } from 'drizzle-orm';

/**
 * Stores the unit of each pair of a venue, which all bots and all bot hosts share. A pair that a saved bot already counts keeps
 * the unit of that bot.
 *
 * @see docs/accounting.md#exact-amounts
 */
export function openAssetUnitStore({ orm }: Pick<Database, 'orm'>, venue: string): AssetUnits {
  let fixed: ReadonlyMap<string, number> = new Map();

  async function readUnits(): Promise<ReadonlyMap<string, number>> {
    const rows = await orm.select().from(table.assetUnit).where(eq(table.assetUnit.venue, venue));
    return new Map(rows.map(({ pair, decimals }) => [pair, decimals]));
  }

  /** Returns the units of the bots of this venue that an older version saved. */
  async function unitsOfSavedBots(): Promise<ReadonlyMap<string, number>> {
    const rows = await orm
      .select({ session: table.snapshot.session })
      .from(table.snapshot)
      .where(eq(table.snapshot.venue, venue));
    return new Map(rows.flatMap(({ session }) => unitsIn(session)));
  }

  async function storeMissing(proposed: ReadonlyMap<string, number>): Promise<void> {
    const saved = fixed.size === 0 ? await unitsOfSavedBots() : [];
    const missing = [...new Map([...proposed, ...saved])].filter(([pair]) => !fixed.has(pair));
    await orm
      .insert(table.assetUnit)
      .values(missing.map(([pair, decimals]) => ({ venue, pair, decimals })))
      // Another process may have stored a pair first: its unit is read afterwards.
      .onConflictDoNothing();
  }

  async function fix(proposed: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    const areKnown = () => [...proposed.keys()].every((pair) => fixed.has(pair));
    if (areKnown()) return fixed;
    fixed = await readUnits();
    if (areKnown()) return fixed;
    await storeMissing(proposed);
    fixed = await readUnits();
    return fixed;
  }

  return {
    async fix(proposed) {
      try {
        return await fix(proposed);
      } catch (error) {
        throw new ExchangeUnreachable(venue, 'the units of its pairs could not be read from the database', error);
      }
    },
  };
}

/** Returns the units of the pairs in a saved session; of one that cannot be read, none. */
function unitsIn(session: string): [string, number][] {
  try {
    const { bot } = JSON.parse(session) as { bot: BotState };
    return bot.pairs.flatMap(({ pair, market }) => (market === null ? [] : [[pair, market.assetDecimals]]));
  } catch {
    return [];
  }
}
