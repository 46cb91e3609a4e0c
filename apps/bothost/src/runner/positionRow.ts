import type { position } from '@heron/database/schema/bots.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import type { ClosedPosition } from '@heron/engine/state/closedPosition.ts';

export type PositionRow = typeof position.$inferInsert;

/**
 * Returns the rows of closed positions. Of several states of one position only the newest counts.
 *
 * @param closed oldest first
 * @see docs/accounting.md#closed-positions
 */
export function positionRows({ state }: BotSession, closed: readonly ClosedPosition[]): PositionRow[] {
  const { id: botId, options } = state.bot;
  const rows = new Map<number, PositionRow>();
  for (const { direction, entryPrice, exitPrice, quantity, assetDecimals, net, fees, funding, ...of } of closed) {
    rows.set(of.id, {
      ...{ botId, venue: options.exchange },
      ...of,
      direction: direction === 1 ? 'long' : 'short',
      entryPrice: formatUnits(entryPrice),
      exitPrice: exitPrice === null ? null : formatUnits(exitPrice),
      quantity: formatUnits(quantity, assetDecimals),
      net: formatUnits(net),
      fees: formatUnits(fees),
      funding: formatUnits(funding),
    });
  }
  return [...rows.values()];
}
