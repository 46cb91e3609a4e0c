import { type Trail, trailOf, trailPrice } from '../dca/dcaTrail.ts';
import { beginExit } from '../exits/exit.ts';
import type { Market } from '../market/market.ts';
import type { Price } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { PLAN_REASON } from '../state/parentOrder.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Evaluates the trailing take-profit of a DCA deal at reference price `price`, after the stop-loss.
 *
 * @see docs/strategies.md#dca-averaging
 */
export function trailPlan(turn: Turn, price: Price): void {
  const { bot, pair } = turn;
  const { orderPlan, position, holding } = pair;
  if (orderPlan?.kind !== 'dca' || bot.planRules?.kind !== 'dca' || position === null || pair.exit !== null) return;
  if (price <= 0 || holding.entryPrice === 0) return;
  const market = pair.market as Market;
  const input = { market, entry: holding.entryPrice, fee: bot.rules.takerFee };
  if (!trailPrice(orderPlan, bot.planRules.dca, input, price)) return;
  beginExit(turn, { reason: PLAN_REASON, wanted: holding.quantity, price, urgency: 'taker' });
}

/** Returns the prices that activate and trigger the trailing take-profit of a pair; null when it has none. */
export function planTrail(
  bot: Bot,
  pair: PairState,
): (Trail & { readonly armed: boolean; readonly best: Price }) | null {
  const { orderPlan, position, holding } = pair;
  if (orderPlan?.kind !== 'dca' || bot.planRules?.kind !== 'dca' || position === null) return null;
  if (bot.planRules.dca.trailing === 0 || orderPlan.phase !== 'averaging') return null;
  const trail = trailOf(orderPlan, bot.planRules.dca, pair.market as Market, holding.entryPrice, bot.rules.takerFee);
  return { ...trail, armed: orderPlan.armed, best: orderPlan.best };
}
