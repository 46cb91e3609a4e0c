import { afterOrderEvent } from '../bot/onOrderEvent.ts';
import { testExits } from '../bot/onQuote.ts';
import { coverShortfall } from '../ledger/liquidation.ts';
import type { Price } from '../money/units.ts';
import { bookFill, endOrder } from '../orders/loop.ts';
import { beyondLimit, feeOf, takerPrice } from '../paper/paperExchange.ts';
import { liquidateIfDue } from '../paper/simulatedLiquidation.ts';
import type { Effect, OrderFill } from '../state/botEvents.ts';
import type { LiveOrder, ParentOrder } from '../state/parentOrder.ts';
import type { PairRun } from './pairRun.ts';

/** Sets last price and mark of a pair run. */
export function setMarketPrice({ pair, quote }: PairRun, price: Price): void {
  quote.last = price;
  pair.mark = price;
}

/** Fills a taker at `marketPrice` made worse by the average slippage, or expires it beyond its limit. */
export function takerFill(pairRun: PairRun, parent: ParentOrder & { order: LiveOrder }, marketPrice: Price): void {
  const { order } = parent;
  const price = takerPrice(parent.side, marketPrice, pairRun.bot.rules.slippage);
  if (beyondLimit(order.type, parent.side, order.price, price)) end(pairRun, parent, order, 'expired');
  else fill(pairRun, parent, order, price, 'taker');
}

/** Fills a whole order at `price`. */
export function fill(
  pairRun: PairRun,
  parent: ParentOrder,
  order: LiveOrder,
  price: Price,
  liquidity: 'maker' | 'taker',
): void {
  const { bot, market, pair, turn } = pairRun;
  pairRun.quietBandKnown = false;
  const rate = liquidity === 'maker' ? bot.rules.makerFee : bot.rules.takerFee;
  const inBase = parent.side === 'buy' && !bot.rules.future;
  const filled: OrderFill = {
    at: turn.at,
    side: parent.side,
    price,
    quantity: order.quantity,
    fee: feeOf(market, inBase, price, order.quantity, rate),
    feeAsset: inBase ? market.base : market.quote,
    liquidity,
  };
  bookFill(bot, pair, parent, order, filled);
  if (bot.state.wallet.quote < 0) coverShortfall(bot.state.wallet);
  end(pairRun, parent, order, 'filled');
}

function end(pairRun: PairRun, parent: ParentOrder, order: LiveOrder, how: 'filled' | 'expired' | 'canceled'): void {
  const { turn } = pairRun;
  endOrder(turn, parent, order, how);
  afterOrderEvent(turn);
  if (turn.effects.length > 0) applyEffects(pairRun);
}

/**
 * Applies the effects of the bot. Cancels are confirmed at once; orders wait for the next candle, or fill at once at the price of
 * the exit table that placed them.
 */
export function applyEffects(pairRun: PairRun): void {
  const { effects } = pairRun.turn;
  while (effects.length > 0) {
    // Nearly always there is one, and popping it is faster.
    const { type, pair, parent, order } = (effects.length === 1 ? effects.pop() : effects.shift()) as Effect;
    // Another event has ended the order meanwhile.
    if (parent.order !== order) continue;
    const own = pair === pairRun.pair ? pairRun : (pairRun.pairRuns.find((other) => other.pair === pair) ?? pairRun);
    if (type === 'cancel') {
      end(own, parent, order, 'canceled');
      continue;
    }
    order.status = 'open';
    if (own.instant !== 0 && parent.planKey === '')
      takerFill(own, parent as ParentOrder & { order: LiveOrder }, own.instant);
  }
}

/**
 * Evaluates one price; orders of exit tables fill there at once. At most one table acts at a time, and the next one acts at the
 * same price, as it does on the next tick.
 */
export function evaluateAt(pairRun: PairRun, price: Price): void {
  const { bot, pair, turn } = pairRun;
  if (pair.position === null) return;
  pairRun.quietBandKnown = false;
  setMarketPrice(pairRun, price);
  if (bot.rules.future && liquidateIfDue(turn).length > 0) return;
  pairRun.instant = price;
  for (let held = 0; pair.position !== null && held !== pair.holding.quantity; ) {
    held = pair.holding.quantity;
    testExits(turn, price, price);
    if (turn.effects.length > 0) applyEffects(pairRun);
  }
  pairRun.instant = 0;
}
