import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import type { Quantity } from '@heron/engine/money/units.ts';
import type { CashClaim } from '@heron/engine/reconcile/cashClaims.ts';
import { and, eq, ne, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';

/** What other bots on the same account believe to have, as last saved. */
export interface OtherBots {
  /** Their claims on the account's cash in this currency. */
  readonly claims: readonly CashClaim[];
  /** Their holdings of an asset of that many decimals. */
  heldQuantity(base: string, assetDecimals: number): Quantity;
  /** Of one of them it cannot be read: then the account cannot be compared with the books. */
  readonly unreadable: boolean;
}

/**
 * Two keys of one account are the same account, whoever they belong to.
 *
 * @param keyId of the bot that asks
 * @param currency the bot's own; cash in others is no concern of it
 */
export async function getOtherBots(
  database: Database,
  keyId: string,
  botId: string,
  currency: string,
): Promise<OtherBots> {
  const own = alias(table.key, 'own');
  const sameAccount = and(eq(table.key.venue, own.venue), eq(table.key.account, own.account));
  const rows = await database.orm
    .select({ session: table.snapshot.session, wanted: table.bot.wanted })
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .innerJoin(table.key, eq(table.key.id, table.bot.keyId))
    .innerJoin(own, eq(own.id, keyId))
    .where(and(ne(table.bot.id, botId), or(eq(table.key.id, own.id), sameAccount)));
  const claims: CashClaim[] = [];
  let unreadable = false;
  const held = new Map<string, { quantity: Quantity; decimals: number }[]>();
  for (const { session, wanted } of rows) {
    const state = readState(session);
    if (state === null) unreadable = true;
    if (!state?.opened) continue;
    const { bot } = state;
    if (bot.options.product_currency.toUpperCase() === currency) claims.push(claimOf(state, wanted === 'running'));
    for (const { market, holding } of bot.pairs) {
      if (market === null || holding.quantity === 0) continue;
      const list = held.get(market.base) ?? [];
      list.push({ quantity: holding.side * holding.quantity, decimals: market.assetDecimals });
      held.set(market.base, list);
    }
  }
  return {
    claims,
    unreadable,
    heldQuantity: (base, assetDecimals) =>
      (held.get(base) ?? []).reduce(
        (sum, { quantity, decimals }) => sum + Math.round(quantity * 10 ** (assetDecimals - decimals)),
        0,
      ),
  };
}

function claimOf({ bot, missing, allotment }: LiveState, running: boolean): CashClaim {
  // A session that an older version saved last has no `missing`.
  return { id: bot.id, cash: bot.wallet.quote, missing: missing ?? 0, allotted: allotment !== null, running };
}

function readState(text: string): LiveState | null {
  try {
    return JSON.parse(text) as LiveState;
  } catch {
    return null;
  }
}
