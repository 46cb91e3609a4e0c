import type { Text } from '@heron/contract/locales/text.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { createPaperSession } from '@heron/engine/paper/paperSession.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import { ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import { openMarketFeed } from '@heron/exchanges/feed/marketFeed.ts';
import { MARKET, scriptedExchange } from '@heron/exchanges/testing/scriptedExchange.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventClock } from './eventClock.ts';
import { createMarketSubscriptions } from './marketSubscriptions.ts';

const START = Date.UTC(2026, 0, 1, 0, 0, 30);
const PAIR = MARKET.pair;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens a feed of a scripted venue, on which bots can subscribe. */
function venue() {
  const exchange = scriptedExchange(Date.now);
  const feed = openMarketFeed(exchange, Date.now);
  const closing = new AbortController();

  /** Subscribes a new bot to its pairs. @returns the events that it queues */
  function subscribeBot(pairs = PAIR) {
    const checked = validateOptions({ watch_pairs: pairs, period: '1m' });
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    const events: MarketEvent[] = [];
    const problems: (Text | null)[] = [];
    const subscriptions = createMarketSubscriptions({
      ...{ feed, now: Date.now, log: { warn: vi.fn() }, closing: closing.signal },
      session: createPaperSession({ id: 'abc123', options: checked.options, params: {} }),
      clock: createEventClock(Date.now),
      enqueue: (event) => events.push(event),
      onMarketEvent: () => {},
      onProblem: (problem) => problems.push(problem),
      onFault(error) {
        throw error;
      },
    });
    subscriptions.update();
    return { events, problems, close: subscriptions.close };
  }

  return {
    ...{ exchange, subscribeBot },
    async close() {
      closing.abort();
      await feed.close();
    },
  };
}

const quotesIn = (events: readonly MarketEvent[]) => events.filter(({ type }) => type === 'quote');

test('a bot that joins a silent pair gets no quote of minutes ago', async () => {
  const { exchange, subscribeBot, close } = venue();
  const first = subscribeBot();
  await vi.advanceTimersByTimeAsync(500);
  expect(quotesIn(first.events)).toMatchObject([{ at: START }]);
  // The quote is still new.
  const joined = subscribeBot();
  await vi.advanceTimersByTimeAsync(0);
  expect(quotesIn(joined.events)).toHaveLength(1);
  // Neither pushes nor polls bring a newer one.
  exchange.down = true;
  await vi.advanceTimersByTimeAsync(10_000);
  const second = subscribeBot();
  await vi.advanceTimersByTimeAsync(500);
  expect(second.events.map(({ type }) => type)).toEqual(['history', 'ticker']);
  for (const bot of [first, joined, second]) bot.close();
  await close();
});

test('a pair without market data is a problem until it has some, whatever the other pairs have', async () => {
  const { exchange, subscribeBot, close } = venue();
  const other = 'ETH-USDT';
  vi.spyOn(exchange, 'markets').mockResolvedValue([MARKET, { ...MARKET, pair: other }]);
  const read = exchange.candles;
  const candles = vi.spyOn(exchange, 'candles').mockImplementation(async (pair, ...request) => {
    if (pair === other) throw new ExchangeUnreachable('scripted', 'no answer');
    return read(pair, ...request);
  });
  const { events, problems, close: unsubscribe } = subscribeBot(`${other},${PAIR}`);
  await vi.advanceTimersByTimeAsync(400);
  expect(events.map(({ type }) => type)).toContain('history');
  expect(problems).toEqual([expect.objectContaining({ en: expect.any(String) })]);
  candles.mockRestore();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(problems.slice(1)).toEqual([null]);
  unsubscribe();
  await close();
});
