import { type Market, notional } from '../market/market.ts';
import { dropPlan } from '../orders/closePlan.ts';
import { abandonParentOrder } from '../orders/loop.ts';
import { addResult } from '../state/addResult.ts';
import type { LiquidationResult } from '../state/botEvents.ts';
import { closeFlat, rememberExit } from '../state/closePosition.ts';
import { cancelExit } from '../state/exitSignal.ts';
import { totalsOf } from '../state/openTotals.ts';
import { showFlat } from '../state/pairPhase.ts';
import { addExit } from '../state/positionTotals.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Ends the orders and the position of a pair that the exchange has liquidated, and pauses the pair until the user resumes
 * it. The exchange has removed its orders already.
 *
 * @see docs/margin.md#liquidation
 */
export function onLiquidation({ bot, pair, at }: Turn, result: LiquidationResult): void {
  const { position } = pair;
  pair.paused = 'liquidation';
  pair.exitSignal = cancelExit(pair.exitSignal);
  if (pair.entry !== null) abandonParentOrder(bot, pair, pair.entry, at);
  if (pair.exit !== null) abandonParentOrder(bot, pair, pair.exit, at);
  if (pair.stop !== null) abandonParentOrder(bot, pair, pair.stop, at);
  for (const parent of [...pair.planOrders]) abandonParentOrder(bot, pair, parent, at);
  if (pair.orderPlan !== null) dropPlan(bot, pair, 'liquidation', at);
  addResult(bot, pair, { net: result.realised, fees: result.fee });
  if (position === null) return;
  position.sold = true;
  const totals = totalsOf(pair, position);
  addExit(totals, totals.size, notional(pair.market as Market, result.price, totals.size), 'liquidation');
  rememberExit(bot, pair, result.price);
  const { direction } = position;
  const decision = { id: 0, at, kind: 'exit', direction, reason: 'liquidation', price: result.price } as const;
  pair.lastOrder = { ...decision, quantity: 0, filled: 0, end: 'filled' };
  pair.lastRefusal = null;
  bot.observer.liquidation(at, pair, position, result);
  closeFlat(bot, pair, at);
  showFlat(bot, pair, at);
}
