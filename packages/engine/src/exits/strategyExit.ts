import { formatUnits, mulDivDown, SCALE, shiftPriceBy } from '../money/units.ts';
import { exitOptions } from '../state/entryOptions.ts';
import { afterExit, exitsWhole, holdBack, waitAgain } from '../state/exitSignal.ts';
import { knownPrice } from '../state/knownPrice.ts';
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
  // A working exit by signal is not repeated, unless a reversal needs the whole position.
  if (pair.exit !== null && (pair.exit.reason === 'signal' || pair.exit.reason === 'reverse')) {
    if (!whole || pair.exit.all) {
      pair.exitSignal = afterExit(pair.exitSignal);
      return;
    }
  }
  const { direction } = position;
  if (rules.sellShare === 0 && !whole) {
    pair.exitSignal = null;
    refuse(bot, pair, at, { gate: 'disabled', inputs: { sell_pct: 0 } });
    return;
  }
  const price = knownPrice(pair, direction);
  const entry = pair.holding.entryPrice;
  const worst = shiftPriceBy(entry, -direction * rules.maxSellLoss, direction === 1 ? 'up' : 'down');
  if (rules.maxSellLoss > 0 && (direction === 1 ? price < worst : price > worst)) {
    pair.exitSignal = holdBack(pair.exitSignal);
    refuse(bot, pair, at, {
      gate: 'sell_loss',
      inputs: { price: formatUnits(price), entry: formatUnits(entry), least: formatUnits(worst) },
    });
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
  if (begun === null && pair.position !== null && pair.entry !== null) pair.exitSignal = waitAgain(signal);
}
