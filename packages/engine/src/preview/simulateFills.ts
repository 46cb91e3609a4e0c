import { handle } from '../bot/handle.ts';
import type { Market } from '../market/market.ts';
import type { Price, Quantity } from '../money/units.ts';
import { fillThroughBook } from '../paper/fillThroughBook.ts';
import { beyondLimit, feeOf, slippedPrice } from '../paper/paperExchange.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect, OrderEnd } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { clientOrderId, type LiveOrder, type ParentOrder } from '../state/parentOrder.ts';

/** An exit beyond the order size of the exchange has more child orders; an estimate needs no more. */
const MAX_ORDERS = 20;

/**
 * Fills the child orders of a parent order from the newest quote, and confirms every cancel, as an ideal exchange would: a taker
 * walks through the displayed size, a maker order is filled whole.
 *
 * @param bot a copy, which changes
 * @param effects those of the command; later ones are added
 * @returns the first child order; null when none was placed
 */
export function simulateFills(bot: Bot, parent: ParentOrder, effects: Effect[], at: number): LiveOrder | null {
  let first: LiveOrder | null = null;
  for (let orders = 0, next = 0; next < effects.length && orders < MAX_ORDERS; next++) {
    const effect = effects[next] as Effect;
    const name = clientOrderId(bot.state.id, effect.parent, effect.order);
    if (effect.type === 'cancel') {
      handle(bot, { type: 'ended', at, clientOrderId: name, how: 'canceled' }, effects);
    } else if (effect.parent === parent) {
      orders += 1;
      first ??= structuredClone(effect.order);
      const how = simulateFill(bot, effect, name, effects, at);
      handle(bot, { type: 'ended', at, clientOrderId: name, how }, effects);
    }
  }
  return first;
}

/** Fills one order as far as its limit and the displayed size allow. @returns how it ends */
function simulateFill(bot: Bot, effect: Effect, name: string, effects: Effect[], at: number): OrderEnd {
  const { pair, parent, order } = effect;
  const market = pair.market as Market;
  const fill = order.type === 'limit_maker' ? order : takerFill(bot, pair, parent, order);
  const { price, quantity } = fill;
  if (quantity > 0) {
    const liquidity = order.type === 'limit_maker' ? 'maker' : 'taker';
    const inBase = parent.side === 'buy' && !bot.rules.future;
    const rate = liquidity === 'maker' ? bot.rules.makerFee : bot.rules.takerFee;
    const fee = feeOf(market, inBase, price, quantity, rate);
    const feeAsset = inBase ? market.base : market.quote;
    const booked = { at, side: parent.side, price, quantity, fee, feeAsset, liquidity } as const;
    handle(bot, { type: 'filled', clientOrderId: name, id: `preview-${name}`, ...booked }, effects);
  }
  return quantity >= order.quantity ? 'filled' : 'expired';
}

/** Returns price and quantity of a taker at the newest quote; the same as those of a paper bot. @see docs/fills.md#takers */
function takerFill(bot: Bot, { market, quote }: PairState, { side, limit: own }: ParentOrder, order: LiveOrder) {
  const none: { price: Price; quantity: Quantity } = { price: 0, quantity: 0 };
  if (quote === null || market === null) return none;
  const [best, size] = side === 'buy' ? [quote.ask, quote.askSize] : [quote.bid, quote.bidSize];
  const depth = { bestPrice: best > 0 ? best : quote.last, size: best > 0 ? size : 0, averageSize: 0 };
  const request = { side, price: order.price, ...(own !== undefined && { atLimit: true as const }) };
  const slipped = slippedPrice(request, depth.bestPrice, bot.rules.slippage);
  if (depth.bestPrice <= 0 || beyondLimit(order.type, side, order.price, slipped)) return none;
  const limit = order.type === 'limit_ioc' ? order.price : 0;
  const { quantity, price } = fillThroughBook(market, side, depth, limit, order.quantity);
  return { quantity, price: side === 'buy' ? Math.max(price, slipped) : Math.min(price, slipped) };
}
