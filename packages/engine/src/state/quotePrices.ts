import type { Direction } from '../market/direction.ts';
import { ceilTick, floorTick, type Market } from '../market/market.ts';
import { mulDivDown, mulDivUp, type Price, type Ratio, SCALE, shiftPriceBy } from '../money/units.ts';
import type { PairQuote } from './pairQuote.ts';

/**
 * Returns the price of a maker order: the near side of the book, moved by `ratio` in our favour, never crossing. Without a
 * book it is the last price, and there is no spread to move into.
 *
 * @param ratio markdown (entry) or markup (exit); negative moves into the spread
 * @see docs/orders.md#maker-orders
 */
export function makerPrice(market: Market, side: 'buy' | 'sell', quote: PairQuote, ratio: Ratio): Price {
  const hasBook = quote.bid > 0 && quote.ask > 0;
  const oneTick = quote.ask - quote.bid === market.tick;
  const away = hasBook ? ratio : Math.max(ratio, 0);
  if (side === 'buy') {
    const target = floorTick(market, shiftPriceBy(hasBook ? quote.bid : quote.last, -away, 'down'));
    if (!hasBook) return target;
    const resting = Math.min(target, quote.ask - market.tick);
    return oneTick ? Math.min(resting, quote.bid) : resting;
  }
  const target = ceilTick(market, shiftPriceBy(hasBook ? quote.ask : quote.last, away, 'up'));
  if (!hasBook) return target;
  const resting = Math.max(target, quote.bid + market.tick);
  return oneTick ? Math.max(resting, quote.ask) : resting;
}

/**
 * Returns the reference price of a taker's slippage: the middle of the book, or the last price without one.
 *
 * @see docs/orders.md#slippage
 */
export function middle(quote: PairQuote): Price {
  return quote.bid > 0 && quote.ask > 0 ? Math.floor((quote.bid + quote.ask) / 2) : quote.last;
}

/**
 * Returns the worst price that a taker order accepts: the middle of the book, or the last price, made worse by `slippage` and
 * rounded to the tick inwards. The middle may lie between two units.
 *
 * @see docs/orders.md#taker-orders
 */
export function worstTakerPrice(market: Market, side: 'buy' | 'sell', quote: PairQuote, slippage: Ratio): Price {
  const hasBook = quote.bid > 0 && quote.ask > 0;
  const twice = hasBook ? quote.bid + quote.ask : 2 * quote.last;
  return side === 'buy'
    ? floorTick(market, mulDivDown(twice, SCALE + slippage, 2 * SCALE))
    : ceilTick(market, mulDivUp(twice, SCALE - slippage, 2 * SCALE));
}

/** Returns whether an order at `price` would match the other side of the book at once, or without a book the last price. */
export function wouldMatch({ bid, ask, last }: PairQuote, side: 'buy' | 'sell', price: Price): boolean {
  return side === 'buy' ? price >= (ask > 0 ? ask : last) : price <= (bid > 0 ? bid : last);
}

/** Returns whether `price` is further than `limit` from `first` against us. @see docs/orders.md#slippage */
export function slipped(side: 'buy' | 'sell', price: Price, first: Price, limit: Ratio): boolean {
  return side === 'buy' ? price > shiftPriceBy(first, limit, 'down') : price < shiftPriceBy(first, -limit, 'up');
}

/**
 * Returns the reference price of the exit tables: best bid for a long, best ask for a short, the last price without a book.
 *
 * @see docs/exits.md#reference-price
 */
export function referencePrice(quote: PairQuote, direction: Direction): Price {
  const near = direction === 1 ? quote.bid : quote.ask;
  return near > 0 ? near : quote.last;
}
