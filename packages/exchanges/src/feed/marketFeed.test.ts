import { toUnits } from '@heron/engine/money/units.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ExchangeUnreachable } from '../errors.ts';
import { candleAt, MARKET, type ScriptedExchange, scriptedExchange } from '../testing/scriptedExchange.ts';
import type { FeedEvent, MarketFeed } from './feedTypes.ts';
import { openMarketFeed } from './marketFeed.ts';

const MINUTE = 60_000;
const START = 1_700_000_040_000 - (1_700_000_040_000 % (10 * MINUTE)) + 5 * MINUTE + 30_000;

let now = START;
let exchange: ScriptedExchange;
let feed: MarketFeed;
let events: FeedEvent[];

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  now = START;
  exchange = scriptedExchange(() => now);
  feed = openMarketFeed(exchange, () => now);
  events = [];
});

afterEach(async () => {
  await feed.close();
  vi.useRealTimers();
});

const listen = (event: FeedEvent) => events.push(event);
const closedTimes = () => events.filter((event) => event.type === 'candle').map(({ candle }) => candle.time);
const minute = (n: number) => Math.floor(START / MINUTE) * MINUTE + n * MINUTE;

async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 500) {
    now += 500;
    await vi.advanceTimersByTimeAsync(500);
  }
}

function close(time: number): void {
  exchange.emit({ type: 'candle', pair: MARKET.pair, period: '1m', closed: true, candle: candleAt(time) });
}

test('history ends where the live candles begin', async () => {
  const { history } = await feed.subscribe(MARKET.pair, '1m', 5, listen);
  expect(history.map(({ time }) => time)).toEqual([-5, -4, -3, -2, -1].map(minute));
  await pass(30_000);
  close(minute(0));
  close(minute(0));
  expect(closedTimes()).toEqual([minute(0)]);
});

test('simultaneous followers of a pair share one request for quote and history', async () => {
  const tickers = vi.spyOn(exchange, 'tickers');
  const all = Array.from({ length: 50 }, () => feed.subscribe(MARKET.pair, '1m', 5, listen));
  const quotes = (await Promise.all(all)).map(({ quote }) => quote?.bid);
  expect(new Set(quotes)).toEqual(new Set([toUnits(1_000)]));
  expect(tickers).toHaveBeenCalledTimes(1);
  expect(exchange.requests).toHaveLength(1);
});

test('a candle that the stream skipped is fetched and emitted in order', async () => {
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  await pass(150_500);
  events = [];
  await pass(60_000);
  close(minute(3));
  exchange.down = true;
  await pass(120_000);
  exchange.down = false;
  close(minute(5));
  await pass(1_000);
  expect(closedTimes()).toEqual([2, 3, 4, 5].map(minute));
});

test('a candle whose close never arrives is requested within four seconds', async () => {
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  await pass(34_500);
  expect(closedTimes()).toEqual([minute(0)]);
});

test('a pair without any history gets its first candles', async () => {
  for (let n = -30; n < 2; n += 1) exchange.holes.add(minute(n));
  const { history } = await feed.subscribe(MARKET.pair, '1m', 5, listen);
  expect(history).toEqual([]);
  await pass(31_000 + 2 * MINUTE);
  close(minute(2));
  await pass(1_000);
  expect(closedTimes()).toEqual([minute(2)]);
  // The push of the next one never comes.
  await pass(2 * MINUTE);
  expect(closedTimes()).toEqual([2, 3].map(minute));
});

/** Holds the next read of candles. @returns a function that releases it */
function holdNextRead(): () => void {
  const released = Promise.withResolvers<void>();
  const read = exchange.candles;
  vi.spyOn(exchange, 'candles').mockImplementationOnce(async (...request) => {
    await released.promise;
    return read(...request);
  });
  return released.resolve;
}

test('a second follower of a pair without any history does not hide its first candle', async () => {
  for (let n = -30; n < 0; n += 1) exchange.holes.add(minute(n));
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  await pass(32_000);
  await feed.subscribe(MARKET.pair, '1m', 5, () => {});
  expect(closedTimes()).toEqual([minute(0)]);
});

