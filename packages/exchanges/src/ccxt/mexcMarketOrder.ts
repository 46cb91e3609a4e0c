import type { OrderTicket } from '@heron/engine/live/orderTicket.ts';
import { ceilTick, floorTick, type Market } from '@heron/engine/market/market.ts';
import { mulDiv, toUnits } from '@heron/engine/money/units.ts';
import { ExchangeRefused, ExchangeUnreachable } from '../errors.ts';
import type { Row } from './binanceAccount.ts';

const NAME = 'mexc';
/** How far an order that stands for one at market reaches into the book, in percent: MEXC refuses prices far from the market. */
const REACH = 5;
/** Market orders are switched off for the pair, for the API, or as a type. */
const SWITCHED_OFF = /"code":\s*(?:30018|30019|30041)\b/;

/** MEXC documents a quantity of the asset for sales at market only: a purchase names the money that it spends. */
export function needsLimit({ type, side }: OrderTicket): boolean {
  return type === 'market' && side === 'buy';
}

/** Whether an order at market was refused because the pair takes none. It was not placed. */
export function marketOrdersAreOff(error: unknown, { type }: OrderTicket): boolean {
  return type === 'market' && error instanceof ExchangeRefused && SWITCHED_OFF.test(error.message);
}

/**
 * An order at market as one that is filled at once or not at all, up to 5 % beyond the best price.
 *
 * @param best a row of `ticker/bookTicker`
 * @throws ExchangeUnreachable when the book is empty on that side
 */
export function acrossTheBook(ticket: OrderTicket, market: Market, best: Row): OrderTicket {
  const isBuy = ticket.side === 'buy';
  const price = Number(isBuy ? best.askPrice : best.bidPrice);
  if (!(price > 0)) throw new ExchangeUnreachable(NAME, `there is no price to ${ticket.side} ${ticket.pair} at`);
  const limit = mulDiv(toUnits(price), isBuy ? 100 + REACH : 100 - REACH, 100);
  return { ...ticket, type: 'limit_ioc', price: isBuy ? floorTick(market, limit) : ceilTick(market, limit) };
}
