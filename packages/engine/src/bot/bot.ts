import { manualEntry, strategyEntry } from '../entry/enter.ts';
import { pauseGate, suspensionGate } from '../entry/gates.ts';
import { evaluateExits, isFresh, validatedPrice } from '../exits/evaluate.ts';
import { beginExit } from '../exits/exit.ts';
import { guardLiquidation } from '../exits/guard.ts';
import { strategyExit } from '../exits/strategyExit.ts';
import { gridCandle } from '../grid/gridCandle.ts';
import { bookFunding } from '../ledger/funding.ts';
import type { Direction } from '../market/direction.ts';
import type { Market } from '../market/market.ts';
import {
  exact,
  formatUnits,
  mulDiv,
  type Price,
  percentRatio,
  type Quote,
  type Ratio,
  SCALE,
  toUnits,
} from '../money/units.ts';
import type { OptionFault } from '../options/fault.ts';
import { cancelGridOrders, dropPlan } from '../orders/closePlan.ts';
import { endParentOrder } from '../orders/finishParentOrder.ts';
import { driveGridOrder } from '../orders/gridOrderLoop.ts';
import { abandonParentOrder, applyOrderEvent, driveParentOrder, findParentOrder } from '../orders/loop.ts';
import { ALL } from '../orders/planFills.ts';
import { cancelStop } from '../orders/stop.ts';
import { onPlanCandle } from '../plan/planCandle.ts';
import { reconcileGridOrders } from '../plan/reconcileGridOrders.ts';
import { trailPlan } from '../plan/trailPlan.ts';
import { beginBenchmark, followBenchmark } from '../state/benchmark.ts';
import type { Bot } from '../state/bot.ts';
import type { ClosedCandle, Command, Effect, OrderEvent, PairQuote } from '../state/botEvents.ts';
import type { BotStatus, PairState, Position } from '../state/botState.ts';
import { isTrading } from '../state/botStatus.ts';
import { closeFlat, rememberExit } from '../state/closePosition.ts';
import { knownPrice } from '../state/knownPrice.ts';
import { isBusy } from '../state/pairActivity.ts';
import { showFlat } from '../state/pairPhase.ts';
import { isCancellable } from '../state/parentOrder.ts';
import type { Refused } from '../state/refusal.ts';
import { refuse } from '../state/refuse.ts';
import {
  ENTER_LONG,
  ENTER_SHORT,
  EXIT_LONG,
  EXIT_SHORT,
  enterFlag,
  entryDirection,
  exitFlag,
} from '../strategies/flags.ts';
import type { Signal } from '../strategies/strategy.ts';
import { resetAccount } from './account.ts';
import { changeOptions, type OptionChange } from './change.ts';
import { haltPair } from './halt.ts';

/** Answer of a command. */
export type CommandResult =
  | { ok: true; intentId: string | null; changes?: readonly OptionChange[] }
  | ({ ok: false } & Refused)
  /** Options that are not valid. */
  | { ok: false; gate: 'options_invalid'; inputs: Refused['inputs']; faults: readonly OptionFault[] };

/**
 * Takes the closed candles of a pair at a start or a restart. Candles seen before are skipped; candles missed while the
 * bot was away update the strategy and the peak, their entries are dropped, their exits are obeyed late.
 *
 * @see docs/bot-lifecycle.md#restarts, docs/entries.md#warm-up
 */
