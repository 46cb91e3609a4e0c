import { ceilTick, floorTick, type Market, meetsMinimums, notional, quantityFor } from '../market/market.ts';
import { mulDivDown, type Price, powerOfTen, type Quantity, type Quote, shiftPriceBy } from '../money/units.ts';
import { availableQuote } from '../sizing/availableBalance.ts';
import { orderValue } from '../sizing/entrySize.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import type { ParentOrder } from '../state/parentOrder.ts';
import { middle, worstTakerPrice } from '../state/quotePrices.ts';
import { usableQuote } from '../state/usableQuote.ts';

/** Child order that takes whatever the slippage allows, after three that asked for the best price. */
const WIDE_ORDER = 4;
/** Last child order, which spends what the wide one has left. */
const LAST_ORDER = 5;

/**
 * Whether a parent order spends its budget within a step: a manual buy at market. Entries by a signal are sized at their worst
 * price, as in a backtest.
 *
 * @see docs/orders.md#spending-an-amount
 */
export function spendsBudget({ kind, side, reason, urgency }: ParentOrder): boolean {
  return kind === 'entry' && side === 'buy' && reason === 'manual' && urgency === 'taker';
}

/**
 * Returns the price that a buy at market is expected to pay, on the tick: the best ask, on paper with the simulated slippage.
 *
 * @returns the last price where the feed has no book
 */
export function expectedBuyPrice({ rules }: Bot, market: Market, { ask, last }: PairQuote): Price {
  return ceilTick(market, shiftPriceBy(ask > 0 ? ask : last, rules.slippage, 'up'));
}

/** Price and quantity of an order. */
interface PricedOrder {
  readonly price: Price;
  readonly quantity: Quantity;
}

/**
 * Returns the next order of a buy that spends its budget. Its limit times its quantity never exceeds what is left of the budget.
 * It is sized at the expected price; where the best ask shows too little for that, at the worst price.
 *
 * @see docs/orders.md#spending-an-amount
 */
export function budgetOrder(bot: Bot, pair: PairState, parent: ParentOrder, quote: PairQuote): PricedOrder {
  const market = pair.market as Market;
  const worst = worstPrice(bot, market, parent, quote);
  const left = leftToSpend(bot, pair, parent);
  const rest = parent.target - parent.filled;
  const expected = expectedBuyPrice(bot, market, quote);
  const quantity = Math.min(rest, quantityFor(market, left, expected));
  const isThin = quote.askSize > 0 && quote.askSize < quantity;
  const wide = Math.min(rest, quantityFor(market, left, worst));
  const isWide = expected > worst || quantity === 0 || isThin || parent.orders + 1 === WIDE_ORDER;
  if (isWide && (expected > worst || meetsMinimums(market, worst, wide))) return { price: worst, quantity: wide };
  // Nothing limits the price of a small rest of a large budget below what the user allows.
  if (quantity === 0 || notional(market, worst, quantity) <= left) return { price: worst, quantity };
  const highest = floorTick(market, mulDivDown(left, powerOfTen(market.assetDecimals), quantity));
  return { price: highest, quantity };
}

/** Returns whether the rest of a buy that spends its budget is ordered again: the ask is within the limit of its owner. */
export function continuesSpending(bot: Bot, pair: PairState, parent: ParentOrder, at: number): boolean {
  if (!spendsBudget(parent) || parent.orders >= LAST_ORDER || pair.paused !== null) return false;
  const quote = usableQuote(bot, pair, at);
  // Without a quote the next order waits for one.
  if (quote === null) return true;
  if (pair.market === null) return false;
  return expectedBuyPrice(bot, pair.market, quote) <= worstPrice(bot, pair.market, parent, quote);
}

/** Returns the limit that the owner allows, measured from the first quote: later quotes do not raise it. */
function worstPrice({ rules }: Bot, market: Market, { firstPrice, slippage }: ParentOrder, quote: PairQuote): Price {
  const allowed = slippage ?? rules.maxSlippage;
  const now = worstTakerPrice(market, 'buy', quote, allowed);
  if (firstPrice === 0 || firstPrice === middle(quote)) return now;
  return Math.min(now, floorTick(market, shiftPriceBy(firstPrice, allowed, 'down')));
}

/** Returns the order value that is left of the budget, and available. */
function leftToSpend(bot: Bot, pair: PairState, parent: ParentOrder): Quote {
  const { takerFee } = bot.rules;
  const left = orderValue(Math.max(0, parent.budget - parent.notional - parent.feeQuote), takerFee, 1);
  return Math.min(left, orderValue(availableQuote(bot, parent), takerFee, pair.holding.leverage));
}
