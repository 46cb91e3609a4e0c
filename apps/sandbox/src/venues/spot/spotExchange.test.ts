import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { notionalUnit, stepUnit } from '../../accounts/money.ts';
import { isMarketPriced, isUntriggered, remainingSteps } from '../../accounts/spot/spotOrders.ts';
import { PAIRS } from '../../market/pairs.ts';
import type { Trade } from '../../market/trade.ts';
import { OrderRejected, type OrderRequest } from './orderRequest.ts';
import { SpotExchange } from './spotExchange.ts';

const START = Date.UTC(2026, 2, 10, 12, 0, 30);
const MINUTE = 60_000;

function tape(seed: number, stepMs: number, minutes: number): { trades: [string, Trade][]; exchange: SpotExchange } {
  const exchange = SpotExchange.open({ seed: seed, pairs: PAIRS, now: START });
  const trades: [string, Trade][] = [];
  exchange.addListener((events) => {
    for (const event of events) {
      if (event.kind === 'trades')
        trades.push(...event.trades.map((t): [string, Trade] => [event.market.pair.symbol, t]));
    }
  });
  for (let time = START + stepMs; time <= START + minutes * MINUTE; time += stepMs) exchange.advance(time);
  return { trades, exchange };
}

describe('the simulated market', () => {
  test('the same seed and clock give the same tape at any polling interval', () => {
    const first = tape(42, 100, 10);
    const again = tape(42, 100, 10);
    const coarse = tape(42, 2500, 10);
    expect(first.trades.length).toBeGreaterThan(2000);
    expect(again.trades).toEqual(first.trades);
    const inOrder = (trades: [string, Trade][]) =>
      [...trades].sort(([a, x], [b, y]) => (a === b ? x.id - y.id : a < b ? -1 : 1));
    expect(inOrder(coarse.trades)).toEqual(inOrder(first.trades));
    expect(tape(43, 100, 1).trades[0]).not.toEqual(first.trades[0]);
  });

  test('history is contiguous, complete, and ends where trading begins', () => {
    const exchange = SpotExchange.open({ seed: 5, pairs: PAIRS, now: START });
    for (const market of exchange.markets) {
      const { candles, forming } = market;
      expect(candles.length).toBeGreaterThanOrEqual(30 * 1440);
      expect(candles.endMinute).toBe(Math.floor(START / MINUTE));
      expect(forming.open).toBe(candles.last()?.close);
      for (let i = 1; i < candles.length; i++) {
        const candle = candles.at(i);
        const before = candles.at(i - 1);
        const fine =
          candle.open === before.close &&
          candle.high >= Math.max(candle.open, candle.close) &&
          candle.low <= Math.min(candle.open, candle.close) &&
          candle.low >= 1 &&
          candle.volume > 0 &&
          candle.turnover >= candle.volume * candle.low &&
          candle.turnover <= candle.volume * candle.high &&
          candle.takerBuyVolume <= candle.volume &&
          Number.isSafeInteger(candle.turnover) &&
          candle.firstTradeId === before.firstTradeId + before.trades;
        if (!fine) expect(candle).toBe(`a whole minute after ${JSON.stringify(before)}`);
      }
    }
  });

  test('the history of ten pairs costs about half a second of one core', () => {
    const before = process.cpuUsage();
    SpotExchange.open({ seed: 6, pairs: PAIRS, now: START });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(1.5);
  });

  test('books are two-sided, prices move, and closed candles are the sum of their trades', () => {
    const exchange = SpotExchange.open({ seed: 9, pairs: PAIRS, now: START });
    const begin = new Map(exchange.markets.map((m) => [m.pair.symbol, m.candles.length]));
    const trades = new Map<string, Trade[]>(PAIRS.map(({ symbol }) => [symbol, []]));
    exchange.addListener((events) => {
      for (const event of events) {
        if (event.kind === 'trades') trades.get(event.market.pair.symbol)?.push(...event.trades);
      }
    });
    for (let time = START; time < START + 30 * MINUTE; time += 100) {
      exchange.advance(time);
      expectTwoSidedBooks(exchange);
    }
    for (const market of exchange.markets) {
      const list = trades.get(market.pair.symbol) ?? [];
      const closes = new Set<number>();
      for (let i = begin.get(market.pair.symbol) as number; i < market.candles.length; i++) {
        const candle = market.candles.at(i);
        const mine = list.filter((t) => Math.floor(t.time / MINUTE) === candle.minute);
        closes.add(candle.close);
        expect(candle).toEqual({
          ...sumOf(mine, market.candles.at(i - 1).close),
          minute: candle.minute,
          firstTradeId: mine[0]?.id ?? candle.firstTradeId,
        });
      }
      expect(closes.size).toBeGreaterThan(5);
    }
  });

  test('a pause of hours is filled without a gap, and the market continues', () => {
    const exchange = SpotExchange.open({ seed: 11, pairs: PAIRS, now: START });
    exchange.advance(START + 2 * MINUTE);
    exchange.advance(START + 500 * MINUTE);
    exchange.advance(START + 501 * MINUTE);
    for (const { candles, book } of exchange.markets) {
      expect(candles.endMinute).toBe(Math.floor(START / MINUTE) + 501);
      expect(book.bestBid).toBeLessThan(book.bestAsk);
    }
  });

  test('low liquidity gives thinner books and wider spreads, until it recovers', () => {
    const exchange = SpotExchange.open({ seed: 11, pairs: PAIRS.slice(0, 1), now: START });
    const [market] = exchange.markets;
    if (!market) throw new Error('no market');
    const price = market.lastTick / 100;
    const shape = (liquidity: number, from: number) => {
      for (let i = 0; i < 600; i++) market.updateQuotes(price, from + i * 500, liquidity);
      const depth = market.book.levels('buy', 1e6).reduce((sum, [, steps]) => sum + steps, 0);
      return { depth, spread: market.book.bestAsk - market.book.bestBid };
    };
    const usual = shape(1, START);
    const thin = shape(0.2, START + 300_000);
    const again = shape(1, START + 600_000);
    expect(usual.spread).toBe(1);
    expect(thin.spread).toBeGreaterThan(100);
    expect(again.spread).toBe(1);
    expect(thin.depth).toBeLessThan(usual.depth / 4);
    expect(again.depth).toBeGreaterThan(usual.depth / 2);
  });

  test('hours of market keep nothing in memory but their candles', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const exchange = SpotExchange.open({ seed: 13, pairs: PAIRS, now: START });
    const used = (hours: number) => {
      for (let time = START + (hours - 1) * 60 * MINUTE; time <= START + hours * 60 * MINUTE; time += 500) {
        exchange.advance(time);
        // Streams do the same.
        for (const { book } of exchange.markets) book.changed.clear();
      }
      collect();
      return process.memoryUsage().heapUsed / 2 ** 20;
    };
    used(1);
    const after = used(2);
    used(3);
    expect(used(4) - after).toBeLessThan(0.5);
  });

  test('a market keeps ninety days of candles', () => {
    const exchange = SpotExchange.open({ seed: 11, pairs: PAIRS.slice(0, 1), now: START });
    const [market] = exchange.markets;
    for (let day = 1; day <= 75; day++) exchange.advance(START + day * 1440 * MINUTE);
    expect(market?.candles.length).toBeGreaterThanOrEqual(90 * 1440);
    expect(market?.candles.length).toBeLessThanOrEqual(91 * 1440);
    expect(market?.candles.endMinute).toBe(START / MINUTE - 0.5 + 75 * 1440);
    expect(market?.candles.at(0).minute).toBe(market?.candles.firstMinute);
    const { candles, forming } = exchange.markets[0] as NonNullable<typeof market>;
    expect(candles.aggregate(forming.minute - 1440, forming.minute)?.close).toBe(forming.open);
  });

  test('an order that sweeps a whole side leaves a two-sided book', () => {
    const exchange = SpotExchange.open({ seed: 12, pairs: PAIRS, now: START });
    const { order } = exchange.place(
      'AVAXUSDT',
      {
        clientId: 'a',
        side: 'buy',
        type: 'MARKET',
        timeInForce: 'GTC',
        tick: 0,
        steps: 0,
        quoteOrdered: 99_000n * 10n ** 8n,
        selfTrade: 'EXPIRE_MAKER',
      },
      START + 10,
    );
    expect(order.status).toBe('FILLED');
    const book = exchange.market('AVAXUSDT')?.book;
    expect(book?.bestBid).toBeGreaterThan(0);
    expect(book?.bestAsk).toBeGreaterThan(0);
  });
});

