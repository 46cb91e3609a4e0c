import { openingId, turningParts } from '../ledger/turning.ts';
import type { Market } from '../market/market.ts';
import { notional } from '../market/market.ts';
import { exact } from '../money/units.ts';
import { bookFill, closeEmptied } from '../orders/loop.ts';
import { afterExternalChange } from '../state/afterExternalChange.ts';
import type { AccountEvent } from '../state/botEvents.ts';
import type { PairState, Position } from '../state/botState.ts';
import { closeFlat } from '../state/closePosition.ts';
import { recordOrder, recordOrderEnd } from '../state/lastOrder.ts';
import { createParentOrder, type LiveOrder } from '../state/parentOrder.ts';
import { addPriceExit } from '../state/priceExit.ts';
import type { Turn } from '../state/turn.ts';
import { haltPair } from './commands/haltPair.ts';
import { comparePlan } from './uncoveredPlan.ts';

type LateFill = Extract<AccountEvent, { type: 'late_fill' }>;

/**
 * Books a fill of an order whose parent order is finished or unknown, or of a forced close. It is booked as it happened and
 * gets a trade of its own. A liquidated pair is paused until the user resumes it, and its remaining orders are cancelled.
 *
 * @see docs/accounting.md#ledger-events, docs/margin.md#liquidation
 */
export function onLateFill(turn: Turn, fill: LateFill): void {
  const { bot, pair } = turn;
  if (bot.rules.future) closeEmptied(bot, pair, fill);
  const parts = bot.rules.future ? turningParts(pair.holding, fill) : null;
  if (parts === null) {
    bookLateFill(turn, fill);
  } else {
    // A fill of a neutral grid that closes one side and opens the other becomes two trades.
    bookLateFill(turn, parts.close);
    // An exit that still works keeps the position open without a holding.
    closeFlat(bot, pair, fill.at);
    bookLateFill(turn, { ...parts.open, id: openingId(fill.id) });
  }
  if (fill.forced === 'liquidation') {
    haltPair(turn, false);
    pair.paused = 'liquidation';
  } else {
    comparePlan(turn, false);
  }
}

/** Gives the price exits of the entry that ended before its fill arrived to the position that the fill opens. */
function protectLate(pair: PairState, position: Position): void {
  const { lateExits } = pair;
  delete pair.lateExits;
  if (lateExits?.direction !== position.direction) return;
  for (const exit of lateExits.exits) addPriceExit(position, exit);
}

function bookLateFill({ bot, pair, at }: Turn, fill: LateFill): void {
  const direction = fill.side === 'buy' ? 1 : -1;
  const { holding } = pair;
  const reduces = bot.rules.future ? holding.quantity > 0 && holding.side !== direction : fill.side === 'sell';
  const of = reduces ? (direction === 1 ? -1 : 1) : direction;
  const kind = reduces ? 'exit' : 'entry';
  const parent = createParentOrder({
    id: bot.state.nextIntent++,
    kind,
    direction: of,
    reason: fill.forced === 'liquidation' ? 'liquidation' : 'external',
    openedAt: at,
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
    placedAt: at,
    fillIds: [fill.id],
  };
  parent.order = order;
  parent.orders = 1;
  parent.firstPrice = fill.price;
  parent.budget = kind === 'entry' ? exact(notional(pair.market as Market, fill.price, fill.quantity)) : 0;
  bot.observer.parentOrder(at, pair, parent);
  recordOrder(pair, parent, at, fill.price);
  const opens = pair.position === null;
  bookFill(bot, pair, parent, order, fill);
  if (opens && pair.position !== null) protectLate(pair, pair.position);
  parent.order = null;
  recordOrderEnd(pair, parent, 'filled', at);
  bot.observer.parentOrderEnd(at, pair, parent, 'filled');
  afterExternalChange(bot, pair, fill.price, at);
}
