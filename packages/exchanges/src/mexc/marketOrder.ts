import type { OrderRequest } from '@heron/engine/live/orderRequest.ts';
import { ceilTick, floorTick, type Market } from '@heron/engine/market/market.ts';
import { mulDiv, toUnits } from '@heron/engine/money/units.ts';
import { ExchangeRefused, ExchangeUnreachable } from '../errors.ts';
import type { Row } from '../http/row.ts';
import { codeOf } from '../http/venueError.ts';

const NAME = 'mexc';
/** Limit of an order that replaces a market order, in percent beyond the best price: MEXC rejects prices far from the market. */
const REACH_PERCENT = 5;
/** Market orders are switched off for the pair, for the API, or as a type. */
const SWITCHED_OFF: ReadonlySet<number | null> = new Set([30_018, 30_019, 30_041]);

/** Whether an order must be sent as a limit order: a market buy on MEXC names the quote amount to spend, not a quantity. */
export function needsLimit({ type, side }: OrderRequest): boolean {
  return type === 'market' && side === 'buy';
}

/** Whether a market order was rejected because the pair accepts none. It was not placed. */
export function marketOrdersAreOff(error: unknown, { type }: OrderRequest): boolean {
  return type === 'market' && error instanceof ExchangeRefused && SWITCHED_OFF.has(codeOf(error.message));
}

/**
 * Returns an IOC limit order in place of a market order, with a limit 5 % beyond the best price.
 *
 * @param best a row of `ticker/bookTicker`
 * @throws ExchangeUnreachable when the book is empty on that side
 */
export function asMarketableLimit(request: OrderRequest, market: Market, best: Row): OrderRequest {
  const isBuy = request.side === 'buy';
  const price = Number(isBuy ? best.askPrice : best.bidPrice);
  if (!(price > 0)) throw new ExchangeUnreachable(NAME, `there is no price to ${request.side} ${request.pair} at`);
  const limit = mulDiv(toUnits(price), isBuy ? 100 + REACH_PERCENT : 100 - REACH_PERCENT, 100);
  return { ...request, type: 'limit_ioc', price: isBuy ? floorTick(market, limit) : ceilTick(market, limit) };
}
