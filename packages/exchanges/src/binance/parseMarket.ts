import type { Market } from '@heron/engine/market/market.ts';
import { isPeriod } from '@heron/engine/market/period.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import type { Channel, StreamEvent } from '../exchange.ts';
import { sizeOf } from '../venue/displayedSize.ts';

/** `{"e":"serverShutdown","E":1770123456789}`: the server is shutting down; clients connect again. */
export function isShutdown(frame: unknown): boolean {
  return typeof frame === 'object' && frame !== null && (frame as { e?: unknown }).e === 'serverShutdown';
}

/** `{"u":1,"s":"BTCUSDT","b":"28621.74","B":"1.43","a":"28621.75","A":"2.5"}` */
export function quoteOf(frame: unknown, marketById: (id: string) => Market | undefined): StreamEvent | null {
  const { s, b, B, a, A } = frame as Record<string, unknown>;
  const market = marketById(String(s));
  const bid = Number(b);
  const ask = Number(a);
  if (!market || !(bid >= 0) || !(ask >= 0)) return null;
  return {
    type: 'quote',
    pair: market.pair,
    bid: toUnits(bid),
    bidSize: sizeOf(Number(B), market),
    ask: toUnits(ask),
    askSize: sizeOf(Number(A), market),
  };
}

/** `{"e":"trade","s":"BTCUSDT","t":1019,"p":"50000.0","q":"0.01","T":1795189650920,"m":true}` */
export function tradeOf(
  frame: unknown,
  marketById: (id: string) => Market | undefined,
): { id: number; event: Extract<StreamEvent, { type: 'trade' }> } | null {
  const { s, t, p, q } = frame as Record<string, unknown>;
  const market = marketById(String(s));
  const id = Number(t);
  const price = Number(p);
  const quantity = Number(q);
  if (!market || !(price > 0) || !(quantity > 0) || !Number.isFinite(id)) return null;
  return {
    id,
    event: { type: 'trade', pair: market.pair, price: toUnits(price), quantity: sizeOf(quantity, market) },
  };
}

/** `{"e":"kline","s":"BTCUSDT","k":{"t":0,"i":"1m","o":"1","c":"1","h":"1","l":"1","v":"1","x":false}}` */
export function candleOf(frame: unknown, marketById: (id: string) => Market | undefined): StreamEvent | null {
  const { k } = frame as { k?: Record<string, unknown> };
  if (!k) return null;
  const market = marketById(String(k.s));
  const candle = {
    time: Number(k.t),
    open: Number(k.o),
    high: Number(k.h),
    low: Number(k.l),
    close: Number(k.c),
    volume: Number(k.v),
  };
  if (!market || !isPeriod(k.i) || !Object.values(candle).every(Number.isFinite)) return null;
  return { type: 'candle', pair: market.pair, period: k.i, closed: k.x === true, candle };
}

/** Returns Binance's name of a stream: `btcusdt@kline_1m`. */
export function streamName(channel: Channel, id: string): string {
  const symbol = id.toLowerCase();
  switch (channel.kind) {
    case 'quotes':
      return `${symbol}@bookTicker`;
    case 'trades':
      return `${symbol}@trade`;
    case 'candles':
      return `${symbol}@kline_${channel.period}`;
  }
}
