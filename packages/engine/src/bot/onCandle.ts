import { strategyEntry } from '../entry/enter.ts';
import type { Direction } from '../market/direction.ts';
import { endParentOrder } from '../orders/finishParentOrder.ts';
import { onPlanCandle } from '../plan/planCandle.ts';
import type { ClosedCandle } from '../state/botEvents.ts';
import { isTrading } from '../state/botStatus.ts';
import { isHeldBack, signalExit } from '../state/exitSignal.ts';
import { isBusy } from '../state/pairActivity.ts';
import { hasOwnPrice, type ParentOrder } from '../state/parentOrder.ts';
import { refuse } from '../state/refuse.ts';
import type { Turn } from '../state/turn.ts';
import {
  ENTER_LONG,
  ENTER_SHORT,
  EXIT_LONG,
  EXIT_SHORT,
  enterFlag,
  entryDirection,
  exitFlag,
} from '../strategies/flags.ts';
import { enterReversed, exitBySignal } from './exitBySignal.ts';
import { feedStrategy } from './feedStrategy.ts';

/**
 * Feeds a closed candle to the strategy, then acts on its flags: exits first, then entries.
 *
 * @see docs/entries.md#signals, docs/strategies.md#from-flags-to-orders
 */
export function onCandle(turn: Turn, candle: ClosedCandle): void {
  const { bot, pair } = turn;
  if (pair.reloading || candle.time <= pair.candleTime) return;
  const { flags } = feedStrategy(bot, pair, candle);
  onFlags(turn, flags, candle.time, candle.close);
}

/**
 * Acts on the flags of the strategy for the newest closed candle of a pair, which is counted already. Entries of a candle
 * that became known too late are dropped.
 *
 * @param flags as {@link flagsOf} gives them, before the warm-up mask
 * @param candleTime open time of that candle; @param close its close
 * @see docs/entries.md#signals, docs/strategies.md#from-flags-to-orders
 */
export function onFlags(turn: Turn, flags: number, candleTime: number, close: number): void {
  // Short enough for V8 to inline, so that the call happens only where there is something to act on.
  if (flags === 0 && turn.bot.planRules === null && turn.pair.exitSignal === null) return;
  actOnFlags(turn, flags, candleTime, close);
}

function actOnFlags(turn: Turn, flags: number, candleTime: number, close: number): void {
  const { bot, pair } = turn;
  if (!isTrading(bot) || pair.market === null) return;
  if (pair.flag === 'removed' && !isBusy(pair)) return;
  if (bot.planRules !== null) {
    onPlanCandle(turn, flags, candleTime, close);
    return;
  }
  const direction = pair.position?.direction ?? enteredDirection(pair.entry);
  const signalled = recordSignal(turn, flags, direction, close);
  if (!signalled && !isHeldBack(pair.exitSignal)) return;
  if (direction !== 0 && exitByFlags(turn, flags, direction)) return;
  enterByFlags(turn, flags, candleTime);
}

/** Returns the direction of a working entry that the strategy may cancel; 0 without one. Its owner alone cancels one with a price. */
function enteredDirection(entry: ParentOrder | null): Direction | 0 {
  return entry === null || hasOwnPrice(entry) ? 0 : entry.direction;
}

/**
 * Records the signal of a candle, unless it is for both sides.
 *
 * @returns whether the flags signal anything; a side that is neither tradable nor held does not count
 */
function recordSignal({ bot, pair, at }: Turn, flags: number, direction: Direction | 0, close: number): boolean {
  const { longs, shorts } = bot.rules;
  const buys = (flags & (ENTER_LONG | (shorts || direction === -1 ? EXIT_SHORT : 0))) !== 0;
  const sells = (flags & (ENTER_SHORT | (longs || direction === 1 ? EXIT_LONG : 0))) !== 0;
  if (buys !== sells) {
    pair.lastSignal = { at, side: buys ? 'buy' : 'sell' };
    bot.observer.signal(at, pair, buys ? 'buy' : 'sell', close);
  }
  return buys || sells;
}

/**
 * Exits the side that is held or entered, by a new signal or by one that is pending.
 *
 * @returns whether the candle is handled; it enters nothing then
 */
function exitByFlags(turn: Turn, flags: number, direction: Direction): boolean {
  const { bot, pair } = turn;
  const enterOpposite = (flags & enterFlag(-direction as Direction)) !== 0;
  const exits = enterOpposite || (flags & exitFlag(direction)) !== 0;
  if (exits && pair.candles >= bot.warmup) {
    const reverses = enterOpposite && bot.rules.longs && bot.rules.shorts && pair.flag !== 'removed';
    // The other side waits for the end of a working entry, as it does for that of an exit.
    pair.exitSignal = signalExit(pair.exitSignal, reverses ? (-direction as Direction) : 0);
    // The exit itself ends an entry with its owner's price, once it begins.
    if (pair.entry !== null && !hasOwnPrice(pair.entry)) endParentOrder(turn, pair.entry, 'opposite_signal');
    // Its order may still fill before the cancel arrives; that quantity must be sold as well.
    if (pair.position !== null || pair.entry === null) exitBySignal(turn);
    enterReversed(turn);
    return true;
  }
  // The strategy wants the side that is held again.
  if ((flags & enterFlag(direction)) !== 0) pair.exitSignal = null;
  if (!isHeldBack(pair.exitSignal)) return false;
  exitBySignal(turn);
  return true;
}

function enterByFlags(turn: Turn, flags: number, candleTime: number): void {
  const { bot, pair, at } = turn;
  const enters = entryDirection(flags, bot.rules.longs, bot.rules.shorts);
  if (enters === 0 || pair.position !== null || bot.state.status !== 'working') return;
  const working = pair.entry ?? pair.exit ?? pair.stop;
  if (working !== null) {
    if (working.kind === 'exit' || hasOwnPrice(working))
      refuse(bot, pair, at, { gate: 'already_open', inputs: { intent: working.id, kind: working.kind } });
    return;
  }
  const late = at - (candleTime + bot.rules.periodMs);
  if (late > Math.max(60_000, bot.rules.periodMs / 5)) {
    refuse(bot, pair, at, { gate: 'late_signal', inputs: { late } });
    return;
  }
  strategyEntry(turn, enters, 'signal');
}
