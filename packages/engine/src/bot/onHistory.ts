import { gridCandle } from '../grid/gridCandle.ts';
import { type Direction, isAsGoodAs } from '../market/direction.ts';
import type { Market } from '../market/market.ts';
import { toUnits } from '../money/units.ts';
import { ALL } from '../orders/planFills.ts';
import { adoptMarket } from '../state/adoptMarket.ts';
import type { ClosedCandle } from '../state/botEvents.ts';
import type { Position } from '../state/botState.ts';
import { dropReversal, isWaiting, missExit } from '../state/exitSignal.ts';
import type { Turn } from '../state/turn.ts';
import { enterFlag, exitFlag } from '../strategies/flags.ts';
import { feedStrategy, restartStrategy } from './feedStrategy.ts';
import { becomeReady } from './lifecycle.ts';

/**
 * Applies the closed candles of a pair at a start or a restart. Candles seen before are skipped. Candles missed while the
 * bot was away update the strategy and the peak; their entries are dropped, their exits follow late.
 *
 * @see docs/bot-lifecycle.md#restarts, docs/entries.md#warm-up
 */
export function onHistory(turn: Turn, market: Market, candles: readonly ClosedCandle[]): void {
  const { bot, pair, at } = turn;
  if (pair.flag === 'currency' || pair.flag === 'watch_limit') return;
  adoptMarket(bot, pair, market);
  if (pair.flag !== 'removed') pair.flag = null;
  pair.reloading = false;
  // A quote from before a restart is not used; the last price stays known as `mark`.
  pair.quote = null;
  // The entry of a reversal whose exit has not begun would be late.
  if (isWaiting(pair.exitSignal)) pair.exitSignal = dropReversal(pair.exitSignal);
  // Tick size, step size and minimums may have changed, and with them the orders that the plan wants.
  if (pair.orderPlan !== null) pair.dirtyOrders = ALL;
  const first = candles[0];
  const fresh = pair.candles === 0;
  if (!fresh && first !== undefined && first.time > pair.candleTime + bot.rules.periodMs) restartStrategy(bot, pair);
  for (const candle of candles) {
    if (candle.time <= pair.candleTime) continue;
    const { flags } = feedStrategy(bot, pair, candle);
    if (!fresh) applyMissedCandle(turn, market, candle, flags);
  }
  if (bot.state.status === 'preparing') becomeReady(bot, at);
}

/** The exchange does not list a watched pair. @see docs/bot-lifecycle.md#watched-pairs */
export function onUnlisted({ bot, pair, at }: Turn): void {
  if (pair.flag !== 'removed') pair.flag = 'unknown';
  if (bot.state.status === 'preparing') becomeReady(bot, at);
}

/** Applies a candle that closed while the bot was away. */
function applyMissedCandle({ bot, pair }: Turn, market: Market, candle: ClosedCandle, flags: number): void {
  if (bot.planRules !== null) {
    // Exit tables act on periodic entries.
    if (pair.position !== null) raisePeak(pair.position, candle);
    if (pair.orderPlan?.kind === 'grid' && gridCandle(pair.orderPlan, market, toUnits(candle.close)))
      pair.dirtyOrders = ALL;
    return;
  }
  const { position } = pair;
  if (position === null) return;
  const { direction } = position;
  const reverses = (flags & enterFlag(-direction as Direction)) !== 0;
  if (pair.candles >= bot.warmup && (reverses || (flags & exitFlag(direction)) !== 0)) {
    pair.exitSignal = missExit(pair.exitSignal, bot.rules.longs && bot.rules.shorts && reverses);
  } else if ((flags & enterFlag(direction)) !== 0) {
    pair.exitSignal = null;
  }
  raisePeak(position, candle);
}

/** Raises the peak of a position. Only candles after the entry count. */
function raisePeak(position: Position, candle: ClosedCandle): void {
  if (candle.time < position.openedAt) return;
  const { direction, peak } = position;
  const best = toUnits(direction === 1 ? candle.high : candle.low);
  if (peak === 0 || !isAsGoodAs(direction, peak, best)) position.peak = best;
}
