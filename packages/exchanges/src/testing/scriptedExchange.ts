import { type Market, marketOf } from '@heron/engine/market/market.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import type { Suspension } from '@heron/engine/state/suspension.ts';
import { ExchangeUnreachable } from '../errors.ts';
import type { Channel, PublicExchange, StreamEvent, Ticker } from '../exchange.ts';

/** A venue whose candles, clock and streams the test holds in its hands. */
export interface ScriptedExchange extends PublicExchange {
  /** Open times for which the venue has no candle. */
  readonly holes: Set<number>;
  down: boolean;
  readonly watched: Map<string, Channel>;
  readonly requests: { pair: string; period: Period; from: number; to: number }[];
  connections: number;
  /** Value traded in 24 hours in its tickers. */
  volume24h: number | null;
  /** Pairs in which it takes no new order. */
  readonly suspensions: Map<string, Suspension>;
  emit(event: StreamEvent): void;
}

export const MARKET: Market = marketOf({
  pair: 'BTC-USDT',
  tickSize: 0.01,
  stepSize: 0.00001,
  minQuantity: 0.00001,
  maxQuantity: 9_000,
  minNotional: 5,
});

/** Returns the candle of the scripted venue at a time; its figures depend on the time. */
export function candleAt(time: number): ClosedCandle {
  const base = 1_000 + ((time / 60_000) % 1_000);
  return { time, open: base, high: base + 3, low: base - 2, close: base + 1, volume: 10 };
}

/** @param now the venue's clock */
export function scriptedExchange(now: () => number): ScriptedExchange {
  let listener: (event: StreamEvent) => void = () => {};
  const key = (channel: Channel) => JSON.stringify(channel);
  const self: ScriptedExchange = {
    name: 'scripted',
    periods: new Set<Period>(['1m', '5m', '1h']),
    holes: new Set(),
    down: false,
    watched: new Map(),
    requests: [],
    connections: 0,
    volume24h: 1e6,
    suspensions: new Map(),
    emit: (event) => listener(event),
    time: now,
    async markets() {
      return [MARKET];
    },
    async suspended(pairs) {
      if (self.down) throw new ExchangeUnreachable('scripted', 'no answer');
      return new Map([...self.suspensions].filter(([pair]) => pairs.includes(pair)));
    },
    async tickers(pairs): Promise<Ticker[]> {
      if (self.down) throw new ExchangeUnreachable('scripted', 'no answer');
      const listed = (await self.markets()).map(({ pair }) => pair);
      return listed
        .filter((pair) => pairs?.includes(pair) ?? true)
        .map((pair) => ({
          pair,
          last: toUnits(1_001),
          bid: toUnits(1_000),
          bidSize: 5,
          ask: toUnits(1_002),
          askSize: 6,
          change24h: 1.5,
          volume24h: self.volume24h,
        }));
    },
    async candles(pair, period, from, to) {
      if (self.down) throw new ExchangeUnreachable('scripted', 'no answer');
      self.requests.push({ pair, period, from, to });
      const length = PERIODS[period];
      const found: ClosedCandle[] = [];
      for (let time = Math.ceil(from / length) * length; time < to; time += length) {
        if (time + length + 1_000 <= now() && !self.holes.has(time)) found.push(candleAt(time));
      }
      return found;
    },
    stream(given) {
      listener = given;
      return {
        watch(channels) {
          for (const channel of channels) self.watched.set(key(channel), channel);
        },
        unwatch(channels) {
          for (const channel of channels) self.watched.delete(key(channel));
        },
        reconnect() {
          self.connections += 1;
        },
        async close() {},
      };
    },
    async close() {},
  };
  return self;
}
