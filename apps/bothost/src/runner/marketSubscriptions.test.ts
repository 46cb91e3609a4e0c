import { validateOptions } from '@heron/engine/options/validate.ts';
import { createPaperSession } from '@heron/engine/paper/paperSession.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
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
    const subscriptions = createMarketSubscriptions({
      ...{ feed, now: Date.now, log: { warn: vi.fn() }, closing: closing.signal },
      session: createPaperSession({ id: 'abc123', options: checked.options, params: {} }),
      clock: createEventClock(Date.now),
      enqueue: (event) => events.push(event),
      onMarketEvent: () => {},
      onProblem: () => {},
      onFault(error) {
        throw error;
      },
    });
    subscriptions.update();
    return { events, close: subscriptions.close };
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
