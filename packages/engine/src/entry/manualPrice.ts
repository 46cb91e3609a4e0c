import { type Direction, isAsGoodAs } from '../market/direction.ts';
import { ceilTick, floorTick, type Market } from '../market/market.ts';
import { formatUnits, type Price, type Ratio, shiftPriceBy } from '../money/units.ts';
import { expectedBuyPrice } from '../orders/budgetOrder.ts';
import type { Bot } from '../state/bot.ts';
import type { EntryPricing } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import type { ParentOrder } from '../state/parentOrder.ts';
import { type ExitPrices, reachesStopLoss, reachesTakeProfit } from '../state/priceExit.ts';
import { middle, referencePrice, wouldMatch } from '../state/quotePrices.ts';
import type { Refused } from '../state/refusal.ts';
import { sizingPrice } from './enter.ts';

/** How an entry with a price of its owner gets it. */
export type OwnPricing = Extract<EntryPricing, { price: Price }>;

/** A manual entry as far as its price depends on it. */
export interface PricedEntry {
  readonly direction: Direction;
  readonly pricing: EntryPricing;
  /** Price exit of the position that it opens. */
  readonly exits?: ExitPrices | undefined;
}

/** Returns the urgency with which the orders of a manual entry are sent. */
export function urgencyOf({ order }: EntryPricing): ParentOrder['urgency'] {
  return order === 'taker' || order === 'stop' ? 'taker' : 'maker';
}

/** Returns the highest fee rate that a manual entry may pay. */
export function manualFee({ rules }: Bot, { order }: EntryPricing): Ratio {
  switch (order) {
    case 'maker':
    case 'post_only':
      return rules.makerFee;
    case 'limit':
      return Math.max(rules.makerFee, rules.takerFee);
    default:
      return rules.takerFee;
  }
}

/**
 * Returns the price at which a manual entry is sized. Without one of its own it is the price that it is expected to pay.
 *
 * @returns 0 when its own price is below one tick
 * @see docs/orders.md#spending-an-amount
 */
export function manualPrice(bot: Bot, pair: PairState, { direction, pricing }: PricedEntry): Price {
  const { market, quote } = pair;
  if ('price' in pricing)
    return market === null || quote === null ? 0 : ownSizingPrice(market, quote, direction, pricing);
  const isMaker = pricing.order === 'maker';
  const slippage = pricing.order === 'maker' ? undefined : pricing.slippage;
  const price = sizingPrice(bot, pair, direction, isMaker, slippage);
  if (isMaker || direction === -1 || market === null || quote === null) return price;
  return Math.min(price, expectedBuyPrice(bot, market, quote));
}

/** Returns the price of the user on the tick; that of a limit short below the market is the price that it is expected to get. */
function ownSizingPrice(market: Market, quote: PairQuote, direction: Direction, pricing: OwnPricing): Price {
  const price = ownPrice(market, direction, pricing);
  // A short that sells higher needs more margin.
  return direction === -1 && pricing.order === 'limit' && price > 0 ? Math.max(price, middle(quote)) : price;
}

/** Returns the price at which a quantity is certain to be affordable: a stop entry buys up to its slippage above its own price. */
export function costPrice(bot: Bot, pair: PairState, wanted: PricedEntry): Price {
  const price = manualPrice(bot, pair, wanted);
  const { pricing, direction } = wanted;
  if (pricing.order !== 'stop' || direction === -1) return price;
  return shiftPriceBy(price, pricing.slippage ?? bot.rules.maxSlippage, 'up');
}

/** Rounds a price of the user to the tick: a limit never to a worse price, a stop never to one that is reached earlier. */
export function ownPrice(market: Market, direction: Direction, { order, price }: OwnPricing): Price {
  const rounds = (direction === 1) === (order === 'stop') ? ceilTick : floorTick;
  return rounds(market, price);
}

/**
 * Checks a manual entry against the newest quote. A post-only order must wait; the price of a stop entry and the price exits must not be
 * reached yet.
 */
export function manualPriceGate(
  { quote, market }: PairState,
  { direction, pricing, exits }: PricedEntry,
): Refused | null {
  if (quote === null || market === null) return null;
  const { order } = pricing;
  const price = 'price' in pricing ? ownPrice(market, direction, pricing) : 0;
  if (order === 'post_only' && wouldMatch(quote, direction === 1 ? 'buy' : 'sell', price)) {
    return { gate: 'would_match', inputs: { price: formatUnits(price) } };
  }
  if (order === 'stop' && reachesPrice(referencePrice(quote, -direction as Direction), direction, price)) {
    return { gate: 'trigger_reached', inputs: { trigger: formatUnits(price) } };
  }
  return exits === undefined ? null : exitPricesGate(exits, direction, expectedEntry(quote, direction, order, price));
}

/** Returns the price with which the exits of an entry are compared; a limit that the market improves on is filled at the market. */
function expectedEntry(quote: PairQuote, direction: Direction, order: EntryPricing['order'], price: Price): Price {
  const market = referencePrice(quote, direction);
  if (order === 'stop') return price;
  if (price === 0) return market;
  return direction === 1 ? Math.min(price, market) : Math.max(price, market);
}

/** Returns whether the market reaches the price of a stop entry: the ask of a long, the bid of a short. */
export function reachesPrice(market: Price, direction: Direction, price: Price): boolean {
  return market > 0 && isAsGoodAs(direction, market, price);
}

/** Checks that neither price of a price exit is reached at `price`. */
export function exitPricesGate(exits: ExitPrices, direction: Direction, price: Price): Refused | null {
  const isStopped = reachesStopLoss(exits, direction, price);
  if (!isStopped && !reachesTakeProfit(exits, direction, price)) return null;
  const trigger = formatUnits(isStopped ? exits.stopLoss : exits.takeProfit);
  return { gate: 'trigger_reached', inputs: { trigger, price: formatUnits(price) } };
}
