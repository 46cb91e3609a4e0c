import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import type { Quantity } from '@heron/engine/money/units.ts';
import type { CashClaim } from '@heron/engine/reconcile/cashClaims.ts';
import { and, eq, ne, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';

/** The saved cash and positions of other bots on the same account. */
export interface OtherBots {
  /** Their claims on the account's cash in one currency. */
  readonly claims: readonly CashClaim[];
  /** Returns their net quantity of an asset, in units of `assetDecimals`. */
  heldQuantity(base: string, assetDecimals: number): Quantity;
  /** Whether the saved state of one of them cannot be read; then the account cannot be reconciled. */
  readonly unreadable: boolean;
}

/**
 * Reads the other bots of all owners on the account of a key. Two keys may belong to one account.
 *
 * @param botId the bot to exclude; null for none
 * @param currency the currency of its cash claims
 */
export async function getOtherBots(
  database: Database,
  keyId: string,
  botId: string | null,
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
    .where(and(botId === null ? undefined : ne(table.bot.id, botId), or(eq(table.key.id, own.id), sameAccount)));
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

/** Whether a bot may have orders or positions of its own: it has opened its account, or its state cannot be read. */
export function hasTraded(session: string): boolean {
  const state = readState(session);
  return state === null || state.opened;
}

function readState(text: string): LiveState | null {
  try {
    return JSON.parse(text) as LiveState;
  } catch {
    return null;
  }
}