export function onHistory(bot: Bot, index: number, market: Market, candles: readonly ClosedCandle[], at: number): void {
  const pair = bot.state.pairs[index];
  if (pair === undefined || pair.flag === 'currency' || pair.flag === 'watch_limit') return;
  pair.market = market;
  if (pair.flag !== 'removed') pair.flag = null;
  pair.reloading = false;
  // A quote from before a restart is no quote; the last price stays known as `mark`.
  pair.quote = null;
  // Its orders are compared with what it wants, which other parameters may have changed.
  if (pair.ladder !== null) pair.ladderDue = ALL;
  const first = candles[0];
  const fresh = pair.candles === 0;
  if (!fresh && first !== undefined && first.time > pair.candleTime + bot.rules.periodMs) restartStrategy(bot, index);
  for (const candle of candles) {
    if (candle.time <= pair.candleTime) continue;
    const signal = feedStrategy(bot, index, candle);
    if (fresh) continue;
    if (bot.ladder !== null) {
      if (pair.ladder?.kind === 'grid' && gridCandle(pair.ladder, market, toUnits(candle.close))) pair.ladderDue = ALL;
      continue;
    }
    const { position } = pair;
    if (position === null) continue;
    const { direction } = position;
    const flags = signal.flags;
    if (pair.candles >= bot.warmup && (flags & (exitFlag(direction) | enterFlag(-direction as Direction))) !== 0) {
      pair.lateExit = true;
      if (bot.rules.longs && bot.rules.shorts && (flags & enterFlag(-direction as Direction)) !== 0)
        pair.exitsAll = true;
    } else if ((flags & enterFlag(direction)) !== 0) {
      clearExitSignal(pair);
    }
    // Only what came after the entry may better its peak.
    if (candle.time < position.openedAt) continue;
    const best = toUnits(direction === 1 ? candle.high : candle.low);
    if (position.peak === 0 || (direction === 1 ? best > position.peak : best < position.peak)) position.peak = best;
  }
  if (bot.state.status === 'preparing') becomeReady(bot, at);
}

/** The exchange does not list a watched pair. @see docs/bot-lifecycle.md#watched-pairs */
export function onUnlisted(bot: Bot, index: number, at: number): void {
  const pair = bot.state.pairs[index];
  if (pair === undefined) return;
  if (pair.flag !== 'removed') pair.flag = 'unknown';
  if (bot.state.status === 'preparing') becomeReady(bot, at);
}

/**
 * Takes one closed candle: strategy once, then exits, then entries.
 *
 * @param at when it became known; entries of a candle known too late are dropped
 * @see docs/entries.md#signals, docs/strategies.md#from-flags-to-orders
 */
export function onCandle(bot: Bot, index: number, candle: ClosedCandle, at: number, effects: Effect[]): void {
  const pair = bot.state.pairs[index];
  if (pair === undefined || pair.reloading || candle.time <= pair.candleTime) return;
  const signal = feedStrategy(bot, index, candle);
  onFlags(bot, index, signal.flags, candle.time, candle.close, at, effects);
}

/**
 * Acts on what the strategy said of the newest closed candle of a pair, which is counted already.
 *
 * @param flags as {@link flagsOf} gives them, before the warm-up mask
 * @param candleTime open time of that candle; @param close its close
 * @see docs/entries.md#signals, docs/strategies.md#from-flags-to-orders
 */
export function onFlags(
  bot: Bot,
  index: number,
  flags: number,
  candleTime: number,
  close: number,
  at: number,
  effects: Effect[],
): void {
  const pair = bot.state.pairs[index];
  // Short enough to be compiled into the caller, so that the call is made only where there is something to act on.
  if (pair === undefined || (flags === 0 && bot.ladder === null && !pair.pendingExit)) return;
  actOnFlags(bot, pair, flags, candleTime, close, at, effects);
}

