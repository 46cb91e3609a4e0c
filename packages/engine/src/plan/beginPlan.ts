import type { DcaRules } from '../dca/dcaRules.ts';
import { startDca } from '../dca/startDca.ts';
import { leverageFor, setMargin, sizingPrice } from '../entry/enter.ts';
import { blockGate, entryGate, entryShare, slippageGate, suspensionGate } from '../entry/gates.ts';
import type { GridRules } from '../grid/gridRules.ts';
import { planGrid } from '../grid/planGrid.ts';
import type { BaseRequest, PlanInput } from '../grid/planInput.ts';
import type { Bracket } from '../ledger/brackets.ts';
import { emptyHolding } from '../ledger/holding.ts';
import { isolatedLiquidationPrice } from '../ledger/liquidationPrice.ts';
import { marginOf } from '../ledger/marginOf.ts';
import type { Direction } from '../market/direction.ts';
import { type Market, notional, quantityFor } from '../market/market.ts';
import { formatUnits, mulDivUp, type Price, SCALE } from '../money/units.ts';
import { startParentOrder } from '../orders/loop.ts';
import { ALL } from '../orders/planFills.ts';
import { availableQuote } from '../sizing/availableBalance.ts';
import { entrySize, entryValue } from '../sizing/entrySize.ts';
import { noRoom, positionRoom } from '../sizing/positionRoom.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { countGridFrom } from '../state/gridFigures.ts';
import type { OrderPlan } from '../state/orderPlan.ts';
import { startsWithoutSignal } from '../state/orderPlanRules.ts';
import { bracketsOf } from '../state/pairBrackets.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import { createParentOrder, hasOwnPrice, type ParentOrder, PLAN_REASON } from '../state/parentOrder.ts';
import type { Refused } from '../state/refusal.ts';
import { refuse } from '../state/refuse.ts';
import type { Turn } from '../state/turn.ts';
import { ENTER_LONG, ENTER_SHORT } from '../strategies/flags.ts';

/**
 * Starts the plan of a flat pair, or enters again for a periodic one.
 *
 * @see docs/strategies.md#grid, docs/strategies.md#dca
 */
export function startPlan(turn: Turn, flags: number, candleTime: number, price: Price): void {
  const { bot, pair, at } = turn;
  const { planRules } = bot;
  if (planRules === null) return;
  if (!mayStartPlan(bot, pair)) {
    if (pair.entry !== null && hasOwnPrice(pair.entry)) refuseBesideEntry(turn, pair.entry);
    return;
  }
  const late = at - (candleTime + bot.rules.periodMs);
  if (planRules.kind === 'grid') startGrid(turn, planRules.grid, late, price);
  else enterDca(turn, planRules.dca, flags, late, price);
}

/**
 * Starts a plan that needs no signal at the newest quote, without waiting for the next candle. While a gate is closed, the next
 * quote tries again until a candle closes; a plan that is refused is tried at the next candle.
 *
 * @see docs/grids-and-dca.md#common-rules
 */
export function startPlanAtQuote(turn: Turn): void {
  const { bot, pair, at } = turn;
  const { planRules } = bot;
  if (planRules === null || pair.orderPlan !== null || pair.position !== null || pair.quote === null) return;
  if (pair.planTriedAt === pair.candleTime || pair.closing === true || !startsWithoutSignal(planRules)) return;
  if (pair.isSuspensionUnknown === true || !mayStartPlan(bot, pair)) return;
  const direction = bot.rules.longs ? 1 : -1;
  if (entryGate(bot, pair, direction, at) !== null) return;
  pair.planTriedAt = pair.candleTime;
  const price = startPrice(pair.quote);
  if (planRules.kind === 'grid') startGrid(turn, planRules.grid, 0, price);
  else enterDca(turn, planRules.dca, ENTER_LONG | ENTER_SHORT, 0, price);
}

/**
 * Starts a grid or a DCA deal at `price` whatever its start condition says, for a preview.
 *
 * @returns why it is refused; null when it has started, and for strategies without a plan
 */
export function tryPlan(turn: Turn, price: Price): Refused | null {
  const { bot } = turn;
  if (bot.planRules === null) return null;
  if (bot.planRules.kind === 'grid') return beginGrid(turn, bot.planRules.grid, price);
  return startDeal(turn, bot.planRules.dca, bot.rules.longs ? 1 : -1, price);
}

/** Returns the last price, within the book where there is one. */
function startPrice({ bid, ask, last }: PairQuote): Price {
  return bid === 0 ? last : Math.min(Math.max(last, bid), ask);
}

/** Returns whether no order of the pair works and nothing keeps it from trading. */
function mayStartPlan(bot: Bot, pair: PairState): boolean {
  if (pair.paused !== null || pair.entry !== null || pair.exit !== null || pair.planOrders.length > 0) return false;
  // A protective stop without a position is being cancelled.
  if (pair.position === null && pair.stop !== null) return false;
  if (bot.state.status !== 'working' || (blockGate(bot) ?? suspensionGate(pair)) !== null) return false;
  return pair.candles >= bot.warmup;
}

