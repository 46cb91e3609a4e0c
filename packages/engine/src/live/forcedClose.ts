import { haltPair } from '../bot/commands/haltPair.ts';
import { onLateFill } from '../bot/lateFill.ts';
import { formatUnits } from '../money/units.ts';
import type { OrderFill } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { createTurn } from '../state/turn.ts';
import type { EventContext } from './eventContext.ts';
import { recordExternalChange } from './externalChange.ts';
import type { OwnFill } from './report.ts';

/**
 * The exchange has closed the position, or a part of it, by an order of its own. A liquidated pair waits for the user; its
 * orders are gone or go now.
 *
 * @param booked the bot's part of the fill as the ledger takes it
 * @see docs/margin.md#liquidation
 */
export function onForcedClose(
  context: EventContext,
  pair: PairState,
  { id, forced }: OwnFill,
  booked: OrderFill,
): void {
  const { bot } = context.session;
  recordExternalChange(context, pair.pair, {
    what: forced === 'deleveraging' ? 'deleveraged' : 'liquidated',
    quantity: formatUnits(booked.quantity, pair.market?.assetDecimals),
    price: formatUnits(booked.price),
  });
  onLateFill(bot, pair, id, booked, forced === 'liquidation' ? 'liquidation' : 'external');
  if (forced !== 'liquidation') return;
  haltPair(createTurn(bot, pair, context.at, context.effects), false);
  pair.paused = 'liquidation';
}
