import { type Market, notional } from '../market/market.ts';
import { exact, mulDivUp, type Price, type Quantity, type Ratio, SCALE, shiftPriceBy } from '../money/units.ts';
import type { MarketEvent, OrderEvent, OrderFill } from '../state/botEvents.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import type { LiveOrder } from '../state/parentOrder.ts';
import { type AverageSizes, fillThroughBook, type KnownDepth, updateAverageSizes } from './fillThroughBook.ts';

/** Latency of an order or a cancel; fills meanwhile count. @see docs/paper.md#fills */
const LATENCY_MS = 100;

/** Age of the newest public trade after which quotes fill orders instead. */
const TRADE_FEED_MS = 10_000;

/** Unknown queue position. */
const UNKNOWN = -1;

/** An order as it is sent to an exchange. */
export interface PaperOrderRequest {
  clientOrderId: string;
  pair: string;
  side: 'buy' | 'sell';
  /** Never a stop, because a simulated exchange runs only with the bot. */
  order: LiveOrder['type'];
  /** 0 for market orders. */
  price: Price;
  quantity: Quantity;
  /** A limit order of the user: simulated slippage beyond its limit fills it at the limit. @see docs/paper.md#fills */
  atLimit?: true;
}

interface PaperOrder extends Omit<PaperOrderRequest, 'quantity'> {
  rest: Quantity;
  filled: Quantity;
  /** Time at which it reaches the book; 0 afterwards. */
  arrivesAt: number;
  /** Time at which its cancel reaches the book; 0 for none. */
  cancelAt: number;
  /** Size before it at its price; -1 when unknown. */
  ahead: number;
}

interface PaperMarket {
  market: Market;
  quote: PairQuote | null;
  /** Time of the newest public trade: while trades are known, quotes alone do not fill orders. */
  tradedAt: number;
  /** Average sizes of its best prices. */
  averageSizes: AverageSizes;
}

/** A simulated exchange fed with real quotes and trades; plain data. @see docs/paper.md#fills */
export interface PaperExchange {
  markets: Record<string, PaperMarket>;
  orders: PaperOrder[];
  nextFill: number;
}

/** One event at the simulated exchange, and the order events that it causes. */
interface Execution {
  readonly exchange: PaperExchange;
  readonly rules: PaperRules;
  readonly at: number;
  readonly events: OrderEvent[];
}

/** Options of the bot that the simulation needs. */
export interface PaperRules {
  /** Fees are paid in the quote currency; on spot a buy pays in the asset. */
  readonly future: boolean;
  readonly takerFee: Ratio;
  readonly makerFee: Ratio;
  readonly slippage: Ratio;
  readonly scanMs: number;
}

export function createPaperExchange(): PaperExchange {
  return { markets: {}, orders: [], nextFill: 1 };
}

export function addMarket(exchange: PaperExchange, market: Market): void {
  const known = exchange.markets[market.pair];
  if (known) {
    known.market = market;
    known.quote = null;
  } else {
    exchange.markets[market.pair] = { market, quote: null, tradedAt: 0, averageSizes: { bid: 0, ask: 0 } };
  }
}

/** Sends an order to the simulated exchange. */
export function sendOrder(exchange: PaperExchange, { quantity, ...request }: PaperOrderRequest, at: number): void {
  exchange.orders.push({
    ...request,
    rest: quantity,
    filled: 0,
    arrivesAt: at + LATENCY_MS,
    cancelAt: 0,
    ahead: UNKNOWN,
  });
}

/** Sends a cancel to the simulated exchange. */
export function sendCancel(exchange: PaperExchange, clientOrderId: string, at: number): void {
  const order = exchange.orders.find((candidate) => candidate.clientOrderId === clientOrderId);
  if (order && order.cancelAt === 0) order.cancelAt = at + LATENCY_MS;
}

/**
 * Removes every order of a pair without events, as before a liquidation.
 *
 * @see docs/margin.md#liquidation
 */
export function dropOrders(exchange: PaperExchange, pair: string): void {
  exchange.orders = exchange.orders.filter((order) => order.pair !== pair);
}

/** Returns when the next order or cancel arrives; 0 for never. */
export function nextArrival(exchange: PaperExchange): number {
  let next = 0;
  for (const { arrivesAt, cancelAt } of exchange.orders) {
    for (const at of [arrivesAt, cancelAt]) if (at > 0 && (next === 0 || at < next)) next = at;
  }
  return next;
}

/** Handles the arrivals that are due at `at`, which must not be later than the earliest one. */
export function arrive(exchange: PaperExchange, rules: PaperRules, at: number): OrderEvent[] {
  const events: OrderEvent[] = [];
  for (const order of [...exchange.orders]) {
    if (order.arrivesAt > 0 && order.arrivesAt <= at) {
      order.arrivesAt = 0;
      enterBook({ exchange, rules, at, events }, order);
    }
    if (order.cancelAt > 0 && order.cancelAt <= at && exchange.orders.includes(order)) {
      end(exchange, order, 'canceled', at, events);
    }
  }
  return events;
}

