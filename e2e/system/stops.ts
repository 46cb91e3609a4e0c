import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { OpenOrder } from '@heron/exchanges/trading.ts';
import { units } from './statement.ts';

/** For these reasons a position has no stop permanently. For any other reason its stop follows in a moment. */
const PERMANENT_GAPS = new Set(['venue', 'no_row', 'row_fired', 'below_minimum', 'ladder_sells', 'not_running']);

/** Returns the journal entries without those of protective stops, which stay open while no other order is open. */
export function withoutStops<Line extends Pick<JournalEntry, 'data'>>(lines: readonly Line[]): Line[] {
  return lines.filter(({ data }) => data.reason !== 'exchange_stop');
}

/** Returns whether an order is a stop order. */
export function isStop({ type }: Pick<OpenOrder, 'type'>): boolean {
  return type === 'stop_market' || type === 'stop_limit';
}

/**
 * Returns the faults of one bot's protective stops once it has processed all events. Each position has exactly one stop with
 * the right size and price, or a reason for none. The rows of its stop_sell must sell all.
 *
 * @param open open orders of the account
 */
export function stopFaults({ bot, stops }: LiveState, open: readonly OpenOrder[]): string[] {
  return bot.pairs.flatMap(({ pair, market, holding, position }) => {
    const found = open.filter(
      (order) => order.pair === pair && isStop(order) && order.clientOrderId.startsWith(`${bot.id}-`),
    );
    const [stop] = found;
    if (position === null) return found.length === 0 ? [] : [`${pair}: a stop is open without a position`];
    if (market === null) return [];
    if (stop === undefined) {
      const gap = stops[pair]?.gap;
      return gap !== undefined && gap !== null && PERMANENT_GAPS.has(gap) ? [] : [`${pair}: no stop is open (${gap})`];
    }
    if (found.length > 1) return [`${pair}: ${found.length} stops are open`];
    const away = Math.max(0, ...bot.options.stop_sell.map(({ profit }) => profit));
    return wrongTerms(stop, { market, holding, direction: position.direction, away }).map((text) => `${pair}: ${text}`);
  });
}

interface StopTerms extends Pick<LiveState['bot']['pairs'][number], 'holding'> {
  readonly market: NonNullable<LiveState['bot']['pairs'][number]['market']>;
  readonly direction: 1 | -1;
  /** Distance of the stop from the entry price, in percent. */
  readonly away: number;
}

/** Lists how the only stop of a position differs from the stop that it should have. */
function wrongTerms(stop: OpenOrder, { market, holding, direction, away }: StopTerms): string[] {
  const wrong: string[] = [];
  const exact = (value: number) => units(formatUnits(value, market.assetDecimals));
  const held = exact(holding.quantity) - (exact(holding.quantity) % exact(market.step));
  const open = exact(stop.quantity) - exact(stop.filled);
  if (open !== held) wrong.push(`the stop is for ${open} of ${held}`);
  if (stop.side !== (direction === 1 ? 'sell' : 'buy')) wrong.push(`the stop is to ${stop.side}`);
  const share = BigInt(Math.round((100 - direction * away) * 1e6));
  // Rounds to the tick size, away from the current price.
  const grid = 100_000_000n * BigInt(market.tick);
  const level = BigInt(holding.entryPrice) * share + (direction === 1 ? 0n : grid - 1n);
  const price = (level / grid) * BigInt(market.tick);
  if (BigInt(stop.trigger?.price ?? 0) !== price)
    wrong.push(`the stop is at ${stop.trigger?.price} instead of ${price}`);
  return wrong;
}

/** Returns the number of unfinished parent orders of a journal, without protective stops. */
export const openIntents = (journal: readonly JournalEntry[]) => {
  const lines = withoutStops(journal);
  return (
    lines.filter(({ kind }) => kind === 'intent').length - lines.filter(({ kind }) => kind === 'intent_end').length
  );
};
