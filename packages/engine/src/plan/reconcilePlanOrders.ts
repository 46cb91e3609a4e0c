import type { Dca } from '../dca/dca.ts';
import { dcaOrders } from '../dca/dcaOrders.ts';
import { dcaEntries } from '../dca/dcaProgress.ts';
import { isStale } from '../entry/gates.ts';
import { beginExit } from '../exits/exit.ts';
import { gridOrders, oneGridOrder } from '../grid/gridOrders.ts';
import type { PlanOrder } from '../grid/planOrder.ts';
import type { Market } from '../market/market.ts';
import { formatUnits } from '../money/units.ts';
import { ALL } from '../orders/planFills.ts';
import { cancelPlanOrder, startPlanOrder } from '../orders/planOrderLoop.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { isTrading } from '../state/botStatus.ts';
import { removePlan } from '../state/gridFigures.ts';
import { knownPrice } from '../state/knownPrice.ts';
import { PLAN_REASON } from '../state/parentOrder.ts';
import { updatePlanPhase } from '../state/planPhase.ts';
import { isTradingBlocked } from '../state/tradingBlocked.ts';
import type { Turn } from '../state/turn.ts';
import { orderDifferences } from './orderDifferences.ts';

/**
 * Cancels the surplus orders of a plan and places the missing ones. It does nothing unless something has changed.
 *
 * @see docs/strategies.md#grid, docs/strategies.md#dca
 */
export function reconcilePlanOrders(turn: Turn): void {
  const { bot, pair, at } = turn;
  const due = pair.dirtyOrders;
  if (due === '') return;
  if (isOfOtherStrategy(bot, pair)) {
    // The exit tables manage the remaining position; the orders of the plan are cancelled.
    removePlan(pair, at);
    bot.observer.orderPlan(at, pair, 'replaced', {});
  }
  if (pair.orderPlan !== null && pair.flag === 'removed' && pair.position === null && pair.entry === null) {
    // The pair is no longer watched and holds nothing.
    removePlan(pair, at);
    bot.observer.orderPlan(at, pair, 'removed', {});
  }
  if (endDeal(turn)) return;
  // A stopped bot has no orders; they are placed again after the next start.
  if (!isTrading(bot)) return;
  // Open orders stay, because they could not be replaced now.
  if (isTradingBlocked(bot, pair)) return;
  pair.dirtyOrders = '';
  resumeClosing(turn);
  const keys = ordersStandAlone(pair) ? due : ALL;
  const wanted = wantedOrders(bot, pair, keys);
  const open = keys === ALL ? pair.planOrders : pair.planOrders.filter(({ planKey }) => planKey === keys);
  const { place, cancel } = orderDifferences(wanted, open);
  for (const parent of cancel) cancelPlanOrder(turn, parent, 'cancelled');
  const entersNow = bot.state.status === 'working' && !isStale(bot, pair, at);
  let later = false;
  for (const order of place) {
    if (order.kind === 'exit' || entersNow) startPlanOrder(turn, order);
    else later = true;
  }
  // An order that ended at once is placed again.
  if (pair.dirtyOrders !== '') reconcilePlanOrders(turn);
  // Without fresh candles nothing is entered (docs/entries.md#late-and-missing-candles); the next event retries.
  if (later) pair.dirtyOrders = ALL;
  updatePlanPhase(bot, pair, at);
}

/** Returns whether the plan belongs to a previous strategy of the bot. */
function isOfOtherStrategy({ planRules: own }: Bot, { orderPlan }: PairState): boolean {
  if (orderPlan === null) return false;
  return own?.kind !== orderPlan.kind || (own.kind === 'dca' && own.dca.periodic);
}

/** Returns whether each order depends only on its own grid level; not in a neutral grid or with a limit on open orders. */
function ordersStandAlone({ orderPlan, market }: PairState): boolean {
  if (orderPlan?.kind !== 'grid' || orderPlan.side === 0) return false;
  return market?.maxOrders === undefined || orderPlan.cells.length <= market.maxOrders;
}

/** Returns the orders that the plan wants for the key `due`; only exits where entries are blocked. */
function wantedOrders(bot: Bot, pair: PairState, due: string): readonly PlanOrder[] {
  const { orderPlan, market } = pair;
  if (orderPlan === null || market === null || bot.planRules === null) return [];
  const orders =
    orderPlan.kind === 'dca'
      ? wantedDcaOrders(bot, pair, orderPlan, market)
      : due === ALL
        ? gridOrders(orderPlan, market, market.maxOrders)
        : oneGridOrder(orderPlan, market, due);
  return mayEnter(bot, pair) ? orders : orders.filter(({ kind }) => kind === 'exit');
}

function wantedDcaOrders({ planRules }: Bot, pair: PairState, deal: Dca, market: Market): readonly PlanOrder[] {
  if (planRules?.kind !== 'dca') return [];
  const { position, holding, exit } = pair;
  const orders = dcaOrders(deal, planRules.dca, market, position === null ? 0 : holding.quantity, holding.entryPrice);
  // A working exit sells the position, and waits until no order of the plan is open.
  return exit === null ? orders : orders.filter(({ kind }) => kind === 'entry');
}

/**
 * Returns whether the plan may enter. A stopping bot, blocked entries, an unwatched pair and a low volume prevent it, and open
 * entries are cancelled then.
 */
function mayEnter({ state }: Bot, { flag, volume }: PairState): boolean {
  return (
    state.status !== 'stopping' && state.entriesBlockedBy === undefined && flag !== 'removed' && volume?.low !== true
  );
}

/** Ends a DCA deal once everything is sold and every order has ended. @see docs/grids-and-dca.md#dca */
function endDeal(turn: Turn): boolean {
  const { bot, pair, at } = turn;
  const { orderPlan } = pair;
  if (orderPlan === null || orderPlan.kind !== 'dca' || orderPlan.phase !== 'closing') return false;
  if (pair.position !== null || pair.exit !== null || pair.planOrders.length > 0) return false;
  removePlan(pair, at);
  pair.dirtyOrders = '';
  pair.nextDealFrom = pair.candles + (bot.planRules?.kind === 'dca' ? bot.planRules.dca.pause : 0);
  bot.observer.orderPlan(at, pair, 'cycle_ended', {
    entries: dcaEntries(orderPlan),
    first: formatUnits(orderPlan.first),
  });
  updatePlanPhase(bot, pair, at);
  return true;
}

/** Resumes a trailing take-profit that a stop of the bot interrupted. */
function resumeClosing(turn: Turn): void {
  const { pair } = turn;
  const { orderPlan, position, quote } = pair;
  if (orderPlan?.kind !== 'dca' || orderPlan.phase !== 'closing' || !orderPlan.armed) return;
  if (position === null || pair.exit !== null || quote === null) return;
  const price = knownPrice(pair, position.direction);
  beginExit(turn, { reason: PLAN_REASON, wanted: pair.holding.quantity, price, urgency: 'taker' });
}
