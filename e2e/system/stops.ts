import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { OpenOrder } from '@heron/exchanges/trading.ts';
import { units } from './statement.ts';

/** A position has no stop for these reasons as long as nothing changes; for any other there is one in a moment. */
const LASTING = new Set(['venue', 'no_row', 'row_fired', 'below_minimum', 'ladder_sells', 'not_running']);

/** Journal lines without those of the stops at the exchange, which rest while nothing is at work. */
export function withoutStops<Line extends Pick<JournalEntry, 'data'>>(lines: readonly Line[]): Line[] {
  return lines.filter(({ data }) => data.reason !== 'exchange_stop');
}

/** An order that waits at the exchange for its price. */
export function isStop({ type }: Pick<OpenOrder, 'type'>): boolean {
  return type === 'stop_market' || type === 'stop_limit';
}

/**
 * What is wrong with the stops of one bot once it has heard of everything: each position has exactly one, of the right
 * size and at the right price, or says why not. The rows of its stop_sell must sell all.
 *
 * @param open what rests on the account
 */
export function stopFaults({ bot, stops }: LiveState, open: readonly OpenOrder[]): string[] {
  return bot.pairs.flatMap(({ pair, market, holding, position }) => {
    const found = open.filter(
      (order) => order.pair === pair && isStop(order) && order.clientOrderId.startsWith(`${bot.id}-`),
    );
    const [stop] = found;
    if (position === null) return found.length === 0 ? [] : [`${pair}: a stop rests without a position`];
    if (market === null) return [];
    if (stop === undefined) {
      const gap = stops[pair]?.gap;
      return gap !== undefined && gap !== null && LASTING.has(gap) ? [] : [`${pair}: no stop rests (${gap})`];
    }
    if (found.length > 1) return [`${pair}: ${found.length} stops rest`];
    const wrong: string[] = [];
    const exact = (value: number) => units(formatUnits(value, market.assetDecimals));
    const held = exact(holding.quantity) - (exact(holding.quantity) % exact(market.step));
    const rest = exact(stop.quantity) - exact(stop.filled);
    if (rest !== held) wrong.push(`${pair}: the stop is for ${rest} of ${held}`);
    const { direction } = position;
    if (stop.side !== (direction === 1 ? 'sell' : 'buy')) wrong.push(`${pair}: the stop is to ${stop.side}`);
    const away = Math.max(0, ...bot.options.stop_sell.map(({ profit }) => profit));
    const share = BigInt(Math.round((100 - direction * away) * 1e6));
    // On the grid, away from where the price is.
    const grid = 100_000_000n * BigInt(market.tick);
    const level = BigInt(holding.entryPrice) * share + (direction === 1 ? 0n : grid - 1n);
    const price = (level / grid) * BigInt(market.tick);
    if (BigInt(stop.trigger?.price ?? 0) !== price) {
      wrong.push(`${pair}: the stop is at ${stop.trigger?.price} instead of ${price}`);
    }
    return wrong;
  });
}

/** How many intents of a journal have not ended, stops apart. */
export const openIntents = (journal: readonly JournalEntry[]) => {
  const lines = withoutStops(journal);
  return (
    lines.filter(({ kind }) => kind === 'intent').length - lines.filter(({ kind }) => kind === 'intent_end').length
  );
};