function actOnFlags(
  bot: Bot,
  pair: PairState,
  flags: number,
  candleTime: number,
  close: number,
  at: number,
  effects: Effect[],
): void {
  if (!isTrading(bot) || pair.market === null) return;
  if (pair.flag === 'removed' && !isBusy(pair)) return;
  if (bot.ladder !== null) {
    onPlanCandle(bot, pair, flags, candleTime, close, at, effects);
    return;
  }
  const { longs, shorts } = bot.rules;
  const direction = pair.position?.direction ?? pair.entry?.direction ?? 0;
  // What only concerns a side that is neither allowed nor held says nothing.
  const buys = (flags & (ENTER_LONG | (shorts || direction === -1 ? EXIT_SHORT : 0))) !== 0;
  const sells = (flags & (ENTER_SHORT | (longs || direction === 1 ? EXIT_LONG : 0))) !== 0;
  if (!buys && !sells && !pair.pendingExit) return;
  const warm = pair.candles >= bot.warmup;
  if (buys !== sells) {
    pair.lastSignal = { at, side: buys ? 'buy' : 'sell' };
    bot.observer.signal(at, pair, buys ? 'buy' : 'sell', close);
  }
  if (direction !== 0) {
    const enterOpposite = (flags & enterFlag(-direction as Direction)) !== 0;
    const exits = enterOpposite || (flags & exitFlag(direction)) !== 0;
    if (exits && warm) {
      const reverses = enterOpposite && longs && shorts && pair.flag !== 'removed';
      // Of an entry that works the other side waits for the end, as it does for that of an exit.
      pair.reverse = reverses ? (-direction as Direction) : 0;
      if (reverses) pair.exitsAll = true;
      if (pair.entry !== null) endParentOrder(bot, pair, pair.entry, 'opposite_signal', at, effects);
      // Its order may still fill before the cancel arrives: what it buys is to be left as well.
      if (pair.position === null && pair.entry !== null) pair.lateExit = true;
      else exitBySignal(bot, pair, at, effects);
      enterReversed(bot, pair, at, effects);
      return;
    }
    if ((flags & enterFlag(direction)) !== 0) clearExitSignal(pair);
    if (pair.pendingExit) {
      exitBySignal(bot, pair, at, effects);
      return;
    }
  }
  const enters = entryDirection(flags, bot.rules.longs, bot.rules.shorts);
  if (enters === 0 || pair.position !== null || bot.state.status !== 'working') return;
  const working = pair.entry ?? pair.exit ?? pair.stop;
  if (working !== null) {
    if (working.kind === 'exit')
      refuse(bot, pair, at, { gate: 'already_open', inputs: { intent: working.id, kind: 'exit' } });
    return;
  }
  const late = at - (candleTime + bot.rules.periodMs);
  if (late > Math.max(60_000, bot.rules.periodMs / 5)) {
    refuse(bot, pair, at, { gate: 'late_signal', inputs: { late } });
    return;
  }
  strategyEntry(bot, pair, enters, 'signal', at, effects);
}

/** The exit that the strategy asks for, or asked for before. */
function exitBySignal(bot: Bot, pair: PairState, at: number, effects: Effect[]): void {
  pair.lateExit = false;
  if (pair.position === null) pair.exitsAll = false;
  else strategyExit(bot, pair, pair.exitsAll ? 'reverse' : 'signal', at, effects);
}

/** An exit that had to wait for a quote, or for the end of an entry's order. @see docs/exits.md#exits-by-signal */
function exitLate(bot: Bot, pair: PairState, at: number, effects: Effect[]): void {
  // What a cancelled entry still brings in is known when its order has ended.
  if (!isTrading(bot) || pair.quote === null || (pair.entry !== null && pair.entry.afterCancel !== null)) return;
  exitBySignal(bot, pair, at, effects);
}

/** The side that is held is wanted again: nothing that waits to leave it is obeyed. */
function clearExitSignal(pair: PairState): void {
  pair.lateExit = false;
  pair.pendingExit = false;
  pair.exitsAll = false;
  pair.reverse = 0;
}

/**
 * The second half of a reversal, once the exit is completely filled. Where an entry was cancelled with nothing filled
 * there was nothing to leave, and all gates hold as they do from flat.
 *
 * @see docs/entries.md#reversals
 */
function enterReversed(bot: Bot, pair: PairState, at: number, effects: Effect[]): void {
  const direction = pair.reverse;
  if (direction === 0 || pair.exit !== null || pair.entry !== null) return;
  pair.reverse = 0;
  if (pair.position === null) {
    strategyEntry(bot, pair, direction, pair.phase === 'idle' ? 'signal' : 'reverse', at, effects);
  }
}

/**
 * Takes the newest quote of a pair; evaluates it at once, or `poll_scan_time` after the last one.
 *
 * @see docs/bot-lifecycle.md#events-and-timers
 */