/** Records once that a plan does not start while an entry waits for the price of its owner. */
function refuseBesideEntry({ bot, pair, at }: Turn, { id, kind }: ParentOrder): void {
  if (pair.lastRefusal?.gate !== 'already_open')
    refuse(bot, pair, at, { gate: 'already_open', inputs: { intent: id, kind } });
}

/** Starts a grid, but only from flat, because it does not manage an existing position. */
function startGrid(turn: Turn, grid: GridRules, late: number, price: Price): void {
  const { bot, pair, at } = turn;
  if (pair.position !== null || late > latest(bot)) return;
  const refused = beginGrid(turn, grid, price);
  // The start is retried at every candle; the refusal is recorded once.
  if (refused !== null && pair.lastRefusal?.gate !== refused.gate) refuse(bot, pair, at, refused);
}

/** Starts a DCA deal from flat, or enters once more for a periodic one, in the direction of the flags. */
function enterDca(turn: Turn, dca: DcaRules, flags: number, late: number, price: Price): void {
  const { bot, pair, at } = turn;
  const direction = flaggedDirection(bot, flags);
  if (direction === 0) return;
  if (late > latest(bot)) {
    refuse(bot, pair, at, { gate: 'late_signal', inputs: { late } });
    return;
  }
  if (!dca.periodic && (pair.position !== null || pair.candles <= pair.nextDealFrom)) return;
  if (pair.position !== null && pair.position.direction !== direction) return;
  if ((flags & ENTER_LONG) === 0 || (flags & ENTER_SHORT) === 0) {
    pair.lastSignal = { at, side: direction === 1 ? 'buy' : 'sell' };
    bot.observer.signal(at, pair, direction === 1 ? 'buy' : 'sell', price / SCALE);
  }
  const refused = dca.periodic ? enterPeriodically(turn, dca, direction) : startDeal(turn, dca, direction, price);
  if (refused !== null) refuse(bot, pair, at, refused);
}

/** Returns the maximum age of a signal. @see docs/entries.md#late-and-missing-candles */
function latest(bot: Bot): number {
  return Math.max(60_000, bot.rules.periodMs / 5);
}

/** Returns the direction of the flags of a DCA strategy; a long where both are allowed. */
function flaggedDirection(bot: Bot, flags: number): Direction | 0 {
  if (bot.rules.longs && (flags & ENTER_LONG) !== 0) return 1;
  return bot.rules.shorts && (flags & ENTER_SHORT) !== 0 ? -1 : 0;
}

function beginGrid(turn: Turn, rules: GridRules, price: Price): Refused | null {
  const { bot, pair, at } = turn;
  const side = bot.rules.longs && bot.rules.shorts ? 0 : bot.rules.longs ? 1 : -1;
  const direction = side === -1 ? -1 : 1;
  const gate = entryGate(bot, pair, direction, at);
  if (gate !== null) return gate;
  const found = planInputOf(bot, pair, direction, price);
  if (!found.ok) return found;
  const laid = planGrid(rules, found.input, side);
  if (!laid.ok) return laid;
  const slips = laid.base === null || bot.rules.maker ? null : slippageGate(bot, pair);
  if (slips !== null) return slips;
  const { grid, base } = laid;
  pair.orderPlan = grid;
  countGridFrom(grid, at, marginOf(grid.budget, found.leverage));
  pair.dirtyOrders = ALL;
  bot.observer.orderPlan(at, pair, 'grid_laid', {
    lower: formatUnits(grid.levels[0] as Price),
    upper: formatUnits(grid.levels.at(-1) as Price),
    cells: grid.cells.length,
    budget: formatUnits(grid.budget),
    price: formatUnits(price),
  });
  setMargin(turn, direction, found.leverage);
  if (base !== null) startBaseOrder(turn, grid, base);
  return null;
}

function startDeal(turn: Turn, rules: DcaRules, direction: Direction, price: Price): Refused | null {
  const { bot, pair, at } = turn;
  const gate = entryGate(bot, pair, direction, at);
  if (gate !== null) return gate;
  const found = planInputOf(bot, pair, direction, price);
  if (!found.ok) return found;
  const started = startDca(rules, found.input, direction);
  if (!started.ok) return started;
  const slips = bot.rules.maker ? null : slippageGate(bot, pair);
  if (slips !== null) return slips;
  const { dca, base } = started;
  pair.orderPlan = dca;
  bot.observer.orderPlan(at, pair, 'cycle_begun', {
    budget: formatUnits(dca.budget),
    orders: dca.sizes.length,
    price: formatUnits(price),
  });
  setMargin(turn, direction, found.leverage);
  startBaseOrder(turn, dca, base);
  return null;
}

