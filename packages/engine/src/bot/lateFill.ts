import { openingId, turningParts } from '../ledger/turning.ts';
import type { Market } from '../market/market.ts';
import { notional } from '../market/market.ts';
import { exact } from '../money/units.ts';
import { bookFill } from '../orders/loop.ts';
import { afterExternalChange } from '../state/afterExternalChange.ts';
import type { Bot } from '../state/bot.ts';
import type { OrderFill } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { createParentOrder, type LiveOrder, type Reason } from '../state/parentOrder.ts';

/**
 * Books a fill of an order whose parent order is finished or unknown. The fill is booked as it happened and gets a trade of its
 * own.
 *
 * @param id trade id
 * @see docs/accounting.md#ledger-events
 */
export function onLateFill(
  bot: Bot,
  pair: PairState,
  id: string,
  fill: OrderFill,
  reason: Extract<Reason, 'external' | 'liquidation'> = 'external',
): void {
  const parts = bot.rules.future ? turningParts(pair.holding, fill) : null;
  if (parts !== null) {
    // A fill of a neutral grid that closes one side and opens the other becomes two trades.
    onLateFill(bot, pair, id, parts.close, reason);
    onLateFill(bot, pair, openingId(id), parts.open, reason);
    return;
  }
  const direction = fill.side === 'buy' ? 1 : -1;
  const { holding } = pair;
  const reduces = bot.rules.future ? holding.quantity > 0 && holding.side !== direction : fill.side === 'sell';
  const of = reduces ? (direction === 1 ? -1 : 1) : direction;
  const kind = reduces ? 'exit' : 'entry';
  const parent = createParentOrder({
    id: bot.state.nextIntent++,
    kind,
    direction: of,
    reason,
    openedAt: fill.at,
    target: fill.quantity,
    urgency: 'taker',
  });
  const order: LiveOrder = {
    n: 1,
    type: 'market',
    price: 0,
    quantity: fill.quantity,
    filled: 0,
    status: 'open',
    placedAt: fill.at,
    fillIds: [id],
  };
  parent.order = order;
  parent.orders = 1;
  parent.firstPrice = fill.price;
  parent.budget = kind === 'entry' ? exact(notional(pair.market as Market, fill.price, fill.quantity)) : 0;
  bot.observer.parentOrder(fill.at, pair, parent);
  bookFill(bot, pair, parent, order, fill);
  parent.order = null;
  bot.observer.parentOrderEnd(fill.at, pair, parent, 'filled');
  afterExternalChange(bot, pair, fill.price, fill.at);
}