describe('the demo account', () => {
  test('balances and locked funds add up to the last unit', () => {
    const operation = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('place' as const),
          symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT', 'DOGEUSDT', 'XRPUSDT'),
          side: fc.constantFrom('buy' as const, 'sell' as const),
          type: fc.constantFrom(
            'LIMIT' as const,
            'LIMIT' as const,
            'MARKET' as const,
            'LIMIT_MAKER' as const,
            'STOP_LOSS' as const,
            'STOP_LOSS_LIMIT' as const,
            'TAKE_PROFIT' as const,
            'TAKE_PROFIT_LIMIT' as const,
          ),
          timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const),
          away: fc.integer({ min: -30, max: 30 }),
          value: fc.integer({ min: 6, max: 20_000 }),
          byValue: fc.boolean(),
          stopAway: fc.integer({ min: 1, max: 20 }),
          selfTrade: fc.constantFrom(
            'NONE' as const,
            'EXPIRE_TAKER' as const,
            'EXPIRE_MAKER' as const,
            'EXPIRE_BOTH' as const,
            'DECREMENT' as const,
          ),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(50) }) },
      // The order of the account becomes the first in its queue and is then filled.
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('meet' as const),
          pick: fc.nat(50),
          selfTrade: fc.constantFrom('NONE' as const, 'EXPIRE_BOTH' as const, 'DECREMENT' as const),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('amend' as const),
          pick: fc.nat(50),
          part: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 5000 }) }),
      },
    );
    let filled = 0;
    const happened = { amended: 0, decremented: 0, triggered: 0, stopped: 0 };
    fc.assert(
      fc.property(
        fc.array(operation, { minLength: 80, maxLength: 160, size: 'max' }),
        fc.nat(1000),
        (operations, seed) => {
          const exchange = SpotExchange.open({ seed: seed, pairs: PAIRS.slice(0, 6), now: START });
          const deposits = new Map([...exchange.account.balances].map(([asset, { free }]) => [asset, free]));
          let now = START;
          operations.forEach((op, i) => {
            if (op.kind === 'wait') now += op.ms;
            if (operate(exchange, op, i, now)) happened.amended++;
          });
          const { expected, trades } = expectedTotals(exchange, deposits);
          filled += trades;
          for (const order of [...exchange.account.orders.values()].flat()) count(happened, order);
          const locked = lockedFunds(exchange);
          for (const [asset, balance] of exchange.account.balances) {
            expect(balance.locked).toBe(locked.get(asset) ?? 0n);
            expect(balance.free + balance.locked).toBe(expected.get(asset));
          }
        },
      ),
      { numRuns: 12 },
    );
    expect(filled).toBeGreaterThan(100);
    for (const [name, times] of Object.entries(happened))
      expect({ name, often: times > 0 }).toEqual({ name, often: true });
  });
});