/** Enters once more with `buy_pct` or a fixed amount. @see docs/strategies.md#dca-periodic */
function enterPeriodically(turn: Turn, { amount }: DcaRules, direction: Direction): Refused | null {
  const { bot, pair, at } = turn;
  const gate = entryGate(bot, pair, direction, at);
  if (gate !== null) return gate;
  const { rules } = bot;
  const market = pair.market as Market;
  const available = availableQuote(bot, null);
  const fee = rules.maker ? rules.makerFee : rules.takerFee;
  const share = amount > 0 ? SCALE : entryShare(bot, direction);
  const leverage = pair.holding.quantity > 0 ? pair.holding.leverage : leverageFor(bot, pair, available, share, fee);
  const price = sizingPrice(bot, pair, direction, rules.maker);
  const wanted = amount === 0 ? rules.maxBuy : rules.maxBuy === 0 ? amount : Math.min(amount, rules.maxBuy);
  const room = positionRoom(market, pair.holding, price);
  if (room < Math.max(amount > 0 ? wanted : rules.minBuy, market.minNotional)) return noRoom(pair.holding);
  const max = wanted > 0 && wanted < room ? wanted : room;
  // A fixed amount is neither raised to the minimum nor cut to the available balance.
  const size = entrySize(market, price, { available, share, fee, leverage, min: amount > 0 ? max : rules.minBuy, max });
  if (!size.ok) {
    if (size.value === room) return noRoom(pair.holding);
    const inputs = { available: formatUnits(available), value: formatUnits(size.value), price: formatUnits(price) };
    return { gate: size.gate, inputs };
  }
  const slips = rules.maker ? null : slippageGate(bot, pair);
  if (slips !== null) return slips;
  const urgency = rules.maker ? 'maker' : 'taker';
  const parent = createParentOrder({
    id: bot.state.nextIntent++,
    kind: 'entry',
    direction,
    reason: PLAN_REASON,
    openedAt: at,
    target: size.quantity,
    urgency,
  });
  parent.budget = size.budget;
  if (size.value === room) bot.observer.alarm(at, pair, 'size_limited');
  setMargin(turn, direction, leverage);
  startParentOrder(turn, parent, 0);
  return null;
}

/** Returns the input of a plan that would start now, and the leverage of its position. @see docs/entries.md#size */
export function planInputOf(
  bot: Bot,
  pair: PairState,
  direction: Direction,
  price: Price,
): { ok: true; input: PlanInput; leverage: number } | ({ ok: false } & Refused) {
  const { rules } = bot;
  const market = pair.market as Market;
  const fee = rules.maker ? rules.makerFee : rules.takerFee;
  // A plan that starts again may use its own reservation.
  const available = availableQuote(bot, null, pair);
  const share = entryShare(bot, direction);
  const leverage = leverageFor(bot, pair, available, share, fee);
  const room = positionRoom(market, pair.holding, price);
  const max = rules.maxBuy > 0 && rules.maxBuy < room ? rules.maxBuy : room;
  const value = entryValue({ available, share, fee, leverage, min: rules.minBuy, max });
  if (!value.ok) {
    const inputs = { available: formatUnits(available), value: formatUnits(value.value), price: formatUnits(price) };
    return { ok: false, gate: 'insufficient_balance', inputs };
  }
  const input = { market, price, budget: value.value, makerFee: rules.makerFee, feeInAsset: !rules.future };
  if (!rules.future || !rules.isolated) return { ok: true, leverage, input };
  return { ok: true, leverage, input: { ...input, liquidation: isolatedAt(market, bracketsOf(pair), leverage) } };
}

/** Returns a function for the liquidation price of a future isolated position. @see docs/margin.md#liquidation-price */
function isolatedAt(
  market: Market,
  brackets: readonly Bracket[],
  leverage: number,
): NonNullable<PlanInput['liquidation']> {
  return (side, quantity, entry) => {
    const cost = notional(market, entry, quantity);
    const margin = marginOf(cost, leverage);
    const holding = { ...emptyHolding(), side, quantity, cost, entryPrice: entry, leverage, isolated: true, margin };
    return isolatedLiquidationPrice(market, holding, brackets) ?? 0;
  };
}

/** Starts the base order of a plan, by `order_type`. */
export function startBaseOrder(turn: Turn, plan: OrderPlan, base: BaseRequest): void {
  const { bot, pair, at } = turn;
  const { maker, makerFee, takerFee } = bot.rules;
  if (plan.kind === 'grid') plan.base = 'working';
  const urgency = maker ? 'maker' : 'taker';
  // The plan uses the close of the candle; the book may be more expensive.
  const affordable = quantityFor(pair.market as Market, base.value, sizingPrice(bot, pair, base.side, maker));
  const quantity = Math.min(base.quantity, affordable);
  const parent = createParentOrder({
    id: bot.state.nextIntent++,
    kind: 'entry',
    direction: base.side,
    reason: PLAN_REASON,
    openedAt: at,
    target: quantity,
    urgency,
  });
  parent.budget = base.value + mulDivUp(base.value, maker ? makerFee : takerFee, SCALE);
  startParentOrder(turn, parent, 0);
}
