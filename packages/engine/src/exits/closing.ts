import { knownPrice } from '../state/knownPrice.ts';
import type { ParentOrder } from '../state/parentOrder.ts';
import type { Turn } from '../state/turn.ts';
import { beginExit } from './exit.ts';

/**
 * Exits the whole position of a pair at market while the bot or the kill switch closes it, unless such an exit works already. It
 * waits for the first quote after a restart.
 *
 * @see docs/bot-lifecycle.md#stop-drain-and-run_for
 */
export function closePosition(turn: Turn): void {
  const { bot, pair } = turn;
  const { closing, position, quote, holding, exit } = pair;
  if (closing !== true || position === null || quote === null || exitsAtMarket(exit)) return;
  const price = knownPrice(pair, position.direction);
  const reason = bot.state.status === 'working' ? 'manual' : 'run_end';
  beginExit(turn, { reason, wanted: holding.quantity, price, urgency: 'taker' });
}

/** Returns whether an exit sells the whole position at any price. */
function exitsAtMarket(exit: ParentOrder | null): boolean {
  return exit !== null && exit.urgency === 'taker' && exit.all && exit.slippage === undefined;
}
