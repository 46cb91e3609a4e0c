import { type Market, notional } from '../market/market.ts';
import { exact, mulDivUp, type Price, type Quantity, type Ratio, SCALE, shiftPriceBy } from '../money/units.ts';
import type { OrderEvent, PairQuote } from '../state/botEvents.ts';
import type { LiveOrder } from '../state/parentOrder.ts';
import { type AverageSizes, fillThroughBook, type KnownDepth, updateAverageSizes } from './fillThroughBook.ts';

/** Time an order or a cancel takes to arrive; fills in that window count. @see docs/paper.md#fills */
const LATENCY_MS = 100;

/** A trade feed that has been silent for longer does not tell what would have filled. */
const TRADE_FEED_MS = 10_000;

/** Unknown queue position. */
const UNKNOWN = -1;

/** An order as it travels to an exchange. */
export interface PaperOrderRequest {
  clientOrderId: string;
  pair: string;
  side: 'buy' | 'sell';
  /** Never a stop: nothing has to survive a simulated exchange. */
  order: LiveOrder['type'];
  /** 0 for market orders. */
  price: Price;
  quantity: Quantity;
}

interface PaperOrder extends Omit<PaperOrderRequest, 'quantity'> {
  rest: Quantity;
  filled: Quantity;
  /** When it reaches the book; 0 once it has. */
  arrivesAt: number;
  /** When its cancel reaches the book; 0 for none. */
  cancelAt: number;
  /** Size before it at its price; -1 when unknown. */
  ahead: number;
}

