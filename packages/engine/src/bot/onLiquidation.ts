import { exact, type Price, type Quote } from '../money/units.ts';
import { dropPlan } from '../orders/closePlan.ts';
import { abandonParentOrder } from '../orders/loop.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { closeFlat, rememberExit } from '../state/closePosition.ts';
import { cancelExit } from '../state/exitSignal.ts';
import { showFlat } from '../state/pairPhase.ts';
import { finishIfDone } from './lifecycle.ts';

/** Result of a liquidation, booked by the caller. */
export interface LiquidationResult {
  /** Price of the close: the bankruptcy price of an isolated position. */
  readonly price: Price;
  /** Net result, the fee inside. */
  readonly realised: Quote;
  readonly fee: Quote;
  /** Part of the loss that the wallet could not pay. */
  readonly insurance: Quote;
}

/**
 * Ends the orders and the position of a pair that the exchange has liquidated, and pauses the pair until the user resumes
 * it. The exchange has removed its orders already.
 *
 * @see docs/margin.md#liquidation
 */
export function onLiquidation(bot: Bot, pair: PairState, result: LiquidationResult, at: number): void {
  const { position } = pair;
  pair.paused = 'liquidation';
  pair.exitSignal = cancelExit(pair.exitSignal);
  if (pair.entry !== null) abandonParentOrder(bot, pair, pair.entry, at);
  if (pair.exit !== null) abandonParentOrder(bot, pair, pair.exit, at);
  if (pair.stop !== null) abandonParentOrder(bot, pair, pair.stop, at);
  for (const parent of [...pair.planOrders]) abandonParentOrder(bot, pair, parent, at);
  if (pair.orderPlan !== null) dropPlan(bot, pair, 'liquidation', at);
  if (position === null) return;
  position.realised = exact(position.realised + result.realised);
  position.feeQuote = exact(position.feeQuote + result.fee);
  position.sold = true;
  rememberExit(bot, pair, result.price);
  bot.observer.liquidation(at, pair, position, result);
  closeFlat(bot, pair, at);
  showFlat(bot, pair, at);
  finishIfDone(bot, at);
}
