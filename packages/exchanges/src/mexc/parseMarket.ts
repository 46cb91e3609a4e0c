import type { Market } from '@heron/engine/market/market.ts';
import type { Period } from '@heron/engine/market/period.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import type { Channel, StreamEvent } from '../exchange.ts';
import { sizeOf } from '../venue/displayedSize.ts';

/** MEXC's names for candle lengths in streams. */
export const STREAM_PERIODS: ReadonlyMap<string, Period> = new Map([
  ['Min1', '1m'],
  ['Min5', '5m'],
  ['Min15', '15m'],
  ['Min30', '30m'],
  ['Min60', '1h'],
  ['Hour4', '4h'],
  ['Day1', '1d'],
]);

const INTERVALS: ReadonlyMap<Period, string> = new Map(
  [...STREAM_PERIODS].map(([interval, period]) => [period, interval]),
);

/** Returns MEXC's name of a channel. @param id MEXC's name of its pair */
export function channelName(channel: Channel, id: string): string {
  switch (channel.kind) {
    case 'quotes':
      return `spot@public.aggre.bookTicker.v3.api.pb@100ms@${id}`;
    case 'trades':
      return `spot@public.aggre.deals.v3.api.pb@100ms@${id}`;
    case 'candles':
      return `spot@public.kline.v3.api.pb@${id}@${INTERVALS.get(channel.period)}`;
  }
}

/** A decoded push. Integers of 64 bits are texts. */
export interface MexcFrame {
  readonly channel?: string;
  readonly symbol?: string;
  readonly sendTime?: string;
  readonly createTime?: string;
  readonly publicAggreBookTicker?: Fields;
  readonly publicAggreDeals?: { readonly deals?: readonly Fields[] };
  readonly publicSpotKline?: Fields;
}

type Fields = { readonly [name: string]: unknown };

/** `{"symbol":"BTCUSDT","publicAggreBookTicker":{"bidPrice":"1","bidQuantity":"2","askPrice":"3","askQuantity":"4"}}` */
export function quoteOf({ publicAggreBookTicker: best }: MexcFrame, market: Market): StreamEvent | null {
  const bid = Number(best?.bidPrice);
  const ask = Number(best?.askPrice);
  if (!(bid > 0) || !(ask > 0)) return null;
  return {
    type: 'quote',
    pair: market.pair,
    bid: toUnits(bid),
    bidSize: sizeOf(Number(best?.bidQuantity), market),
    ask: toUnits(ask),
    askSize: sizeOf(Number(best?.askQuantity), market),
  };
}

/** `{"symbol":"BTCUSDT","publicAggreDeals":{"deals":[{"price":"1","quantity":"2","tradeType":1,"time":"3"}]}}` */
export function tradesOf({ publicAggreDeals }: MexcFrame, market: Market): StreamEvent[] {
  return (publicAggreDeals?.deals ?? []).flatMap((deal) => {
    const price = Number(deal.price);
    const quantity = Number(deal.quantity);
    if (!(price > 0) || !(quantity > 0)) return [];
    return [{ type: 'trade', pair: market.pair, price: toUnits(price), quantity: sizeOf(quantity, market) } as const];
  });
}

/**
 * `{"symbol":"BTCUSDT","createTime":"1754737941062","publicSpotKline":{"interval":"Min1","windowStart":"1754737920",
 * "windowEnd":"1754737980","openingPrice":"1","closingPrice":"1","highestPrice":"1","lowestPrice":"1","volume":"1"}}`
 *
 * MEXC does not mark closed candles: a candle is closed when it was written after its end.
 */
export function candleOf({ publicSpotKline: kline, createTime }: MexcFrame, market: Market): StreamEvent | null {
  const period = STREAM_PERIODS.get(String(kline?.interval));
  const candle = {
    time: Number(kline?.windowStart) * 1_000,
    open: Number(kline?.openingPrice),
    high: Number(kline?.highestPrice),
    low: Number(kline?.lowestPrice),
    close: Number(kline?.closingPrice),
    volume: Number(kline?.volume),
  };
  if (period === undefined || !Object.values(candle).every(Number.isFinite)) return null;
  const closed = Number(createTime) >= Number(kline?.windowEnd) * 1_000;
  return { type: 'candle', pair: market.pair, period, closed, candle };
}