interface PaperMarket {
  market: Market;
  quote: PairQuote | null;
  /** Newest public trade: while trades are known, quotes alone do not fill. */
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

/** What of the bot's options the simulation needs. */
export interface PaperRules {
  /** Fees are taken in the quote currency; on spot a buy pays in the asset bought. */
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

/** Takes an order on its way. */
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

/** Takes a cancel on its way. */
export function sendCancel(exchange: PaperExchange, clientOrderId: string, at: number): void {
  const order = exchange.orders.find((candidate) => candidate.clientOrderId === clientOrderId);
  if (order && order.cancelAt === 0) order.cancelAt = at + LATENCY_MS;
}

/**
 * The exchange takes every order of a pair off the book, as before a liquidation; nobody is told.
 *
 * @see docs/margin.md#liquidation
 */
export function dropOrders(exchange: PaperExchange, pair: string): void {
  exchange.orders = exchange.orders.filter((order) => order.pair !== pair);
}

/** When something arrives next; 0 for never. */
export function nextArrival(exchange: PaperExchange): number {
  let next = 0;
  for (const { arrivesAt, cancelAt } of exchange.orders) {
    for (const at of [arrivesAt, cancelAt]) if (at > 0 && (next === 0 || at < next)) next = at;
  }
  return next;
}

/** Lets everything arrive that is due at `at`, which must not be later than the earliest arrival. */
export function arrive(exchange: PaperExchange, rules: PaperRules, at: number): OrderEvent[] {
  const events: OrderEvent[] = [];
  for (const order of [...exchange.orders]) {
    if (order.arrivesAt > 0 && order.arrivesAt <= at) {
      order.arrivesAt = 0;
      enterBook(exchange, rules, order, at, events);
    }
    if (order.cancelAt > 0 && order.cancelAt <= at && exchange.orders.includes(order)) {
      end(exchange, order, 'canceled', at, events);
    }
  }
  return events;
}

/**
 * A new quote: takers that waited for one are filled from it, and without a trade feed also the resting orders that the other side
 * has reached. @see docs/paper.md#fills
 */
export function paperQuote(exchange: PaperExchange, rules: PaperRules, pair: string, quote: PairQuote): OrderEvent[] {
  const events: OrderEvent[] = [];
  const known = exchange.markets[pair];
  if (!known) return events;
  known.quote = quote;
  updateAverageSizes(known.averageSizes, quote);
  for (const order of isInBook(exchange, pair)) {
    if (order.order !== 'limit_maker') fillFromBook(exchange, rules, order, quote.at, events);
  }
  if (quote.at - known.tradedAt <= TRADE_FEED_MS) return events;
  for (const order of resting(exchange, pair)) {
    const reached =
      order.side === 'buy' ? quote.ask > 0 && quote.ask <= order.price : quote.bid > 0 && quote.bid >= order.price;
    if (reached) makerFill(exchange, rules, known.market, order, order.rest, quote.at, events);
  }
  return events;
}

/**
 * A public trade: beyond the price it fills all, at the price what is left after the queue.
 *
 * @see docs/paper.md#fills
 */
export function paperTrade(
  exchange: PaperExchange,
  rules: PaperRules,
  pair: string,
  price: Price,
  quantity: Quantity,
  at: number,
): OrderEvent[] {
  const events: OrderEvent[] = [];
  const known = exchange.markets[pair];
  if (!known) return events;
  known.tradedAt = at;
  for (const order of resting(exchange, pair)) {
    if (order.side === 'buy' ? price < order.price : price > order.price) {
      makerFill(exchange, rules, known.market, order, order.rest, at, events);
    } else if (price === order.price && order.ahead !== UNKNOWN) {
      const through = quantity - order.ahead;
      order.ahead = Math.max(0, order.ahead - quantity);
      if (through > 0) makerFill(exchange, rules, known.market, order, Math.min(order.rest, through), at, events);
    }
  }
  return events;
}

function resting(exchange: PaperExchange, pair: string): PaperOrder[] {
  return isInBook(exchange, pair).filter(({ order }) => order === 'limit_maker');
}

/** Orders that have arrived, also takers that wait for a quote. */
function isInBook(exchange: PaperExchange, pair: string): PaperOrder[] {
  return exchange.orders.filter((order) => order.pair === pair && order.arrivesAt === 0);
}

function enterBook(
  exchange: PaperExchange,
  rules: PaperRules,
  order: PaperOrder,
  at: number,
  events: OrderEvent[],
): void {
  const known = exchange.markets[order.pair];
  const quote = known?.quote ?? null;
  if (order.order !== 'limit_maker') {
    events.push({ type: 'opened', at, clientOrderId: order.clientOrderId });
    // A pair that is followed anew has no quote yet: the first one shows what the order meets.
    if (known === undefined || known.quote !== null) fillFromBook(exchange, rules, order, at, events);
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

/** Fills a taker as far as the book and its limit allow, and ends it. */
function fillFromBook(
  exchange: PaperExchange,
  rules: PaperRules,
  order: PaperOrder,
  at: number,
  events: OrderEvent[],
): void {
  const known = exchange.markets[order.pair];
  if (known) takerFill(exchange, rules, known, order, at, events);
  end(exchange, order, order.rest === 0 ? 'filled' : 'expired', at, events);
}

/** Size displayed before an order that joins its side of the book. @see docs/paper.md#fills */
function queueAhead(order: PaperOrder, quote: PairQuote | null): number {
  if (quote === null) return UNKNOWN;
  const [best, size] = order.side === 'buy' ? [quote.bid, quote.bidSize] : [quote.ask, quote.askSize];
  if (best === 0) return UNKNOWN;
  if (order.price === best) return size > 0 ? size : UNKNOWN;
  const improves = order.side === 'buy' ? order.price > best : order.price < best;
  return improves ? 0 : UNKNOWN;
}

function takerFill(
  exchange: PaperExchange,
  rules: PaperRules,
  { market, quote, averageSizes }: PaperMarket,
  order: PaperOrder,
  at: number,
  events: OrderEvent[],
): void {
  if (quote === null || at - quote.at > Math.max(10_000, 2 * rules.scanMs)) return;
  const depth = depthFor(order.side, quote, averageSizes);
  const slipped = takerPrice(order.side, depth.bestPrice, rules.slippage);
  if (depth.bestPrice <= 0 || beyondLimit(order.order, order.side, order.price, slipped)) return;
  const limit = order.order === 'limit_ioc' ? order.price : 0;
  const { quantity, price } = fillThroughBook(market, order.side, depth, limit, order.rest);
  // The one that is worse: sizes say nothing of what the market does in the time that an order takes.
  const paid = order.side === 'buy' ? Math.max(price, slipped) : Math.min(price, slipped);
  if (quantity > 0) events.push(paperFill(exchange, rules, market, order, paid, quantity, 'taker', at));
}

/** The side of the book that an order takes from. A last price without a book has no known size. */
function depthFor(side: 'buy' | 'sell', quote: PairQuote, averages: AverageSizes): KnownDepth {
  if (side === 'buy' && quote.ask > 0) return { bestPrice: quote.ask, size: quote.askSize, averageSize: averages.ask };
  if (side === 'sell' && quote.bid > 0) return { bestPrice: quote.bid, size: quote.bidSize, averageSize: averages.bid };
  return { bestPrice: quote.last, size: 0, averageSize: 0 };
}

/** Price of a simulated taker: the best price made worse by the average slippage. @see docs/fills.md#takers */
export function takerPrice(side: 'buy' | 'sell', bestPrice: Price, slippage: Ratio): Price {
  return side === 'buy' ? shiftPriceBy(bestPrice, slippage, 'up') : shiftPriceBy(bestPrice, -slippage, 'down');
}

/** IOC limits are respected. @see docs/paper.md#fills */
export function beyondLimit(
  type: PaperOrderRequest['order'],
  side: 'buy' | 'sell',
  limit: Price,
  price: Price,
): boolean {
  return type === 'limit_ioc' && (side === 'buy' ? price > limit : price < limit);
}

function makerFill(
  exchange: PaperExchange,
  rules: PaperRules,
  market: Market,
  order: PaperOrder,
  quantity: Quantity,
  at: number,
  events: OrderEvent[],
): void {
  events.push(paperFill(exchange, rules, market, order, order.price, quantity, 'maker', at));
  if (order.rest === 0) end(exchange, order, 'filled', at, events);
}

function paperFill(
  exchange: PaperExchange,
  rules: PaperRules,
  market: Market,
  order: PaperOrder,
  price: Price,
  quantity: Quantity,
  liquidity: 'maker' | 'taker',
  at: number,
): Extract<OrderEvent, { type: 'filled' }> {
  const { clientOrderId, side, filled } = order;
  const inBase = side === 'buy' && !rules.future;
  const rate = liquidity === 'maker' ? rules.makerFee : rules.takerFee;
  order.rest = exact(order.rest - quantity);
  order.filled = exact(filled + quantity);
  // Parts of an order cost as much as the whole: each would round its fee up.
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
 * Fee of a simulated fill, rounded up: in asset units when it is taken in the asset bought, else in quote.
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
