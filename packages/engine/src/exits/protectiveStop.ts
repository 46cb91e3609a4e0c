import { exitsAtTarget } from '../dca/dcaOrders.ts';
import type { ExitLevel } from '../exitRules/exitRule.ts';
import { stopLoss } from '../exitRules/stopLoss.ts';
import { isAsGoodAs } from '../market/direction.ts';
import { ceilTick, floorStep, floorTick, type Market } from '../market/market.ts';
import { mulDivDown, mulDivUp, type Price, type Quantity, type Ratio, SCALE } from '../money/units.ts';
import type { StopOrder } from '../orders/stop.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState, Position } from '../state/botState.ts';
import { isTrading } from '../state/botStatus.ts';
import { isDust } from '../state/dust.ts';
import type { Trigger, TriggeredLevel } from '../state/parentOrder.ts';
import type { PriceExit } from '../state/priceExit.ts';
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
 * Returns the protective stop that a position should have: at the outermost stop-loss that has not triggered, for the total of them.
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
  const { trigger, rows, priceExits, share } = level;
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
  const levels = lacking > 0 ? { rows: [], priceExits: [] } : { rows, priceExits };
  return { ok: true, type, trigger, price, quantity, ...levels, lacking };
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
  | ({ ok: true; trigger: Trigger; share: (held: Quantity) => Quantity } & Pick<StopOrder, 'rows' | 'priceExits'>)
  | { ok: false; gap: StopGap };

function stopAt(bot: Bot, pair: PairState, position: Position): Level {
  const { direction } = position;
  const guard = bot.rules.future ? guardLevel(bot, pair) : 0;
  const stops = stopsOf(bot, pair, position);
  const last = stops.at(-1);
  const level = last?.price ?? 0;
  // A price exit of a part would leave the rest without anything before the liquidation.
  const isPart = last?.exit !== undefined && last.share < SCALE;
  if (guard > 0 && (level === 0 || isPart || isAsGoodAs(direction, guard, level))) {
    const trigger = { price: onTick(pair.market as Market, position, guard), by: 'mark' } as const;
    return { ok: true, trigger, rows: [], priceExits: [], share: (held) => held };
  }
  if (stops.length === 0) return { ok: false, gap: hasStopLoss(bot) ? 'row_fired' : 'no_row' };
  return {
    ok: true,
    trigger: { price: onTick(pair.market as Market, position, level), by: 'last' },
    rows: stops.flatMap(({ row }) => (row === undefined ? [] : [row])),
    priceExits: stops.flatMap(({ exit }) => (exit === undefined ? [] : [exit])),
    share: (held) => held - remainingAfter(stops, held),
  };
}

/** A stop-loss of a position: an unused row of stop_sell, or a price exit. */
interface StopLevel {
  readonly price: Price;
  readonly share: Ratio;
  readonly row?: TriggeredLevel;
  readonly exit?: PriceExit;
}

/**
 * Returns the stop-losses of a position that count for its protective stop, the nearest first. They end at the first that exits
 * everything, else at the outermost row. Without a row it is the price exit with the largest share, so that a far one does not move the stop away.
 *
 * @see docs/exits.md#protective-stop
 */
function stopsOf(bot: Bot, pair: PairState, position: Position): StopLevel[] {
  const { direction, fired, priceExits = [] } = position;
  const rows = stopLossLevels(bot)
    .filter(({ bit }) => (fired[stopLoss.table] & bit) === 0)
    .map((level) => ({
      price: stopLoss.priceOf(pair.holding, position, level),
      share: level.share,
      row: { table: stopLoss.table, index: level.index },
    }));
  const exits = priceExits.flatMap((exit) =>
    exit.stopLoss === 0 ? [] : [{ price: exit.stopLoss, share: exit.share, exit }],
  );
  if (exits.length === 0) return rows;
  const all = [...exits, ...rows].sort((a, b) => direction * (b.price - a.price));
  const whole = all.findIndex(({ share }) => share === SCALE);
  const row = all.findLastIndex((level) => 'row' in level);
  const largest = all.findIndex(({ share }) => share === Math.max(...all.map((level) => level.share)));
  const last = whole !== -1 ? whole : row !== -1 ? row : largest;
  return all.slice(0, last + 1);
}

function stopLossLevels({ rules }: Bot): readonly ExitLevel[] {
  return rules.exitTables.find(({ rule }) => rule === stopLoss)?.levels ?? [];
}

function hasStopLoss(bot: Bot): boolean {
  return stopLossLevels(bot).length > 0;
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