test.each([
  ['lists', 1_000],
  ['does not list', 500],
])('a first candle is reported once although it is pushed during a read that %s it', async (_, readMs) => {
  for (let n = -30; n < 0; n += 1) exchange.holes.add(minute(n));
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  await pass(30_000);
  const release = holdNextRead();
  const other = feed.subscribe(MARKET.pair, '1m', 5, () => {});
  await pass(readMs);
  close(minute(0));
  release();
  expect((await other).history).toEqual([candleAt(minute(0))]);
  await pass(10_000);
  expect(closedTimes()).toEqual([minute(0)]);
});

test('a second follower of a silent pair gets a new quote, and so does the first', async () => {
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  await pass(5_000);
  events = [];
  const at = now;
  const { quote } = await feed.subscribe(MARKET.pair, '1m', 5, () => {});
  expect(quote?.at).toBe(at);
  expect(events.filter(({ type }) => type === 'quote')).toHaveLength(1);
});

test('a second follower of a silent pair gets the old quote while the venue does not answer', async () => {
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  const at = now;
  await pass(5_000);
  vi.spyOn(exchange, 'tickers').mockRejectedValueOnce(new ExchangeUnreachable('scripted', 'no answer'));
  expect((await feed.subscribe(MARKET.pair, '1m', 5, () => {})).quote?.at).toBe(at);
});

test('a gap at the venue itself does not stop the series', async () => {
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  exchange.holes.add(minute(0));
  await pass(31_000 + MINUTE);
  close(minute(1));
  await pass(1_000);
  expect(closedTimes()).toEqual([minute(1)]);
});

test('a missed candle is fetched although a later one arrives while an older history is read', async () => {
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  await pass(20_000);
  const release = holdNextRead();
  const other = feed.subscribe(MARKET.pair, '1m', 20, () => {});
  // The push of the candle before never came.
  await pass(71_000);
  close(minute(1));
  release();
  await other;
  await pass(1_000);
  expect(closedTimes()).toEqual([0, 1].map(minute));
});

test('after a lost connection the candles in between are fetched', async () => {
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  exchange.down = true;
  const { ExchangeUnreachable } = await import('../errors.ts');
  exchange.emit({ type: 'lost', error: new ExchangeUnreachable('scripted', 'gone') });
  expect(feed.problem()?.kind).toBe('unreachable');
  await pass(200_000);
  expect(closedTimes()).toEqual([]);
  exchange.down = false;
  exchange.emit({ type: 'connected' });
  await pass(500);
  expect(closedTimes()).toEqual([0, 1, 2].map(minute));
});

test('two bots on one pair share one subscription, and the last unsubscribe ends it', async () => {
  const first = await feed.subscribe(MARKET.pair, '1m', 5, listen);
  const second = await feed.subscribe(MARKET.pair, '1m', 3, listen);
  expect([...exchange.watched.values()].map(({ kind }) => kind).sort()).toEqual(['candles', 'quotes', 'trades']);
  expect(exchange.requests.length).toBe(1);
  expect(second.history.length).toBe(3);
  first.close();
  expect(exchange.watched.size).toBe(3);
  second.close();
  expect(exchange.watched.size).toBe(0);
});

test('two minute candles are built from closed one minute candles', async () => {
  const { history } = await feed.subscribe(MARKET.pair, '2m', 3, listen);
  expect(history.length).toBe(3);
  for (const candle of history) {
    const [a, b] = [candleAt(candle.time), candleAt(candle.time + MINUTE)];
    expect(candle.time % (2 * MINUTE)).toBe(0);
    expect(candle).toEqual({
      time: a.time,
      open: a.open,
      high: Math.max(a.high, b.high),
      low: Math.min(a.low, b.low),
      close: b.close,
      volume: 20,
    });
  }
  events = [];
  await pass(30_000);
  close(minute(0));
  await pass(60_000);
  close(minute(1));
  await pass(60_000);
  close(minute(2));
  const times = closedTimes();
  expect(times.length).toBeGreaterThan(0);
  expect(times[0]).toBe((history.at(-1)?.time ?? 0) + 2 * MINUTE);
});

