import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import type { Quantity, Quote } from '@heron/engine/money/units.ts';
import { and, eq, ne } from 'drizzle-orm';

/** What other bots on the same account believe to have, as last saved. */
export interface OtherBots {
  /** Their cash in this currency. */
  readonly cash: Quote;
  /** Their holdings of an asset of that many decimals. */
  held(base: string, assetDecimals: number): Quantity;
}

/** @param currency the bot's own; cash in others is no concern of it */
export async function otherBots(
  database: Database,
  keyId: string,
  botId: string,
  currency: string,
): Promise<OtherBots> {
  const rows = await database.orm
    .select({ session: table.snapshot.session })
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .where(and(eq(table.bot.keyId, keyId), ne(table.bot.id, botId)));
  let cash = 0;
  const held = new Map<string, { quantity: Quantity; decimals: number }[]>();
  for (const { session } of rows) {
    const { bot, opened } = JSON.parse(session) as LiveState;
    if (!opened) continue;
    if (bot.options.product_currency.toUpperCase() === currency) cash += bot.wallet.quote;
    for (const { market, holding } of bot.pairs) {
      if (market === null || holding.quantity === 0) continue;
      const list = held.get(market.base) ?? [];
      list.push({ quantity: holding.side * holding.quantity, decimals: market.assetDecimals });
      held.set(market.base, list);
    }
  }
  return {
    cash,
    held: (base, assetDecimals) =>
      (held.get(base) ?? []).reduce(
        (sum, { quantity, decimals }) => sum + Math.round(quantity * 10 ** (assetDecimals - decimals)),
        0,
      ),
  };
}
