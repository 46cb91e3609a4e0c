import { formatUnits, mulDivDown, SCALE, shiftPriceBy } from '../money/units.ts';
import { exitOptions } from '../state/entryOptions.ts';
import { dropHeldExit, holdBack, settleExit } from '../state/exitSignal.ts';
import { knownPrice } from '../state/knownPrice.ts';
import type { Reason } from '../state/parentOrder.ts';
import { refuse } from '../state/refuse.ts';
import type { Turn } from '../state/turn.ts';
import { beginExit } from './exit.ts';

/**
 * Exits by a signal of the strategy: `sell_pct` of the position, or all of it for a reversal. While the loss would exceed
 * `max_sell_loss_pct` the exit stays pending until the next candle.
 *
 * @see docs/exits.md#exits-by-signal
 */
export function strategyExit(turn: Turn, reason: Extract<Reason, 'signal' | 'reverse'>): void {
  const { bot, pair, at } = turn;
  const { rules } = bot;
  const { position } = pair;
  if (position === null || pair.quote === null) return;
  // A working exit by signal is not repeated, unless a reversal needs the whole position.
  if (pair.exit !== null && (pair.exit.reason === 'signal' || pair.exit.reason === 'reverse')) {
    if (reason === 'signal' || pair.exit.all) return;
  }
  const { direction } = position;
  if (rules.sellShare === 0 && reason === 'signal') {
    pair.exitSignal = dropHeldExit(pair.exitSignal);
    refuse(bot, pair, at, { gate: 'disabled', inputs: { sell_pct: 0 } });
    return;
  }
  const price = knownPrice(pair, direction);
  const entry = pair.holding.entryPrice;
  const worst = shiftPriceBy(entry, -direction * rules.maxSellLoss, direction === 1 ? 'up' : 'down');
  if (rules.maxSellLoss > 0 && (direction === 1 ? price < worst : price > worst)) {
    pair.exitSignal = holdBack(pair.exitSignal, reason === 'reverse');
    refuse(bot, pair, at, {
      gate: 'sell_loss',
      inputs: { price: formatUnits(price), entry: formatUnits(entry), least: formatUnits(worst) },
    });
    return;
  }
  pair.exitSignal = settleExit(pair.exitSignal);
  // A reversal exits the whole position regardless of sell_pct (docs/entries.md#reversals).
  const share = reason === 'reverse' ? SCALE : rules.sellShare;
  const urgency = exitOptions(bot, pair).maker ? 'maker' : 'taker';
  const { quantity } = pair.holding;
  const wanted = share === SCALE ? quantity : mulDivDown(quantity, share, SCALE);
  beginExit(turn, { reason, wanted, price, urgency });
}
