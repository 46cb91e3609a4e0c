import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import { closeEntryCount, entryPrice } from '../ledger/spot.ts';
import type { Market } from '../market/market.ts';
import type { Price } from '../money/units.ts';
import { isDust } from './dust.ts';

/**
 * After a fill of an exit: remembers the exit price for `max_buy_loss_pct`, and closes the position when what is left
 * cannot be traded. Win and loss are counted by the net result of the closed position.
 *
 * @see options.md 4.5 (max_buy_loss_pct, quarentine_time), accounting.md 6
 */
export function settleExit(bot: Bot, pair: PairState, price: Price, at: number): void {
  const { position, holding, exit } = pair;
  const market = pair.market as Market;
  const reference = pair.exitReference;
  pair.exitReference = {
    price: reference ? Math.min(reference.price, price) : price,
    until: pair.candles + bot.state.options.min_periods,
  };
  if (position === null || !isDust(market, price, holding.quantity)) return;
  const net = position.realised;
  if (net > 0) bot.state.wins += 1;
  else if (net < 0) bot.state.losses += 1;
  if (net <= 0 && bot.rules.quarantineMs > 0) pair.quarantineUntil = at + bot.rules.quarantineMs;
  bot.witness.positionClosed(at, pair, position, entryPrice(market, holding), holding.quantity);
  closeEntryCount(holding);
  pair.position = null;
  pair.pendingExit = false;
  // Nothing tradable is left, so a larger target is out of reach.
  if (exit) exit.target = exit.filled;
}
