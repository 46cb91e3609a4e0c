import { afterOrderEvent, testExits } from '../bot/bot.ts';
import { coverShortfall } from '../ledger/liquidation.ts';
import type { Price } from '../money/units.ts';
import { bookFill, endOrder } from '../orders/loop.ts';
import { beyondLimit, feeOf, takerPrice } from '../paper/paperExchange.ts';
import { liquidateIfDue } from '../paper/simulatedLiquidation.ts';
import type { Effect, OrderFill } from '../state/botEvents.ts';
import type { LiveOrder, ParentOrder } from '../state/parentOrder.ts';
import type { PairRun } from './pairRun.ts';

/** The market of the lane is at `price`. */
export function setMarketPrice({ pair, quote }: PairRun, price: Price): void {
  quote.last = price;
  pair.mark = price;
}

/** A taker, at `evaluateAt` made worse by the average slippage, unless that is beyond its limit. */
export function takerFill(
  pairRun: PairRun,
  parent: ParentOrder & { order: LiveOrder },
  marketPrice: Price,
  effects: Effect[],
): void {
  const { order } = parent;
  const price = takerPrice(parent.side, marketPrice, pairRun.bot.rules.slippage);
  if (beyondLimit(order.type, parent.side, order.price, price)) end(pairRun, parent, order, 'expired', effects);
  else fill(pairRun, parent, order, price, 'taker', effects);
}

/** Fills the whole of an order at `price`. */
export function fill(
  pairRun: PairRun,
  parent: ParentOrder,
  order: LiveOrder,
  price: Price,
  liquidity: 'maker' | 'taker',
  effects: Effect[],
): void {
  const { bot, market, pair, now } = pairRun;
  pairRun.quietBandKnown = false;
  const rate = liquidity === 'maker' ? bot.rules.makerFee : bot.rules.takerFee;
  const inBase = parent.side === 'buy' && !bot.rules.future;
  const filled: OrderFill = {
    at: now,
    side: parent.side,
    price,
    quantity: order.quantity,
    fee: feeOf(market, inBase, price, order.quantity, rate),
    feeAsset: inBase ? market.base : market.quote,
    liquidity,
  };
  bookFill(bot, pair, parent, order, filled);
  if (bot.state.wallet.quote < 0) coverShortfall(bot.state.wallet);
  end(pairRun, parent, order, 'filled', effects);
}

function end(
  pairRun: PairRun,
  parent: ParentOrder,
  order: LiveOrder,
  how: 'filled' | 'expired' | 'canceled',
  effects: Effect[],
): void {
  const { bot, pair, now } = pairRun;
  endOrder(bot, pair, parent, order, how, now, effects);
  afterOrderEvent(bot, pair, now, effects);
  if (effects.length > 0) applyEffects(pairRun, effects);
}

/**
 * Carries out what the bot asked for. Cancels are confirmed at once; orders wait for the next candle, or fill at once at
 * the price of the exit table that asked for them.
 */
export function applyEffects(pairRun: PairRun, effects: Effect[]): void {
  while (effects.length > 0) {
    // Nearly always there is one, which is quicker to take from the end.
    const { type, pair, parent, order } = (effects.length === 1 ? effects.pop() : effects.shift()) as Effect;
    // Something that happened meanwhile has ended it.
    if (parent.order !== order) continue;
    const own = pair === pairRun.pair ? pairRun : (pairRun.pairRuns.find((other) => other.pair === pair) ?? pairRun);
    if (type === 'cancel') {
      end(own, parent, order, 'canceled', effects);
      continue;
    }
    order.status = 'open';
    if (own.instant !== 0 && parent.rung === '')
      takerFill(own, parent as ParentOrder & { order: LiveOrder }, own.instant, effects);
  }
}

/**
 * The engine sees one price; what its tables order fills there at once. At most one table acts at a time: the next that
 * is due acts at the same price, as it does on the next tick.
 */
export function evaluateAt(pairRun: PairRun, price: Price, effects: Effect[]): void {
  const { bot, pair } = pairRun;
  if (pair.position === null) return;
  pairRun.quietBandKnown = false;
  setMarketPrice(pairRun, price);
  if (bot.rules.future && liquidateIfDue(bot, pair, pairRun.now).length > 0) return;
  pairRun.instant = price;
  for (let held = 0; pair.position !== null && held !== pair.holding.quantity; ) {
    held = pair.holding.quantity;
    testExits(bot, pair, price, price, pairRun.now, effects);
    if (effects.length > 0) applyEffects(pairRun, effects);
  }
  pairRun.instant = 0;
}
