import { knownPrice } from '../state/knownPrice.ts';
import type { ParentOrder } from '../state/parentOrder.ts';
import type { Turn } from '../state/turn.ts';
import { beginExit } from './exit.ts';

/**
 * Exits the whole position of a pair at market while the bot closes its positions, unless such an exit works already. It waits
 * for the first quote after a restart.
 *
 * @see docs/bot-lifecycle.md#stop-drain-and-run_for
 */
export function closePosition(turn: Turn): void {
  const { pair } = turn;
  const { closing, position, quote, holding, exit } = pair;
  if (closing !== true || position === null || quote === null || exitsAtMarket(exit)) return;
  const price = knownPrice(pair, position.direction);
  beginExit(turn, { reason: 'run_end', wanted: holding.quantity, price, urgency: 'taker' });
}

/** Returns whether an exit sells the whole position at any price. */
function exitsAtMarket(exit: ParentOrder | null): boolean {
  return exit !== null && exit.urgency === 'taker' && exit.all && exit.slippage === undefined;
}
