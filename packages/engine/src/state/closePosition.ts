import { closeEntryCount } from '../ledger/holding.ts';
import type { Market } from '../market/market.ts';
import type { Price } from '../money/units.ts';
import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';
import { closedPositionOf } from './closedPositionOf.ts';
import { isDust } from './dust.ts';
import { afterExit } from './exitSignal.ts';
import { belongsToPosition } from './parentOrder.ts';

/**
 * Stores the price of an exit for `max_buy_loss_pct`: lowest and highest since the last entry.
 *
 * @see docs/fills.md#re-entry-above-the-last-exit
 */
export function rememberExit(bot: Bot, pair: PairState, price: Price): void {
  const reference = pair.exitReference;
  const until = pair.candles + bot.state.options.min_periods;
  if (reference === null || pair.candles >= reference.until) {
    pair.exitReference = { lowest: price, highest: price, until };
    return;
  }
  reference.lowest = Math.min(reference.lowest, price);
  reference.highest = Math.max(reference.highest, price);
  reference.until = until;
}

/**
 * Closes the position when the pair has no parent order and the holding cannot be traded at `price`: it stays as dust. The
 * net result decides whether it counts as a win or a loss.
 *
 * @returns true when the pair is flat afterwards
 * @see docs/exits.md#flat-and-dust, docs/entries.md#quarantine, docs/accounting.md#dust, docs/accounting.md#figures-of-a-bot
 */
export function closeIfDust(bot: Bot, pair: PairState, price: Price, at: number): boolean {
  const { position, holding } = pair;
  const market = pair.market as Market;
  if (position === null) return true;
  if (isHeldOpen(pair) || !isDust(bot, market, price, holding.quantity)) return false;
  closeFlat(bot, pair, at);
  return true;
}

/** Closes the position when the pair has no parent order and the holding is dust at any price. */
export function closeIfBelowStep(bot: Bot, pair: PairState, at: number): void {
  const { step, minQuantity } = pair.market as Market;
  if (isHeldOpen(pair)) return;
  if (pair.holding.quantity < Math.max(step, minQuantity)) closeFlat(bot, pair, at);
}

/** Returns whether a working order keeps a position open, whatever is held. */
function isHeldOpen({ entry, exit }: PairState): boolean {
  return exit !== null || (entry !== null && belongsToPosition(entry));
}

/** Closes the position of a pair, of which only dust is left. */
export function closeFlat(bot: Bot, pair: PairState, at: number): void {
  const { position, holding } = pair;
  if (position === null) return;
  const net = position.realised;
  if (net > 0) bot.state.wins += 1;
  else if (net < 0) bot.state.losses += 1;
  if (position.sold && net <= 0 && bot.rules.quarantineMs > 0) pair.quarantineUntil = at + bot.rules.quarantineMs;
  pair.lastClosed = closedPositionOf(pair, position, at);
  bot.observer.positionClosed(pair, pair.lastClosed, holding.quantity);
  closeEntryCount(holding);
  pair.position = null;
  pair.entryOptions = null;
  pair.exitSignal = afterExit(pair.exitSignal);
}
