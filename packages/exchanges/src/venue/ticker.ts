import type { Market } from '@heron/engine/market/market.ts';
import { type Price, toUnits } from '@heron/engine/money/units.ts';
import type { Ticker } from '../exchange.ts';
import type { Row } from '../http/row.ts';
import { sizeOf } from './displayedSize.ts';

/**
 * Reads a row of 24-hour figures with best prices: `{"symbol":"BTCUSDT","lastPrice":"1","bidPrice":"1","bidQty":"2",
 * "askPrice":"1","askQty":"2","priceChangePercent":"1.5","quoteVolume":"1"}`.
 */
export function tickerOf(row: Row, market: Market): Ticker {
  return {
    pair: market.pair,
    last: priceIn(row.lastPrice),
    bid: priceIn(row.bidPrice),
    bidSize: sizeIn(row.bidQty, market),
    ask: priceIn(row.askPrice),
    askSize: sizeIn(row.askQty, market),
    change24h: numberIn(row.priceChangePercent),
    volume24h: numberIn(row.quoteVolume),
  };
}

/** Returns the number in a field; null when it has none. */
export function numberIn(value: unknown): number | null {
  if (value === undefined || value === null || value === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function priceIn(value: unknown): Price | null {
  const price = numberIn(value);
  return price !== null && price > 0 ? toUnits(price) : null;
}

function sizeIn(value: unknown, market: Market) {
  const size = numberIn(value);
  return size === null ? null : sizeOf(size, market);
}
