import { afterOrder, testExits } from '../bot/bot.ts';
import type { Effect, OrderFill } from '../bot/event.ts';
import { coverShortfall } from '../ledger/liquidation.ts';
import type { Price } from '../money/units.ts';
import type { Intent, LiveOrder } from '../orders/intent.ts';
import { bookFill, endOrder } from '../orders/loop.ts';
import type { Lane } from './lane.ts';
import { liquidateIfDue } from './liquidation.ts';
import { beyondLimit, feeOf, takerPrice } from './paperExchange.ts';

/** The market of the lane is at `price`. */
export function standAt({ pair, quote }: Lane, price: Price): void {
  quote.last = price;
  pair.mark = price;
}

/** A taker, at `touch` made worse by the average slippage, unless that is beyond its limit. */
export function takerFill(lane: Lane, intent: Intent & { order: LiveOrder }, touch: Price, effects: Effect[]): void {
  const { order } = intent;
  const price = takerPrice(intent.side, touch, lane.bot.rules.slippage);
  if (beyondLimit(order.type, intent.side, order.price, price)) end(lane, intent, order, 'expired', effects);
  else fill(lane, intent, order, price, 'taker', effects);
}

/** Fills the whole of an order at `price`. */
export function fill(
  lane: Lane,
  intent: Intent,
  order: LiveOrder,
  price: Price,
  liquidity: 'maker' | 'taker',
  effects: Effect[],
): void {
  const { bot, market, pair, now } = lane;
  lane.calmKnown = false;
  const rate = liquidity === 'maker' ? bot.rules.makerFee : bot.rules.takerFee;
  const inBase = intent.side === 'buy' && !bot.rules.future;
  const filled: OrderFill = {
    at: now,
    side: intent.side,
    price,
    quantity: order.quantity,
    fee: feeOf(market, inBase, price, order.quantity, rate),
    feeAsset: inBase ? market.base : market.quote,
    liquidity,
  };
  bookFill(bot, pair, intent, order, filled);
  if (bot.state.wallet.quote < 0) coverShortfall(bot.state.wallet);
  end(lane, intent, order, 'filled', effects);
}

function end(
  lane: Lane,
  intent: Intent,
  order: LiveOrder,
  how: 'filled' | 'expired' | 'canceled',
  effects: Effect[],
): void {
  const { bot, pair, now } = lane;
  endOrder(bot, pair, intent, order, how, now, effects);
  afterOrder(bot, pair, now, effects);
  if (effects.length > 0) carryOut(lane, effects);
}

/**
 * Carries out what the bot asked for. Cancels are confirmed at once; orders wait for the next candle, or fill at once at
 * the price of the exit table that asked for them.
 */
export function carryOut(lane: Lane, effects: Effect[]): void {
  while (effects.length > 0) {
    // Nearly always there is one, which is quicker to take from the end.
    const { type, pair, intent, order } = (effects.length === 1 ? effects.pop() : effects.shift()) as Effect;
    // Something that happened meanwhile has ended it.
    if (intent.order !== order) continue;
    const own = pair === lane.pair ? lane : (lane.lanes.find((other) => other.pair === pair) ?? lane);
    if (type === 'cancel') {
      end(own, intent, order, 'canceled', effects);
      continue;
    }
    order.status = 'open';
    if (own.instant !== 0 && intent.rung === '')
      takerFill(own, intent as Intent & { order: LiveOrder }, own.instant, effects);
  }
}

/**
 * The engine sees one price; what its tables order fills there at once. At most one table acts at a time: the next that
 * is due acts at the same price, as it does on the next tick.
 */
export function touch(lane: Lane, price: Price, effects: Effect[]): void {
  const { bot, pair } = lane;
  if (pair.position === null) return;
  lane.calmKnown = false;
  standAt(lane, price);
  if (bot.rules.future && liquidateIfDue(bot, pair, lane.now).length > 0) return;
  lane.instant = price;
  for (let held = 0; pair.position !== null && held !== pair.holding.quantity; ) {
    held = pair.holding.quantity;
    testExits(bot, pair, price, price, lane.now, effects);
    if (effects.length > 0) carryOut(lane, effects);
  }
  lane.instant = 0;
}
