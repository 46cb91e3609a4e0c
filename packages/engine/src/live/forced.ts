import type { OrderFill } from '../bot/event.ts';
import { haltPair } from '../bot/halt.ts';
import { takeLateFill } from '../bot/lateFill.ts';
import type { PairState } from '../bot/state.ts';
import { formatUnits } from '../money/units.ts';
import { noteOutside } from './outside.ts';
import type { OwnFill } from './report.ts';
import type { Turn } from './turn.ts';

/**
 * The exchange has closed the position, or a part of it, by an order of its own. A liquidated pair waits for the user; its
 * orders are gone or go now.
 *
 * @param booked the bot's part of the fill as the ledger takes it
 * @see docs/margin.md#liquidation
 */
export function takeForced(turn: Turn, pair: PairState, { id, forced }: OwnFill, booked: OrderFill): void {
  const { bot } = turn.session;
  noteOutside(turn, pair.pair, {
    what: forced === 'deleveraging' ? 'deleveraged' : 'liquidated',
    quantity: formatUnits(booked.quantity, pair.market?.assetDecimals),
    price: formatUnits(booked.price),
  });
  takeLateFill(bot, pair, id, booked, forced === 'liquidation' ? 'liquidation' : 'external');
  if (forced !== 'liquidation') return;
  haltPair(bot, pair, false, turn.at, turn.effects);
  pair.paused = 'liquidation';
}
