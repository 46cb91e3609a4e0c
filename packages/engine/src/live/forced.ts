import type { OrderFill } from '../bot/event.ts';
import { haltPair } from '../bot/halt.ts';
import { takeLateFill } from '../bot/lateFill.ts';
import type { PairState } from '../bot/state.ts';
import { formatUnits, mulDiv } from '../money/units.ts';
import { noteOutside } from './outside.ts';
import type { OwnFill } from './report.ts';
import type { Turn } from './turn.ts';

/** Whether a forced closing has reduced what the bot holds. */
export function closesOurs({ session }: Turn, { pair: name, side }: OwnFill): boolean {
  const { bot, state } = session;
  const holding = state.bot.pairs.find(({ pair }) => pair === name)?.holding;
  return (
    bot.rules.future && holding !== undefined && holding.quantity > 0 && (side === 'buy') === (holding.side === -1)
  );
}

/**
 * The exchange has closed the position, or a part of it, by an order of its own. A liquidated pair waits for the user; its
 * orders are gone or go now.
 *
 * @param booked the fill as the ledger takes it; what is beyond the bot's own holding was its owner's
 * @see accounting.md 3.8
 */
export function takeForced(turn: Turn, pair: PairState, { id, forced }: OwnFill, booked: OrderFill): void {
  const { bot } = turn.session;
  const { quantity, fee, pnl, ...rest } = booked;
  const own = Math.min(quantity, pair.holding.quantity);
  const share = (amount: number) => (own === quantity ? amount : mulDiv(amount, own, quantity));
  noteOutside(turn, pair.pair, {
    what: forced === 'deleveraging' ? 'deleveraged' : 'liquidated',
    quantity: formatUnits(own, pair.market?.assetDecimals),
    price: formatUnits(rest.price),
  });
  const fill = { ...rest, quantity: own, fee: share(fee), ...(pnl === undefined ? {} : { pnl: share(pnl) }) };
  takeLateFill(bot, pair, id, fill, forced === 'liquidation' ? 'liquidation' : 'external');
  if (forced !== 'liquidation') return;
  haltPair(bot, pair, false, turn.at, turn.effects);
  pair.paused = 'liquidation';
}