test('a pair without pushes for ten seconds is polled until they return', async () => {
  const { quote } = await feed.subscribe(MARKET.pair, '1m', 5, listen);
  expect(quote).toMatchObject({ bid: toUnits(1_000), ask: toUnits(1_002), last: toUnits(1_001) });
  await pass(9_000);
  expect(events.filter(({ type }) => type === 'quote')).toEqual([]);
  await pass(8_000);
  const polled = events.filter(({ type }) => type === 'quote').length;
  expect(polled).toBeGreaterThanOrEqual(2);
  expect(exchange.connections).toBe(1);
  exchange.emit({ type: 'quote', pair: MARKET.pair, bid: 1, bidSize: 1, ask: 2, askSize: 1 });
  await pass(5_000);
  expect(events.filter(({ type }) => type === 'quote').length).toBe(polled + 1);
});

test('a silent pair is polled at the shortest interval that a listener requests', async () => {
  let slow = 60_000;
  const asked = () => events.filter(({ type }) => type === 'quote').length;
  await feed.subscribe(MARKET.pair, '1m', 5, listen, { pace: () => ({ pollMs: slow, scanMs: 3_000 }) });
  await pass(12_000);
  const first = asked();
  await pass(20_000);
  expect(asked()).toBe(first);
  slow = 5_000;
  await pass(20_000);
  expect(asked()).toBe(first + 4);
  const quick = { pace: () => ({ pollMs: 1_000, scanMs: 3_000 }) };
  const other = await feed.subscribe(MARKET.pair, '1m', 5, () => {}, quick);
  const before = asked();
  await pass(5_000);
  expect(asked()).toBeGreaterThanOrEqual(before + 4);
  other.close();
  const after = asked();
  await pass(10_000);
  expect(asked() - after).toBeLessThanOrEqual(3);
});

test('a pair is polled after three of its shortest scan intervals without a push', async () => {
  const quotes = () => events.filter(({ type }) => type === 'quote').length;
  let scanMs = 10_000;
  const slow = await feed.subscribe(MARKET.pair, '1m', 5, listen, { pace: () => ({ pollMs: 1_000, scanMs }) });
  await pass(29_000);
  expect(quotes()).toBe(0);
  expect(feed.health().quietPairs).toBe(0);
  await pass(3_000);
  expect(quotes()).toBeGreaterThan(0);
  expect(feed.health().quietPairs).toBe(1);
  exchange.emit({ type: 'quote', pair: MARKET.pair, bid: 1, bidSize: 1, ask: 2, askSize: 1 });
  scanMs = 60_000;
  events = [];
  await pass(20_000);
  expect(quotes()).toBe(0);
  const quick = { pace: () => ({ pollMs: 1_000, scanMs: 1_000 }) };
  await feed.subscribe(MARKET.pair, '1m', 5, () => {}, quick);
  await pass(2_000);
  expect(quotes()).toBeGreaterThan(0);
  slow.close();
});

test('the 24-hour figures of a pair arrive at its subscription and every minute', async () => {
  const tickers = vi.spyOn(exchange, 'tickers');
  const push = () => exchange.emit({ type: 'quote', pair: MARKET.pair, bid: 1, bidSize: 1, ask: 2, askSize: 1 });
  const read = () => events.flatMap((event) => (event.type === 'ticker' ? [event] : []));
  const { ticker } = await feed.subscribe(MARKET.pair, '1m', 5, listen);
  const figures = { type: 'ticker', at: START, pair: MARKET.pair, last: toUnits(1_001), volume24h: 1e6 };
  expect(ticker).toEqual({ ...figures, suspended: 'unread' });
  for (let n = 0; n < 130; n += 5) {
    await pass(5_000);
    push();
  }
  // At once, for the state of the pair, and from then on each minute.
  expect(read().map(({ at }) => at - START)).toEqual([1_000, 61_000, 121_000]);
  expect(tickers).toHaveBeenCalledTimes(4);
  // A later listener has the figures at once, without another request.
  expect((await feed.subscribe(MARKET.pair, '1m', 3, () => {})).ticker).toEqual(read().at(-1));
  expect(tickers).toHaveBeenCalledTimes(4);
});

