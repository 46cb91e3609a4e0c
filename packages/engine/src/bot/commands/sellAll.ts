import { beginExit } from '../../exits/exit.ts';
import { knownPrice } from '../../state/knownPrice.ts';
import type { Turn } from '../../state/turn.ts';

/** Exits the whole position of a pair at market, once the exchange has confirmed the cancels of its other orders. */
export function sellAll(turn: Turn): void {
  const { pair } = turn;
  if (pair.position === null) return;
  const price = knownPrice(pair, pair.position.direction);
  beginExit(turn, { reason: 'manual', wanted: pair.holding.quantity, price, urgency: 'taker' });
}
