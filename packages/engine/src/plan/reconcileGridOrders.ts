import { dcaOrders } from '../dca/dcaOrders.ts';
import { dcaEntries } from '../dca/dcaProgress.ts';
import { isStale } from '../entry/gates.ts';
import { beginExit } from '../exits/exit.ts';
import type { GridOrder } from '../grid/gridOrder.ts';
import { gridOrders, oneGridOrder } from '../grid/gridOrders.ts';
import { formatUnits } from '../money/units.ts';
import { cancelGridOrder, startGridOrder } from '../orders/gridOrderLoop.ts';
import { ALL } from '../orders/planFills.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { isTrading } from '../state/botStatus.ts';
import { knownPrice } from '../state/knownPrice.ts';
import { updatePlanPhase } from '../state/planPhase.ts';
import { isTradingBlocked } from '../state/tradingBlocked.ts';
import type { Turn } from '../state/turn.ts';
import { reconcile } from './orderDifferences.ts';

/**
 * Brings the orders of a ladder to what it wants: surplus ones are cancelled, missing ones placed. Does nothing unless
 * something has changed.
 *
 * @see docs/strategies.md#grid, docs/strategies.md#dca
 */
export function reconcileGridOrders(turn: Turn): void {
  const { bot, pair, at } = turn;
  const due = pair.ladderDue;
  if (due === '') return;
  if (isUnknown(bot, pair)) {
    // What it holds stays for the tables; its orders are not wanted any more.
    pair.ladder = null;
    bot.observer.orderPlan(at, pair, 'replaced', {});
  }
  if (pair.ladder !== null && pair.flag === 'removed' && pair.position === null && pair.entry === null) {
    // The pair is watched no more and nothing is left to be managed.
    pair.ladder = null;
    bot.observer.orderPlan(at, pair, 'removed', {});
  }
  if (endCycle(turn)) return;
  // Stopped by hand: its orders have gone, and come back when the bot is started again.
  if (!isTrading(bot)) return;
  // What rests stays, since nothing could take its place.
  if (isTradingBlocked(bot, pair)) return;
  pair.ladderDue = '';
  resumeClosing(turn);
  const one = ordersStandAlone(pair) ? due : ALL;
  const wanted = wantedOrders(bot, pair, one);
  const resting = one === ALL ? pair.rungs : pair.rungs.filter(({ rung: order }) => order === one);
  const { place, cancel } = reconcile(wanted, resting);
  for (const parent of cancel) cancelGridOrder(turn, parent, 'cancelled');
  const entersNow = bot.state.status === 'working' && !isStale(bot, pair, at);
  let later = false;
  for (const order of place) {
    if (order.kind === 'exit' || entersNow) startGridOrder(turn, order);
    else later = true;
  }
  // What was over at once is to be placed anew.
  if (pair.ladderDue !== '') reconcileGridOrders(turn);
  // Without fresh candles nothing is entered (docs/entries.md#late-and-missing-candles); the next one, or the next quote, looks again.
  if (later) pair.ladderDue = ALL;
  updatePlanPhase(bot, pair, at);
}

/** Whether the ladder of a pair is not that of its bot any more, because the strategy was changed. */
function isUnknown({ ladder: own }: Bot, { ladder }: PairState): boolean {
  if (ladder === null) return false;
  return own?.kind !== ladder.kind || (own.kind === 'dca' && own.dca.periodic);
}

/** Whether each order depends on its own cell alone: not where one side waits for the other, or orders are limited. */
function ordersStandAlone({ ladder, market }: PairState): boolean {
  if (ladder?.kind !== 'grid' || ladder.side === 0) return false;
  return market?.maxOrders === undefined || ladder.cells.length <= market.maxOrders;
}

/** What the ladder wants of the orders named by `due`; exits only when the bot is on its way to its end. */
function wantedOrders(bot: Bot, pair: PairState, due: string): readonly GridOrder[] {
  const { ladder, market, holding } = pair;
  if (ladder === null || market === null || bot.ladder === null) return [];
  const orders =
    ladder.kind === 'dca'
      ? bot.ladder.kind === 'dca'
        ? dcaOrders(ladder, bot.ladder.dca, market, pair.position === null ? 0 : holding.quantity, holding.entryPrice)
        : []
      : due === ALL
        ? gridOrders(ladder, market, market.maxOrders)
        : oneGridOrder(ladder, market, due);
  return mayEnter(bot, pair) ? orders : orders.filter(({ kind }) => kind === 'exit');
}

/**
 * On the way to its end a bot enters nothing, nor one that may not, nor a pair that is watched no more or trades too little;
 * what still would is cancelled.
 */
function mayEnter({ state }: Bot, { flag, volume }: PairState): boolean {
  return state.status !== 'stopping' && state.barred === undefined && flag !== 'removed' && volume?.low !== true;
}

/** Ends a DCA deal once everything is sold and every order has ended. @see docs/grids-and-dca.md#dca */
function endCycle(turn: Turn): boolean {
  const { bot, pair, at } = turn;
  const { ladder } = pair;
  if (ladder === null || ladder.kind !== 'dca' || ladder.phase !== 'closing') return false;
  if (pair.position !== null || pair.exit !== null || pair.rungs.length > 0) return false;
  pair.ladder = null;
  pair.ladderDue = '';
  pair.ladderFrom = pair.candles + (bot.ladder?.kind === 'dca' ? bot.ladder.dca.pause : 0);
  bot.observer.orderPlan(at, pair, 'cycle_ended', { entries: dcaEntries(ladder), first: formatUnits(ladder.first) });
  updatePlanPhase(bot, pair, at);
  return true;
}

/** A trailing take-profit that was stopped half way goes on when the bot does. */
function resumeClosing(turn: Turn): void {
  const { bot, pair } = turn;
  const { ladder, position, quote } = pair;
  if (ladder?.kind !== 'dca' || ladder.phase !== 'closing' || bot.ladder?.kind !== 'dca') return;
  if (bot.ladder.dca.trailing === 0 || position === null || pair.exit !== null || quote === null) return;
  const price = knownPrice(pair, position.direction);
  beginExit(turn, { reason: 'ladder', wanted: pair.holding.quantity, price, urgency: 'taker' });
}