function expectTwoSidedBooks({ markets }: SpotExchange): void {
  for (const { book } of markets) {
    if (book.bestBid === -1 || book.bestAsk === -1 || book.bestBid >= book.bestAsk) throw new Error('one-sided book');
  }
}

/** Returns the figures of a candle that consists of some trades. @param previous close of the candle before */
function sumOf(trades: readonly Trade[], previous: number) {
  const ticks = trades.map((t) => t.tick);
  const bought = trades.filter((t) => !t.buyerIsMaker);
  return {
    open: ticks[0] ?? previous,
    high: Math.max(...(trades.length ? ticks : [previous])),
    low: Math.min(...(trades.length ? ticks : [previous])),
    close: ticks.at(-1) ?? previous,
    trades: trades.length,
    volume: trades.reduce((sum, t) => sum + t.quantity, 0),
    turnover: trades.reduce((sum, t) => sum + t.quantity * t.tick, 0),
    takerBuyVolume: bought.reduce((sum, t) => sum + t.quantity, 0),
    takerBuyTurnover: bought.reduce((sum, t) => sum + t.quantity * t.tick, 0),
  };
}

/** Makes an open order the first in its queue, and returns a limit order that fills it; null without an open order. */
function counterOf(exchange: SpotExchange, pick: number) {
  const resting = exchange.account.openOrders().filter((open) => !isUntriggered(open));
  const order = resting[pick % resting.length];
  const market = order && exchange.market(order.symbol);
  if (!order || !market) return null;
  const { symbol, tick, steps } = order;
  const side = order.side === 'buy' ? 'sell' : 'buy';
  market.thinBook(side, tick, 3);
  return { symbol, side, tick, steps, quoteOrdered: 0n, type: 'LIMIT', timeInForce: 'GTC' } as const;
}

/** Reduces an open order. @returns false when none can be reduced */
function amend(exchange: SpotExchange, op: { pick: number; part: number }, clientId: string, now: number): boolean {
  const open = exchange.account.openOrders();
  const order = open[op.pick % open.length];
  const steps = order && Math.ceil(order.steps * op.part);
  if (!order || !steps || steps <= order.filled + order.prevented || steps === order.steps) return false;
  exchange.amend(order.symbol, () => order, steps, clientId, now);
  return true;
}

interface Placement extends Pick<OrderRequest, 'side' | 'type' | 'timeInForce' | 'selfTrade'> {
  readonly symbol: string;
  /** Distances from the last price, in 1/20,000 of it. */
  readonly away: number;
  readonly stopAway: number;
  /** Whole units of the quote currency. */
  readonly value: number;
  readonly byValue: boolean;
}