test('a pair that is followed again has no state before it has been read', async () => {
  exchange.suspensions.set(MARKET.pair, 'halted');
  const suspended = vi
    .spyOn(exchange, 'suspended')
    .mockRejectedValueOnce(new ExchangeUnreachable('scripted', 'no answer'));
  const { ticker } = await feed.subscribe(MARKET.pair, '1m', 5, listen);
  const received = () => events.flatMap((event) => (event.type === 'ticker' ? [event.suspended ?? 'trading'] : []));
  expect(ticker?.suspended).toBe('unread');
  await pass(1_000);
  expect(received()).toEqual(['unread']);
  await pass(10_000);
  expect([received(), suspended.mock.calls.length]).toEqual([['unread', 'halted'], 2]);
});

test('the figures of a pair report whether it accepts new orders', async () => {
  const push = () => exchange.emit({ type: 'quote', pair: MARKET.pair, bid: 1, bidSize: 1, ask: 2, askSize: 1 });
  const minutes = async (count: number) => {
    for (let n = 0; n < count * 60; n += 5) {
      await pass(5_000);
      push();
    }
  };
  const received = () => events.flatMap((event) => (event.type === 'ticker' ? [event.suspended ?? 'trading'] : []));
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  exchange.suspensions.set(MARKET.pair, 'cancel_only');
  await minutes(2);
  // A later listener has the state at once.
  expect((await feed.subscribe(MARKET.pair, '1m', 3, () => {})).ticker?.suspended).toBe('cancel_only');
  // It is listed no more, and then trades again.
  const markets = vi.spyOn(exchange, 'markets').mockResolvedValue([]);
  await minutes(1);
  exchange.suspensions.clear();
  await minutes(1);
  markets.mockRestore();
  await minutes(1);
  expect(received()).toEqual(['cancel_only', 'cancel_only', 'cancel_only', 'trading', 'trading']);
});

test('followers of a silent pair delay no reading of its state and figures', async () => {
  const pace = { pollMs: 60_000, scanMs: 60_000 };
  await feed.subscribe(MARKET.pair, '1m', 5, listen, { pace: () => pace });
  await pass(2_000);
  events = [];
  exchange.suspensions.set(MARKET.pair, 'halted');
  exchange.volume24h = 5;
  for (let n = 0; n < 4; n += 1) {
    await pass(20_000);
    await feed.subscribe(MARKET.pair, '1m', 5, () => {}, { pace: () => pace });
  }
  const read = events.filter(({ type }) => type === 'ticker');
  expect(read).toEqual([expect.objectContaining({ suspended: 'halted', volume24h: 5 })]);
});

test('24-hour figures that the venue does not send are requested every ten seconds', async () => {
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  for (let n = 0; n < 58; n += 2) {
    exchange.emit({ type: 'quote', pair: MARKET.pair, bid: 1, bidSize: 1, ask: 2, askSize: 1 });
    await pass(2_000);
  }
  exchange.down = true;
  const tickers = vi.spyOn(exchange, 'tickers');
  for (let n = 0; n < 20; n += 2) {
    exchange.emit({ type: 'quote', pair: MARKET.pair, bid: 1, bidSize: 1, ask: 2, askSize: 1 });
    await pass(2_000);
  }
  expect(tickers).toHaveBeenCalledTimes(2);
  exchange.down = false;
  for (let n = 0; n < 10; n += 2) {
    exchange.emit({ type: 'quote', pair: MARKET.pair, bid: 1, bidSize: 1, ask: 2, askSize: 1 });
    await pass(2_000);
  }
  expect(events.filter(({ type }) => type === 'ticker')).toHaveLength(2);
});

