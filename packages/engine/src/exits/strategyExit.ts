import { type Direction, isAsGoodAs } from '../market/direction.ts';
import { formatUnits, mulDivDown, type Price, SCALE, shiftPriceBy } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { exitOptions } from '../state/entryOptions.ts';
import { afterExit, exitsWhole, holdBack, waitAgain } from '../state/exitSignal.ts';
import { knownPrice } from '../state/knownPrice.ts';
import type { ParentOrder } from '../state/parentOrder.ts';
import type { Refused } from '../state/refusal.ts';
import { refuse } from '../state/refuse.ts';
import type { Turn } from '../state/turn.ts';
import { beginExit } from './exit.ts';

/**
 * Exits by the pending signal of the strategy: `sell_pct` of the position, or all of it for a reversal. While the loss would exceed
 * `max_sell_loss_pct` the exit stays pending until the next candle. Without a position or a quote it does nothing.
 *
 * @see docs/exits.md#exits-by-signal
 */
export function strategyExit(turn: Turn): void {
  const { bot, pair, at } = turn;
  const { rules } = bot;
  const { position } = pair;
  if (position === null || pair.quote === null) return;
  const whole = exitsWhole(pair.exitSignal);
  const reason = whole ? 'reverse' : 'signal';
  if (repeatsExit(pair.exit, whole)) {
    pair.exitSignal = afterExit(pair.exitSignal);
    return;
  }
  if (rules.sellShare === 0 && !whole) {
    pair.exitSignal = null;
    refuse(bot, pair, at, { gate: 'disabled', inputs: { sell_pct: 0 } });
    return;
  }
  const price = knownPrice(pair, position.direction);
  const refused = sellLossGate(bot, pair, position.direction, price);
  if (refused !== null) {
    pair.exitSignal = holdBack(pair.exitSignal);
    refuse(bot, pair, at, refused);
    return;
  }
  const signal = pair.exitSignal;
  pair.exitSignal = afterExit(signal);
  // A reversal exits the whole position regardless of sell_pct (docs/entries.md#reversals).
  const share = whole ? SCALE : rules.sellShare;
  const urgency = exitOptions(bot, pair).maker ? 'maker' : 'taker';
  const { quantity } = pair.holding;
  const wanted = share === SCALE ? quantity : mulDivDown(quantity, share, SCALE);
  const begun = beginExit(turn, { reason, wanted, price, urgency });
  // The quantity that a working entry has filled may be too small now; it may fill more before its cancel arrives.
  const cancels = pair.entry !== null && pair.entry.afterCancel !== null;
  if (begun === null && pair.position !== null && cancels) pair.exitSignal = waitAgain(signal);
}

/** Returns whether an exit by signal works already. For a reversal only one of the whole position counts. */
function repeatsExit(exit: ParentOrder | null, whole: boolean): boolean {
  if (exit === null || (exit.reason !== 'signal' && exit.reason !== 'reverse')) return false;
  return !whole || exit.all;
}

/** Checks that the loss at `price` is at most `max_sell_loss_pct`. @see docs/exits.md#exits-by-signal */
function sellLossGate({ rules }: Bot, { holding }: PairState, direction: Direction, price: Price): Refused | null {
  if (rules.maxSellLoss === 0) return null;
  const entry = holding.entryPrice;
  const worst = shiftPriceBy(entry, -direction * rules.maxSellLoss, direction === 1 ? 'up' : 'down');
  if (isAsGoodAs(direction, price, worst)) return null;
  return {
    gate: 'sell_loss',
    inputs: { price: formatUnits(price), entry: formatUnits(entry), least: formatUnits(worst) },
  };
}
