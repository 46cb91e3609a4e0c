import { exitsAtTarget } from '../dca/dcaOrders.ts';
import { stopLoss } from '../exitRules/stopLoss.ts';
import { isAsGoodAs } from '../market/direction.ts';
import { ceilTick, floorStep, floorTick, type Market } from '../market/market.ts';
import { mulDivDown, mulDivUp, type Price, type Quantity, SCALE } from '../money/units.ts';
import type { StopOrder } from '../orders/stop.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState, Position } from '../state/botState.ts';
import { isTrading } from '../state/botStatus.ts';
import { isDust } from '../state/dust.ts';
import type { Trigger, TriggeredLevel } from '../state/parentOrder.ts';
import { PLAN_SELLS, type StopGap } from '../state/protectiveStopState.ts';
import { usableQuote } from '../state/usableQuote.ts';
import { remainingAfter } from './evaluate.ts';
import { exitQuantity } from './exit.ts';
import { guardLevel } from './guard.ts';

export type WantedStop = ({ readonly ok: true } & StopOrder) | { readonly ok: false; readonly gap: StopGap };

/**
 * Distance of the limit of a stop-limit order from its trigger, as market orders have on venues without them.
 *
 * @see docs/orders.md#taker-orders
 */
const LIMIT_AWAY = SCALE / 20;
/** Maximum wait of an exit whose quantity is left unprotected. */
const SOON_MS = 2_000;

/**
 * Returns the protective stop that a position should have: at the outermost unused level of stop_sell, for the total of them.
 * On futures it triggers no later than the liquidation guard.
 *
 * @see docs/exits.md#protective-stop
 */
export function wantedStop(bot: Bot, pair: PairState, position: Position, at: number): WantedStop {
  const { market } = pair;
  if (market === null || !isTrading(bot)) return { ok: false, gap: 'not_running' };
  if (market.stop === undefined) return { ok: false, gap: 'venue' };
  if (planSells(bot, pair)) return { ok: false, gap: PLAN_SELLS };
  const level = stopAt(bot, pair, position);
  if (!level.ok) return level;
  const { trigger, rows, share } = level;
  const claimed = claimedByExit(bot, pair, at);
  const free = Math.max(0, pair.holding.quantity - claimed);
  const { quantity: wanted } = exitQuantity(bot, pair, share(free), trigger.price, free);
  const quantity = Math.min(wanted, floorStep(market, market.maxQuantity));
  const lacking = wanted - quantity;
  const price = market.stop === 'limit' ? worstPrice(market, position, trigger.price) : 0;
  if (trigger.price <= 0 || isDust(bot, market, price || trigger.price, quantity)) {
    return { ok: false, gap: claimed > 0 ? 'exit_at_work' : 'below_minimum' };
  }
  const type = market.stop === 'limit' ? 'stop_limit' : 'stop_market';
  return { ok: true, type, trigger, price, quantity, rows: lacking > 0 ? [] : rows, lacking };
}

/** Returns whether the trigger price of a stop is reached already, so that the exchange would reject it. */
export function isBeyond({ quote, mark }: PairState, { direction }: Position, trigger: Trigger): boolean {
  const price = trigger.by === 'mark' || quote === null ? mark : quote.last || mark;
  if (price <= 0) return false;
  return isAsGoodAs(direction, trigger.price, price);
}

/** Returns whether the orders of a plan sell the holding, which leaves nothing for a stop on spot. */
function planSells({ rules, planRules }: Bot, pair: PairState): boolean {
  if (rules.future) return false;
  if (pair.planOrders.some(({ kind }) => kind === 'exit')) return true;
  if (pair.orderPlan === null) return false;
  // A DCA deal with a trailing take-profit has no open exit.
  return !(pair.orderPlan.kind === 'dca' && planRules?.kind === 'dca' && !exitsAtTarget(pair.orderPlan, planRules.dca));
}

type Level =
  | { ok: true; trigger: Trigger; rows: TriggeredLevel[]; share: (held: Quantity) => Quantity }
  | { ok: false; gap: StopGap };

function stopAt(bot: Bot, pair: PairState, position: Position): Level {
  const { direction, fired } = position;
  const guard = bot.rules.future ? guardLevel(bot, pair) : 0;
  const levels = bot.rules.exitTables.find(({ rule }) => rule === stopLoss)?.levels ?? [];
  const unused = levels.filter(({ bit }) => (fired[stopLoss.table] & bit) === 0);
  const outermost = unused.at(-1);
  const level = outermost === undefined ? 0 : stopLoss.priceOf(pair.holding, position, outermost);
  if (guard > 0 && (level === 0 || isAsGoodAs(direction, guard, level))) {
    const trigger = { price: onTick(pair.market as Market, position, guard), by: 'mark' } as const;
    return { ok: true, trigger, rows: [], share: (held) => held };
  }
  if (outermost === undefined) return { ok: false, gap: levels.length === 0 ? 'no_row' : 'row_fired' };
  return {
    ok: true,
    trigger: { price: onTick(pair.market as Market, position, level), by: 'last' },
    rows: unused.map(({ index }) => ({ table: stopLoss.table, index })),
    share: (held) => held - remainingAfter(unused, held),
  };
}

/** Returns the quantity that a working exit sells or is about to sell. */
function claimedByExit(bot: Bot, pair: PairState, at: number): Quantity {
  const { exit, holding } = pair;
  if (exit === null) return 0;
  if (exit.order !== null) return exit.order.quantity - exit.order.filled;
  // The quantity of an exit that must wait stays protected.
  const waits = pair.entry !== null || pair.planOrders.length > 0 || exit.dueAt > at + SOON_MS;
  if (waits || usableQuote(bot, pair, at) === null) return 0;
  return exit.all ? holding.quantity : Math.max(0, exit.target - exit.filled);
}

function worstPrice(market: Market, { direction }: Position, trigger: Price): Price {
  return direction === 1
    ? floorTick(market, mulDivDown(trigger, SCALE - LIMIT_AWAY, SCALE))
    : ceilTick(market, mulDivUp(trigger, SCALE + LIMIT_AWAY, SCALE));
}

/** Rounds a price to the tick, away from the market. */
function onTick(market: Market, { direction }: Position, price: Price): Price {
  return direction === 1 ? floorTick(market, price) : ceilTick(market, price);
}