test('a trade sets the last price of the quotes after it', async () => {
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  exchange.emit({ type: 'trade', pair: MARKET.pair, price: toUnits(1_000.5), quantity: 7 });
  exchange.emit({ type: 'quote', pair: MARKET.pair, bid: 1, bidSize: 1, ask: 2, askSize: 1 });
  expect(events.map(({ type }) => type)).toEqual(['trade', 'quote']);
  expect(events[1]).toMatchObject({ last: toUnits(1_000.5) });
});

test('an unknown pair and an unreachable venue are different errors', async () => {
  await expect(feed.subscribe('NOPE-USDT', '1m', 5, listen)).rejects.toMatchObject({ kind: 'misused' });
  exchange.down = true;
  await expect(feed.subscribe(MARKET.pair, '1m', 5, listen)).rejects.toMatchObject({ kind: 'unreachable' });
  expect(exchange.watched.size).toBe(0);
});

test('a request for history follows nothing, and merges like a subscription does', async () => {
  const plain = await feed.history(MARKET.pair, '2m', 4);
  expect(exchange.watched.size).toBe(0);
  const followed = await feed.subscribe(MARKET.pair, '2m', 4, listen);
  expect(plain.history).toEqual(followed.history);
  expect(plain.history).toHaveLength(4);
});

test('history has as many candles as asked for while the venue has not closed the newest yet', async () => {
  // The scripted venue closes a candle a second late.
  await pass(30_500);
  const { history } = await feed.history(MARKET.pair, '1m', 3);
  expect(history.map(({ time }) => time)).toEqual([-3, -2, -1].map(minute));
  expect((await feed.history(MARKET.pair, '2m', 3)).history).toHaveLength(3);
  await pass(1_000);
  const later = await feed.history(MARKET.pair, '1m', 3);
  expect(later.history.map(({ time }) => time)).toEqual([-2, -1, 0].map(minute));
});

test('history up to a time ends there, merged or not, and may be empty', async () => {
  const newest = await feed.history(MARKET.pair, '2m', 6);
  const [third, fourth] = newest.history.slice(2, 4).map(({ time }) => time) as [number, number];
  expect((await feed.history(MARKET.pair, '2m', 2, fourth)).history).toEqual(newest.history.slice(1, 3));
  // In the middle of a candle, which has not closed by then.
  expect((await feed.history(MARKET.pair, '2m', 2, fourth - 1)).history).toEqual(newest.history.slice(0, 2));
  expect((await feed.history(MARKET.pair, '1m', 2, third)).history.map(({ time }) => time)).toEqual([
    third - 120_000,
    third - 60_000,
  ]);
  for (const before of [0, -1]) expect((await feed.history(MARKET.pair, '1h', 5, before)).history).toEqual([]);
});

test('its health has the followed pairs, the quiet pairs and the interruptions', async () => {
  expect(feed.health()).toEqual({
    ...{ pairs: 0, quietPairs: 0, connectedSince: null, lastMessageAt: null },
    ...{ interruptions: 0, interruptedAt: null },
  });
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  const connected = now;
  exchange.emit({ type: 'connected' });
  await pass(2_000);
  exchange.emit({ type: 'trade', pair: MARKET.pair, price: toUnits(1_000), quantity: 1 });
  expect(feed.health()).toMatchObject({ pairs: 1, quietPairs: 0, connectedSince: connected, lastMessageAt: now });
  const lastMessageAt = now;
  await pass(2_000);
  // One cut, however often the attempts to connect again fail.
  const error = new ExchangeUnreachable('scripted', 'the line is dead');
  const cut = now;
  exchange.emit({ type: 'lost', error });
  await pass(2_000);
  exchange.emit({ type: 'lost', error });
  expect(feed.health()).toMatchObject({ connectedSince: null, lastMessageAt, interruptions: 1, interruptedAt: cut });
  await pass(8_000);
  expect(feed.health().quietPairs).toBe(1);
  exchange.emit({ type: 'connected' });
  expect(feed.health()).toMatchObject({ connectedSince: now, interruptions: 1 });
  // An open connection without messages is replaced, which is an interruption too.
  await pass(12_000);
  expect(feed.health()).toMatchObject({ connectedSince: null, interruptions: 2 });
});