export function onQuote(bot: Bot, index: number, quote: PairQuote, effects: Effect[]): void {
  const pair = bot.state.pairs[index];
  if (pair === undefined || pair.market === null) return;
  pair.quote = quote;
  const price = quote.mark || quote.last || quote.bid;
  if (price > 0) pair.mark = price;
  if (bot.state.benchmark !== null) followBenchmark(bot.state, pair);
  if (bot.state.status === 'ready') beginWork(bot, quote.at, effects);
  if (pair.ladderDue !== '') reconcileGridOrders(bot, pair, quote.at, effects);
  if (pair.lateExit) exitLate(bot, pair, quote.at, effects);
  const due = pair.scannedAt + bot.rules.scanMs;
  if (quote.at >= due) scanPair(bot, pair, quote.at, effects);
  else if (pair.scanDueAt === 0) pair.scanDueAt = due;
}

/** Evaluates the exit tables of a pair on its newest quote. @see docs/bot-lifecycle.md#events-and-timers */
function scanPair(bot: Bot, pair: PairState, at: number, effects: Effect[]): void {
  pair.scannedAt = at;
  pair.scanDueAt = 0;
  const { quote, position } = pair;
  if (quote === null || position === null || !isTrading(bot)) return;
  testExits(
    bot,
    pair,
    validatedPrice(bot, quote, position.direction, at),
    isFresh(bot, quote, at) ? pair.mark : 0,
    at,
    effects,
  );
}

/**
 * The liquidation guard, then the exit tables; at most one acts.
 *
 * @param price reference price, 0 when it must not trigger anything; @param mark mark price, likewise
 * @see docs/exits.md#common-rules
 */
export function testExits(bot: Bot, pair: PairState, price: Price, mark: Price, at: number, effects: Effect[]): void {
  if (guardLiquidation(bot, pair, mark, at, effects)) return;
  evaluateExits(bot, pair, price, at, effects);
  if (pair.ladder !== null) trailPlan(bot, pair, price, at, effects);
}

/**
 * Does everything that is due at `at`: scans, order loops, the end of `run_for`.
 *
 * @see docs/bot-lifecycle.md#events-and-timers
 */
export function onTimer(bot: Bot, at: number, effects: Effect[]): void {
  for (const pair of bot.state.pairs) {
    if (pair.scanDueAt > 0 && at >= pair.scanDueAt) scanPair(bot, pair, at, effects);
    if (pair.entry !== null) driveParentOrder(bot, pair, pair.entry, at, effects);
    if (pair.exit !== null) driveParentOrder(bot, pair, pair.exit, at, effects);
    if (pair.reverse !== 0) enterReversed(bot, pair, at, effects);
    if (pair.rungs.length > 0) for (const parent of [...pair.rungs]) driveGridOrder(bot, pair, parent, at, effects);
    if (pair.ladderDue !== '') reconcileGridOrders(bot, pair, at, effects);
  }
  if (bot.state.endsAt > 0 && at >= bot.state.endsAt && bot.state.status === 'working') drain(bot, at, effects);
  finishIfDone(bot, at);
}

/** When {@link onTimer} has something to do; 0 for never. */
export function nextDue({ state }: Bot): number {
  let due = state.status === 'working' ? state.endsAt : 0;
  for (const { scanDueAt, entry, exit, rungs } of state.pairs) {
    due = earlier(due, scanDueAt);
    if (entry !== null) due = earlier(due, entry.dueAt);
    if (exit !== null) due = earlier(due, exit.dueAt);
    if (rungs.length > 0) for (const { dueAt } of rungs) due = earlier(due, dueAt);
  }
  return due;
}

/** Of two times the sooner one; 0 is never. */
function earlier(a: number, b: number): number {
  return b > 0 && (a === 0 || b < a) ? b : a;
}

/** What the exchange says of an order. */
export function onOrderEvent(bot: Bot, event: OrderEvent, effects: Effect[]): void {
  const pair = applyOrderEvent(bot, event, effects);
  if (pair !== null) afterOrderEvent(bot, pair, event.at, effects);
}

/** What follows once an order event is booked: the entry of a reversal, the end of a bot that was stopping. */
export function afterOrderEvent(bot: Bot, pair: PairState, at: number, effects: Effect[]): void {
  if (pair.lateExit) exitLate(bot, pair, at, effects);
  if (pair.reverse !== 0) enterReversed(bot, pair, at, effects);
  if (pair.ladderDue !== '') reconcileGridOrders(bot, pair, at, effects);
  finishIfDone(bot, at);
}