function requestOf(exchange: SpotExchange, op: Placement, clientId: string): OrderRequest {
  const market = exchange.market(op.symbol);
  if (!market) throw new Error(op.symbol);
  const away = (parts: number) => market.lastTick + Math.round((parts * market.lastTick) / 20_000);
  const isStop = op.type.startsWith('STOP') || op.type.startsWith('TAKE');
  const isAbove = op.type.startsWith('STOP') === (op.side === 'buy');
  const byValue = op.type === 'MARKET' && op.byValue;
  const units = BigInt(op.value) * 10n ** 8n;
  return {
    clientId,
    side: op.side,
    type: op.type,
    timeInForce: op.type.includes('LIMIT') && op.type !== 'LIMIT_MAKER' ? op.timeInForce : 'GTC',
    tick: isMarketPriced(op.type) ? 0 : away(op.away),
    ...(isStop && { stopTick: away(isAbove ? op.stopAway : -op.stopAway) }),
    steps: byValue ? 0 : Number(units / notionalUnit(market.pair) / BigInt(market.lastTick)) + 1,
    quoteOrdered: byValue ? units : 0n,
    selfTrade: op.selfTrade,
  };
}

function placeUnlessRejected(exchange: SpotExchange, symbol: string, request: OrderRequest, now: number): void {
  try {
    exchange.place(symbol, request, now);
  } catch (error) {
    if (!(error instanceof OrderRejected)) throw error;
  }
}

type Order = ReturnType<SpotExchange['account']['openOrders']>[number];

function count(happened: { decremented: number; triggered: number; stopped: number }, order: Order): void {
  if (order.prevented > 0) happened.decremented++;
  if (order.stopTick > 0 && !isUntriggered(order)) happened.triggered++;
  if (order.stopTick > 0 && order.filled > 0) happened.stopped++;
}

type Operation = ({ kind: 'place' } & Placement) | { kind: 'wait' } | { kind: 'cancel'; pick: number } | MeetOrAmend;
type MeetOrAmend =
  | { kind: 'meet'; pick: number; selfTrade: OrderRequest['selfTrade'] }
  | { kind: 'amend'; pick: number; part: number };

/** Performs the operation number `i` of a random run. @returns whether an order was amended */
function operate(exchange: SpotExchange, op: Operation, i: number, now: number): boolean {
  switch (op.kind) {
    case 'wait':
      exchange.advance(now);
      return false;
    case 'cancel': {
      const order = exchange.account.openOrders().at(op.pick);
      if (order) exchange.cancel(order.symbol, () => order, `c${i}`, now);
      return false;
    }
    case 'meet': {
      const counter = counterOf(exchange, op.pick);
      if (counter === null) return false;
      const { symbol, ...request } = counter;
      placeUnlessRejected(exchange, symbol, { ...request, clientId: `m${i}`, selfTrade: op.selfTrade }, now);
      return false;
    }
    case 'amend':
      return amend(exchange, op, `a${i}`, now);
    case 'place':
      placeUnlessRejected(exchange, op.symbol, requestOf(exchange, op, `o${i}`), now);
      return false;
  }
}

function add(to: Map<string, bigint>, asset: string, value: bigint): void {
  to.set(asset, (to.get(asset) ?? 0n) + value);
}

/** Returns the balances after the trades of the account, by asset, and the number of these trades. */
function expectedTotals({ account, markets }: SpotExchange, deposits: ReadonlyMap<string, bigint>) {
  const expected = new Map(deposits);
  let trades = 0;
  for (const { pair } of markets) {
    for (const trade of account.trades.get(pair.symbol) ?? []) {
      trades++;
      const direction = trade.side === 'buy' ? 1n : -1n;
      add(expected, pair.base, direction * BigInt(trade.steps) * stepUnit(pair));
      add(expected, pair.quote, -direction * BigInt(trade.steps) * BigInt(trade.tick) * notionalUnit(pair));
      add(expected, trade.commissionAsset, -trade.commission);
    }
  }
  return { expected, trades };
}

/** Returns the funds that open orders lock, by asset, and checks that the book contains these orders. */
function lockedFunds(exchange: SpotExchange): Map<string, bigint> {
  const locked = new Map<string, bigint>();
  for (const { pair, book } of exchange.markets) {
    for (const order of exchange.account.openOrders(pair.symbol)) {
      const left = BigInt(remainingSteps(order));
      expect(BigInt(book.remaining(order.id) ?? 0)).toBe(isUntriggered(order) ? 0n : left);
      if (order.side === 'buy' && isMarketPriced(order.type)) continue;
      if (order.side === 'buy') add(locked, pair.quote, left * BigInt(order.tick) * notionalUnit(pair));
      else add(locked, pair.base, left * stepUnit(pair));
    }
  }
  return locked;
}
