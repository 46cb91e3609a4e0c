import { formatUnits, mulDivDown, SCALE, shiftPriceBy } from '../money/units.ts';
import { exitOptions } from '../state/entryOptions.ts';
import { knownPrice } from '../state/knownPrice.ts';
import type { Reason } from '../state/parentOrder.ts';
import { refuse } from '../state/refuse.ts';
import type { Turn } from '../state/turn.ts';
import { beginExit } from './exit.ts';

/**
 * Exit asked for by the strategy: `sell_pct` of the position, or all of it for a reversal, held back while it would realise a greater loss than
 * `max_sell_loss_pct`; then it stays pending until the next candle.
 *
 * @see docs/exits.md#exits-by-signal
 */
export function strategyExit(turn: Turn, reason: Extract<Reason, 'signal' | 'reverse'>): void {
  const { bot, pair, at } = turn;
  const { rules } = bot;
  const { position } = pair;
  if (position === null || pair.quote === null) return;
  // A table's exit that works takes the strategy's quantity over; one of its own is under way already, unless it leaves less.
  if (pair.exit !== null && (pair.exit.reason === 'signal' || pair.exit.reason === 'reverse')) {
    if (reason === 'signal' || pair.exit.all) return;
  }
  const { direction } = position;
  if (rules.sellShare === 0 && reason === 'signal') {
    pair.pendingExit = false;
    refuse(bot, pair, at, { gate: 'disabled', inputs: { sell_pct: 0 } });
    return;
  }
  const price = knownPrice(pair, direction);
  const entry = pair.holding.entryPrice;
  const worst = shiftPriceBy(entry, -direction * rules.maxSellLoss, direction === 1 ? 'up' : 'down');
  if (rules.maxSellLoss > 0 && (direction === 1 ? price < worst : price > worst)) {
    pair.pendingExit = true;
    // What is tried again later is the exit as it was asked for; the entry of a reversal is not (docs/exits.md#exits-by-signal).
    pair.exitsAll = reason === 'reverse';
    pair.reverse = 0;
    refuse(bot, pair, at, {
      gate: 'sell_loss',
      inputs: { price: formatUnits(price), entry: formatUnits(entry), least: formatUnits(worst) },
    });
    return;
  }
  pair.pendingExit = false;
  pair.exitsAll = false;
  // A reversal leaves the whole position, whatever sell_pct says (docs/entries.md#reversals).
  const share = reason === 'reverse' ? SCALE : rules.sellShare;
  const urgency = exitOptions(bot, pair).maker ? 'maker' : 'taker';
  const { quantity } = pair.holding;
  const wanted = share === SCALE ? quantity : mulDivDown(quantity, share, SCALE);
  beginExit(turn, { reason, wanted, price, urgency });
}