/**
 * A funding time of a pair: what is held pays or receives.
 *
 * @param mark price that it is settled at, 0 for the last one known
 * @see docs/accounting.md#funding
 */
export function onFunding(bot: Bot, index: number, id: string, rate: Ratio, mark: Price, at: number): void {
  const pair = bot.state.pairs[index];
  if (pair === undefined || pair.market === null || pair.fundingId === id) return;
  pair.fundingId = id;
  if (!bot.rules.future || pair.holding.quantity === 0) return;
  const price = mark || pair.mark;
  const amount = bookFunding(bot.state.wallet, pair.holding, pair.market, price, rate);
  if (pair.position !== null) pair.position.realised = exact(pair.position.realised + amount);
  bot.observer.funding(at, pair, amount, rate, price);
}

/**
 * The exchange has liquidated a pair: its orders are gone already, its position goes now, and it waits for the user.
 *
 * @param price what it was closed at: the bankruptcy price of an isolated position
 * @param realised net result, the fee inside; booked by the caller
 * @param insurance what of the loss the wallet could not pay
 * @see docs/margin.md#liquidation
 */
export function onLiquidation(
  bot: Bot,
  pair: PairState,
  price: Price,
  realised: Quote,
  fee: Quote,
  insurance: Quote,
  at: number,
): void {
  const { position } = pair;
  pair.paused = 'liquidation';
  pair.pendingExit = false;
  pair.reverse = 0;
  if (pair.entry !== null) abandonParentOrder(bot, pair, pair.entry, at);
  if (pair.exit !== null) abandonParentOrder(bot, pair, pair.exit, at);
  if (pair.stop !== null) abandonParentOrder(bot, pair, pair.stop, at);
  for (const parent of [...pair.rungs]) abandonParentOrder(bot, pair, parent, at);
  if (pair.ladder !== null) dropPlan(bot, pair, 'liquidation', at);
  if (position === null) return;
  position.realised = exact(position.realised + realised);
  position.feeQuote = exact(position.feeQuote + fee);
  position.sold = true;
  rememberExit(bot, pair, price);
  bot.observer.liquidation(at, pair, position, { price, realised, fee, insurance });
  closeFlat(bot, pair, at);
  showFlat(bot, pair, at);
  finishIfDone(bot, at);
}

/** A command of the user. */
export function onCommand(bot: Bot, command: Command, at: number, effects: Effect[]): CommandResult {
  switch (command.type) {
    case 'start':
      return start(bot, at);
    case 'stop':
      return stop(bot, at, effects);
    case 'drain':
      return drainByHand(bot, at, effects);
    case 'buy': {
      const direction = command.short === true ? -1 : 1;
      bot.observer.command(at, command.pair, direction === 1 ? 'buy' : 'short', {
        value: formatUnits(command.value),
        order: command.order,
      });
      return onPair(bot, command.pair, (pair) => {
        const result = manualEntry(bot, pair, direction, command.value, command, at, effects);
        if (!result.ok) refuse(bot, pair, at, result);
        return result;
      });
    }
    case 'sell': {
      bot.observer.command(at, command.pair, 'sell', { percent: command.percent, order: command.order });
      return onPair(bot, command.pair, (pair) => manualExit(bot, pair, command, at, effects));
    }
    case 'cancel':
      return cancelByCommand(bot, command.clientOrderId, at, effects);
    case 'change': {
      const changed = changeOptions(bot, command, at, effects);
      if (!changed.ok) return { ok: false, gate: 'options_invalid', inputs: {}, faults: changed.faults };
      finishIfDone(bot, at);
      return { ok: true, intentId: null, changes: changed.changes };
    }
    case 'halt':
      return onPair(bot, command.pair, (pair) => {
        bot.observer.command(at, pair.pair, 'halt', { close: command.close ? 1 : 0 });
        haltPair(bot, pair, command.close, at, effects);
        sellWhileStopped(bot, at);
        return { ok: true, intentId: null };
      });
    case 'resume':
      return onPair(bot, command.pair, (pair) => {
        if (pair.paused === null) return { ok: false, gate: 'not_ready', inputs: { flag: 'not_paused' } };
        bot.observer.command(at, pair.pair, 'resume', {});
        pair.paused = null;
        return { ok: true, intentId: null };
      });
    case 'reset': {
      const refused = resetAccount(bot, at);
      return refused === null ? { ok: true, intentId: null } : { ok: false, ...refused };
    }
  }
}

