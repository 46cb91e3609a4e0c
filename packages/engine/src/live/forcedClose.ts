import { handle } from '../bot/handle.ts';
import { formatUnits } from '../money/units.ts';
import type { OrderFill } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import type { EventContext } from './eventContext.ts';
import { recordExternalChange } from './externalChange.ts';
import type { OwnFill } from './report.ts';

/**
 * Books a forced close by the exchange of a position or a part of it. A liquidated pair is paused until the user resumes it,
 * and its remaining orders are cancelled.
 *
 * @param booked the bot's part of the fill as the ledger books it
 * @see docs/margin.md#liquidation
 */
export function onForcedClose(
  context: EventContext,
  pair: PairState,
  { id, forced }: OwnFill,
  booked: OrderFill,
): void {
  const { bot } = context.session;
  const { effects } = context;
  recordExternalChange(context, pair.pair, {
    what: forced === 'deleveraging' ? 'deleveraged' : 'liquidated',
    quantity: formatUnits(booked.quantity, pair.market?.assetDecimals),
    price: formatUnits(booked.price),
  });
  handle(
    bot,
    { type: 'late_fill', pair: pair.pair, id, ...(forced === undefined ? {} : { forced }), ...booked },
    effects,
  );
}