/**
 * Applies a new quote: it fills waiting takers, and without a trade feed also the maker orders that the other side has reached.
 * @see docs/paper.md#fills
 */
export function paperQuote(exchange: PaperExchange, rules: PaperRules, pair: string, quote: PairQuote): OrderEvent[] {
  const events: OrderEvent[] = [];
  const known = exchange.markets[pair];
  if (!known) return events;
  const execution = { exchange, rules, at: quote.at, events };
  known.quote = quote;
  updateAverageSizes(known.averageSizes, quote);
  for (const order of isInBook(exchange, pair)) {
    if (order.order !== 'limit_maker') fillFromBook(execution, order);
  }
  if (quote.at - known.tradedAt <= TRADE_FEED_MS) return events;
  for (const order of resting(exchange, pair)) {
    const reached =
      order.side === 'buy' ? quote.ask > 0 && quote.ask <= order.price : quote.bid > 0 && quote.bid >= order.price;
    if (reached) makerFill(execution, known.market, order, order.rest);
  }
  return events;
}

/**
 * Applies a public trade: beyond the price of an order it fills the order, at the price only the quantity after the queue.
 *
 * @see docs/paper.md#fills
 */
export function paperTrade(
  exchange: PaperExchange,
  rules: PaperRules,
  { pair, price, quantity, at }: Omit<Extract<MarketEvent, { type: 'trade' }>, 'type'>,
): OrderEvent[] {
  const events: OrderEvent[] = [];
  const known = exchange.markets[pair];
  if (!known) return events;
  const execution = { exchange, rules, at, events };
  known.tradedAt = at;
  for (const order of resting(exchange, pair)) {
    if (order.side === 'buy' ? price < order.price : price > order.price) {
      makerFill(execution, known.market, order, order.rest);
    } else if (price === order.price && order.ahead !== UNKNOWN) {
      const through = quantity - order.ahead;
      order.ahead = Math.max(0, order.ahead - quantity);
      if (through > 0) makerFill(execution, known.market, order, Math.min(order.rest, through));
    }
  }
  return events;
}

function resting(exchange: PaperExchange, pair: string): PaperOrder[] {
  return isInBook(exchange, pair).filter(({ order }) => order === 'limit_maker');
}

/** Returns the orders of a pair that have arrived, including takers that wait for a quote. */
function isInBook(exchange: PaperExchange, pair: string): PaperOrder[] {
  return exchange.orders.filter((order) => order.pair === pair && order.arrivesAt === 0);
}

function enterBook(execution: Execution, order: PaperOrder): void {
  const { exchange, at, events } = execution;
  const known = exchange.markets[order.pair];
  const quote = known?.quote ?? null;
  if (order.order !== 'limit_maker') {
    events.push({ type: 'opened', at, clientOrderId: order.clientOrderId });
    // A pair that was just added has no quote yet; the first one decides the fill.
    if (known === undefined || known.quote !== null) fillFromBook(execution, order);
    return;
  }
  const crosses =
    quote !== null &&
    (order.side === 'buy' ? quote.ask > 0 && order.price >= quote.ask : quote.bid > 0 && order.price <= quote.bid);
  if (crosses) {
    end(exchange, order, 'post_only_rejected', at, events);
    return;
  }
  order.ahead = queueAhead(order, quote);
  events.push({ type: 'opened', at, clientOrderId: order.clientOrderId });
}

/** Fills a taker within the book and its limit, and ends it. */
function fillFromBook(execution: Execution, order: PaperOrder): void {
  const { exchange, at, events } = execution;
  const known = exchange.markets[order.pair];
  if (known) takerFill(execution, known, order);
  end(exchange, order, order.rest === 0 ? 'filled' : 'expired', at, events);
}

/** Returns the displayed size before an order that joins its side of the book. @see docs/paper.md#fills */
function queueAhead(order: PaperOrder, quote: PairQuote | null): number {
  if (quote === null) return UNKNOWN;
  const [best, size] = order.side === 'buy' ? [quote.bid, quote.bidSize] : [quote.ask, quote.askSize];
  if (best === 0) return UNKNOWN;
  if (order.price === best) return size > 0 ? size : UNKNOWN;
  const improves = order.side === 'buy' ? order.price > best : order.price < best;
  return improves ? 0 : UNKNOWN;
}