function onPair(bot: Bot, name: string, act: (pair: PairState) => CommandResult): CommandResult {
  const pair = bot.state.pairs.find((candidate) => candidate.pair === name);
  return pair ? act(pair) : { ok: false, gate: 'not_ready', inputs: { flag: 'unknown' } };
}

/** Why nothing can be sold by hand now; null when it can. */
function manualExitGate(bot: Bot, pair: PairState): Refused | null {
  if (!isTrading(bot) || pair.quote === null || pair.position === null)
    return { gate: 'not_ready', inputs: { status: bot.state.status } };
  // The exchange would refuse it, and a sale minutes later is not the one that was wanted.
  return bot.state.barred === 'key_refused'
    ? { gate: 'key_refused', inputs: {} }
    : (pauseGate(bot) ?? suspensionGate(pair));
}

function manualExit(
  bot: Bot,
  pair: PairState,
  { percent, order, slippage }: Extract<Command, { type: 'sell' }>,
  at: number,
  effects: Effect[],
): CommandResult {
  const blocked = manualExitGate(bot, pair);
  if (blocked !== null) {
    refuse(bot, pair, at, blocked);
    return { ok: false, ...blocked };
  }
  const wanted = mulDiv(pair.holding.quantity, percentRatio(percent), SCALE, 'down');
  const price = knownPrice(pair, (pair.position as Position).direction);
  pair.reverse = 0;
  const intentId = beginExit(bot, pair, 'manual', wanted, price, order, [], at, effects, slippage);
  if (intentId !== null) return { ok: true, intentId: `${intentId}` };
  const refused: Refused = {
    gate: 'below_minimum',
    inputs: { quantity: formatUnits(wanted, (pair.market as Market).assetDecimals) },
  };
  refuse(bot, pair, at, refused);
  return { ok: false, ...refused };
}

function cancelByCommand(bot: Bot, clientOrderId: string, at: number, effects: Effect[]): CommandResult {
  const found = findParentOrder(bot, clientOrderId);
  if (found === null || !isCancellable(found.intent)) {
    return { ok: false, gate: 'not_ready', inputs: { order: clientOrderId } };
  }
  const { pair, intent: parent } = found;
  bot.observer.command(at, pair.pair, 'cancel', { order: clientOrderId });
  if (parent.kind === 'exit') {
    pair.pendingExit = false;
    pair.exitsAll = false;
    pair.reverse = 0;
  }
  endParentOrder(bot, pair, parent, 'cancelled', at, effects);
  return { ok: true, intentId: `${parent.id}` };
}

function start(bot: Bot, at: number): CommandResult {
  const { state } = bot;
  if (state.status !== 'created' && state.status !== 'finished') return { ok: true, intentId: null };
  bot.observer.command(at, null, 'start', {});
  // A bot that ran before goes on with the account that it has, and with what that is compared with.
  if (state.startedAt === 0) beginBenchmark(state);
  state.startedAt = at;
  state.endsAt = bot.rules.runMs > 0 ? at + bot.rules.runMs : 0;
  setStatus(bot, at, 'preparing');
  becomeReady(bot, at);
  return { ok: true, intentId: null };
}

/** Ends at once: open orders are cancelled, positions stay. @see docs/bot-lifecycle.md#stop-drain-and-run_for */
function stop(bot: Bot, at: number, effects: Effect[]): CommandResult {
  const { state } = bot;
  if (state.status === 'created' || state.status === 'finished') return { ok: true, intentId: null };
  bot.observer.command(at, null, 'stop', {});
  setStatus(bot, at, 'stopping');
  state.endsAt = 0;
  for (const pair of state.pairs) {
    pair.pendingExit = false;
    pair.lateExit = false;
    pair.exitsAll = false;
    pair.reverse = 0;
    pair.scanDueAt = 0;
    if (pair.entry !== null) endParentOrder(bot, pair, pair.entry, 'stopped', at, effects);
    if (pair.exit !== null) endParentOrder(bot, pair, pair.exit, 'stopped', at, effects);
    cancelStop(bot, pair, 'stopped', at, effects);
    cancelGridOrders(bot, pair, 'stopped', at, effects);
    // They come back when the bot is started again.
    if (pair.ladder !== null) pair.ladderDue = ALL;
  }
  finishIfDone(bot, at);
  return { ok: true, intentId: null };
}