test('a pair followed after all were released has a new connection and no interruption', async () => {
  const first = await feed.subscribe(MARKET.pair, '1m', 5, listen);
  exchange.emit({ type: 'connected' });
  await pass(2_000);
  first.close();
  expect(feed.health()).toMatchObject({ pairs: 0, connectedSince: null });
  // A loss without followed pairs is no interruption.
  exchange.emit({ type: 'lost', error: new ExchangeUnreachable('scripted', 'the line is dead') });
  exchange.emit({ type: 'connected' });
  await pass(15_000);
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  expect(feed.health().connectedSince).toBeNull();
  // The venue takes its time to let one in.
  await pass(3_000);
  expect(exchange.connections).toBe(0);
  exchange.emit({ type: 'connected' });
  expect(feed.health()).toMatchObject({ connectedSince: now, interruptions: 0 });
});

/** Lets `ms` pass, while each given pair receives a quote every five seconds. */
async function passPushing(ms: number, emitting = [MARKET.pair]): Promise<void> {
  for (let gone = 0; gone < ms; gone += 5_000) {
    for (const pair of emitting) {
      exchange.emit({ type: 'quote', pair, bid: toUnits(1_000), bidSize: 5, ask: toUnits(1_002), askSize: 6 });
    }
    await pass(5_000);
  }
}

/** Opens the feed again. @returns names of the requests whose failure it warns of */
async function reopenWithWarnings(): Promise<readonly string[]> {
  await feed.close();
  const warned: string[] = [];
  feed = openMarketFeed(
    exchange,
    () => now,
    (_error, request) => warned.push(request),
  );
  return warned;
}

test('a venue without readable 24-hour figures is reachable while prices are pushed', async () => {
  const warned = await reopenWithWarnings();
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  const refused = new ExchangeUnreachable('scripted', '503');
  const tickers = vi.spyOn(exchange, 'tickers').mockRejectedValue(refused);
  await passPushing(90_000);
  expect(tickers.mock.calls.length).toBeGreaterThan(1);
  expect([await feed.isReachable(), feed.problem()]).toEqual([true, null]);
  expect(warned).toEqual(['24-hour figures']);
  // Without pushes the same request is all there is.
  await pass(15_000);
  expect([await feed.isReachable(), feed.problem()]).toEqual([false, refused]);
  await passPushing(5_000);
  expect(await feed.isReachable()).toBe(true);
});

test('a delisted pair hides no state of another, and its failure is warned of once', async () => {
  const warned = await reopenWithWarnings();
  const gone = { ...MARKET, pair: 'ETH-USDT' };
  const markets = vi.spyOn(exchange, 'markets').mockResolvedValue([MARKET, gone]);
  await feed.subscribe(MARKET.pair, '1m', 5, listen);
  await feed.subscribe(gone.pair, '1m', 5, () => {});
  markets.mockResolvedValue([MARKET]);
  exchange.suspensions.set(MARKET.pair, 'cancel_only');
  vi.spyOn(exchange, 'suspended').mockImplementation(async (pairs) => {
    if (pairs.includes(gone.pair)) throw new ExchangeUnreachable('scripted', '-1121 Invalid symbol.');
    return exchange.suspensions;
  });
  await passPushing(150_000, [MARKET.pair, gone.pair]);
  expect(events.findLast((event) => event.type === 'ticker')).toMatchObject({ suspended: 'cancel_only' });
  expect(warned).toEqual(['trading states of ETH-USDT']);
});