function takerFill(execution: Execution, { market, quote, averageSizes }: PaperMarket, order: PaperOrder): void {
  const { rules, at, events } = execution;
  if (quote === null || at - quote.at > Math.max(10_000, 2 * rules.scanMs)) return;
  const depth = depthFor(order.side, quote, averageSizes);
  const slipped = slippedPrice(order, depth.bestPrice, rules.slippage);
  if (depth.bestPrice <= 0 || beyondLimit(order.order, order.side, order.price, slipped)) return;
  const limit = order.order === 'limit_ioc' ? order.price : 0;
  const { quantity, price } = fillThroughBook(market, order.side, depth, limit, order.rest);
  // The worse price counts, because displayed sizes do not include price moves during the latency.
  const paid = order.side === 'buy' ? Math.max(price, slipped) : Math.min(price, slipped);
  if (quantity > 0) events.push(paperFill(execution, market, order, { price: paid, quantity, liquidity: 'taker' }));
}

/** Returns the side of the book that fills a taker. A last price without a book has no known size. */
function depthFor(side: 'buy' | 'sell', quote: PairQuote, averages: AverageSizes): KnownDepth {
  if (side === 'buy' && quote.ask > 0) return { bestPrice: quote.ask, size: quote.askSize, averageSize: averages.ask };
  if (side === 'sell' && quote.bid > 0) return { bestPrice: quote.bid, size: quote.bidSize, averageSize: averages.bid };
  return { bestPrice: quote.last, size: 0, averageSize: 0 };
}

/** Returns the price of a simulated taker: the best price made worse by the average slippage. @see docs/fills.md#takers */
export function takerPrice(side: 'buy' | 'sell', bestPrice: Price, slippage: Ratio): Price {
  return side === 'buy' ? shiftPriceBy(bestPrice, slippage, 'up') : shiftPriceBy(bestPrice, -slippage, 'down');
}

/** Returns the price of a taker order at a best price. That of a user's limit order is its limit at worst, if the best price is within it. */
export function slippedPrice(
  { side, price, atLimit }: Pick<PaperOrderRequest, 'side' | 'price' | 'atLimit'>,
  bestPrice: Price,
  slippage: Ratio,
): Price {
  const slipped = takerPrice(side, bestPrice, slippage);
  if (atLimit !== true) return slipped;
  return side === 'buy' ? Math.max(bestPrice, Math.min(slipped, price)) : Math.min(bestPrice, Math.max(slipped, price));
}

/** Returns whether a price is beyond the limit of an IOC order. @see docs/paper.md#fills */
export function beyondLimit(
  type: PaperOrderRequest['order'],
  side: 'buy' | 'sell',
  limit: Price,
  price: Price,
): boolean {
  return type === 'limit_ioc' && (side === 'buy' ? price > limit : price < limit);
}

function makerFill(execution: Execution, market: Market, order: PaperOrder, quantity: Quantity): void {
  const { exchange, at, events } = execution;
  events.push(paperFill(execution, market, order, { price: order.price, quantity, liquidity: 'maker' }));
  if (order.rest === 0) end(exchange, order, 'filled', at, events);
}

function paperFill(
  { exchange, rules, at }: Execution,
  market: Market,
  order: PaperOrder,
  { price, quantity, liquidity }: Pick<OrderFill, 'price' | 'quantity' | 'liquidity'>,
): Extract<OrderEvent, { type: 'filled' }> {
  const { clientOrderId, side, filled } = order;
  const inBase = side === 'buy' && !rules.future;
  const rate = liquidity === 'maker' ? rules.makerFee : rules.takerFee;
  order.rest = exact(order.rest - quantity);
  order.filled = exact(filled + quantity);
  // The fee of the whole order is divided, because each part would round its fee up.
  const fee =
    feeOf(market, inBase, price, order.filled, rate) - (filled === 0 ? 0 : feeOf(market, inBase, price, filled, rate));
  return {
    type: 'filled',
    at,
    clientOrderId,
    id: `s${exchange.nextFill++}`,
    side,
    price,
    quantity,
    fee,
    feeAsset: inBase ? market.base : market.quote,
    liquidity,
  };
}

/**
 * Returns the fee of a simulated fill, rounded up: in asset units when it is paid in the asset, else in quote.
 *
 * @param inBase spot buys pay in the asset bought, everything else in quote
 * @see docs/fills.md#fees
 */
export function feeOf(market: Market, inBase: boolean, price: Price, quantity: Quantity, rate: Ratio): number {
  return mulDivUp(inBase ? quantity : notional(market, price, quantity), rate, SCALE);
}

function end(
  exchange: PaperExchange,
  order: PaperOrder,
  how: Extract<OrderEvent, { type: 'ended' }>['how'],
  at: number,
  events: OrderEvent[],
): void {
  exchange.orders.splice(exchange.orders.indexOf(order), 1);
  events.push({ type: 'ended', at, clientOrderId: order.clientOrderId, how });
}