/**
 * As at the end of `run_for`. A bot that is not at work yet goes to work first, so that its exits go on.
 *
 * @see docs/bot-lifecycle.md#stop-drain-and-run_for
 */
function drainByHand(bot: Bot, at: number, effects: Effect[]): CommandResult {
  const { state } = bot;
  if (state.status !== 'preparing' && state.status !== 'ready' && state.status !== 'working') {
    return { ok: true, intentId: null };
  }
  bot.observer.command(at, null, 'drain', {});
  state.endsAt = at;
  if (state.status === 'working') drain(bot, at, effects);
  finishIfDone(bot, at);
  return { ok: true, intentId: null };
}

/** What the kill switch sells of a bot that does not run: until it is sold the bot is about to end, and decides nothing. */
function sellWhileStopped(bot: Bot, at: number): void {
  const { state } = bot;
  if (state.status !== 'created' && state.status !== 'finished') return;
  if (state.pairs.every(({ exit }) => exit === null)) return;
  state.endsAt = 0;
  setStatus(bot, at, 'stopping');
}

/** No more entries; exits and tables go on until flat. @see docs/bot-lifecycle.md#stop-drain-and-run_for */
function drain(bot: Bot, at: number, effects: Effect[]): void {
  setStatus(bot, at, 'stopping');
  for (const pair of bot.state.pairs) {
    if (pair.entry !== null) endParentOrder(bot, pair, pair.entry, 'stopped', at, effects);
    cancelGridOrders(bot, pair, 'stopped', at, effects, true);
  }
}

function finishIfDone(bot: Bot, at: number): void {
  const { state } = bot;
  if (state.status !== 'stopping') return;
  const draining = state.endsAt > 0;
  const busy = state.pairs.some(
    ({ entry, exit, stop, rungs, position }) =>
      entry !== null || exit !== null || stop !== null || rungs.length > 0 || (draining && position !== null),
  );
  if (!busy) setStatus(bot, at, 'finished');
}

/** A bot whose time ended while it was away enters nothing more. */
function beginWork(bot: Bot, at: number, effects: Effect[]): void {
  setStatus(bot, at, 'working');
  const { endsAt } = bot.state;
  if (endsAt === 0 || at < endsAt) return;
  drain(bot, at, effects);
  finishIfDone(bot, at);
}

function becomeReady(bot: Bot, at: number): void {
  if (bot.state.pairs.every(({ flag }) => flag !== 'loading')) setStatus(bot, at, 'ready');
}

function setStatus(bot: Bot, at: number, to: BotStatus): void {
  const from = bot.state.status;
  if (from === to) return;
  bot.state.status = to;
  bot.observer.status(at, from, to);
}

function feedStrategy(bot: Bot, index: number, candle: ClosedCandle): Signal {
  const pair = bot.state.pairs[index] as PairState;
  const run = bot.runs[index] as Bot['runs'][number];
  pair.candles += 1;
  pair.candleTime = candle.time;
  const signal = run.onCandle(candle.open, candle.high, candle.low, candle.close, candle.volume);
  bot.observer.candle(pair, candle, signal);
  return signal;
}

/** Candles are missing that nobody can supply any more: the strategy begins again with what there is. */
function restartStrategy(bot: Bot, index: number): void {
  const pair = bot.state.pairs[index] as PairState;
  pair.strategyState = bot.strategy.init(bot.state.params);
  bot.runs[index] = bot.strategy.run(bot.state.params, pair.strategyState);
  pair.candles = 0;
  // Its end was counted in candles that are gone.
  pair.exitReference = null;
}
