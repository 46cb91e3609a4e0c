import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { type Market, notional } from '@heron/engine/market/market.ts';
import { parseUnits } from '@heron/engine/money/units.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import type { PairState, Position } from '@heron/engine/state/botState.ts';
import type { Reason } from '@heron/engine/state/parentOrder.ts';
import { addEntry, addExit, noTotals, type PositionTotals } from '@heron/engine/state/positionTotals.ts';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';

type Line = typeof table.journal.$inferSelect;

/**
 * Reads the past of open positions that an older version opened, from the journal. Without it their rows among the closed
 * positions would count only what happened since the upgrade.
 *
 * @see docs/accounting.md#closed-positions
 */
export async function completePositions({ orm }: Database, bot: string, { state }: Pick<BotSession, 'state'>) {
  const open = state.bot.pairs.flatMap((pair) => (pair.position?.totals === null ? [{ pair, of: pair.position }] : []));
  if (open.length === 0) return;
  const lines = await orm
    .select()
    .from(table.journal)
    .where(
      and(
        eq(table.journal.botId, bot),
        inArray(
          table.journal.pair,
          open.map(({ pair }) => pair.pair),
        ),
        inArray(table.journal.kind, ['fill', 'funding', 'external']),
        sql`seq >= (
          select min(seq) from bots.journal as first where first.bot_id = ${bot} and first.kind = 'fill'
            and first.data ->> 'position' in ${open.map(({ of }) => nameOf(of))})`,
      ),
    )
    .orderBy(asc(table.journal.seq));
  for (const { pair, of } of open) of.totals = totalsOf(pair, of, lines);
}

const nameOf = ({ id }: Position) => `p${id}`;

/** Returns null for a position of which the journal has no fill. The engine then counts from its present size. */
function totalsOf({ pair, market }: PairState, position: Position, lines: readonly Line[]): PositionTotals | null {
  const totals = noTotals();
  // A pair with a position has a market.
  const known = market as Market;
  const { assetDecimals } = known;
  const amount = (value: Line['data'][string] | undefined, decimals?: number) =>
    parseUnits(String(value), decimals) ?? 0;
  const own = lines.filter((line) => line.pair === pair);
  const first = own.findIndex(({ kind, data }) => kind === 'fill' && data.position === nameOf(position));
  if (first === -1) return null;
  for (const { kind, data } of own.slice(first)) {
    const price = amount(data.price);
    if (kind === 'external') {
      if (data.what !== 'adjust') continue;
      const removed = -amount(data.quantity, assetDecimals);
      addExit(totals, removed, notional(known, price, removed), 'external');
    } else if (data.position !== nameOf(position)) {
    } else if (kind === 'funding') {
      totals.funding += amount(data.amount);
    } else {
      const quantity = amount(data.quantity, assetDecimals);
      const enters = (data.side === 'buy') === (position.direction === 1);
      if (enters) addEntry(totals, quantity);
      // The engine writes only reasons of its list.
      else addExit(totals, quantity, notional(known, price, quantity), data.reason as Reason);
    }
  }
  return totals;
}
