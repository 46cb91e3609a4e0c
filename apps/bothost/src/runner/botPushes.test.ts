import type { StreamMessage } from '@heron/contract/bots/stream.ts';
import { marketOf } from '@heron/engine/market/market.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { createPaperSession, feedSession, nextTimer } from '@heron/engine/paper/paperSession.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBotPushes } from './botPushes.ts';

const PAIR = 'BTC-USDT';
const grid = { tickSize: 0.01, stepSize: 0.00001, minQuantity: 0.00001, maxQuantity: 9000, minNotional: 5 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a watched bot with a manual purchase of BTC at 60,000, and records its pushes. */
function watched() {
  const checked = validateOptions({ watch_pairs: PAIR, strategy: 'manual', poll_scan_time: 1_000 });
  if (!checked.ok) throw new Error('the options are wrong');
  const session = createPaperSession({ id: 'abc123', options: checked.options, params: {} });
  const received: StreamMessage[] = [];
  const broadcast = {
    hasListener: () => true,
    hasWatcher: () => true,
    push: ({ message }: { message: StreamMessage }) => void received.push(message),
  };
  const row = { id: 'abc123', owner: 'o', venue: 'binance-demo', name: 'One', options: {}, params: {} } as const;
  const bot = { ...row, keyId: null, allotment: null, wanted: 'running', createdAt: 1 } as const;
  let now = Date.UTC(2026, 0, 1);
  const around = () => ({ problem: null, failed: false, account: null, pause: null });
  const pushes = createBotPushes(bot, session, broadcast, () => now, around);
  const feed = (event: MarketEvent) => pushes.committed(feedSession(session, event).notes, 0);
  const quote = (bid: number) => {
    now += 1_000;
    const at = { bid: toUnits(bid), bidSize: 0, ask: toUnits(bid + 0.01), askSize: 0, last: toUnits(bid) };
    feed({ type: 'quote', pair: PAIR, at: now, ...at });
  };
  feed({ type: 'command', at: now, command: { type: 'start' } });
  feed({ type: 'history', at: now, market: marketOf({ pair: PAIR, ...grid }), candles: [] });
  quote(60_000);
  const requestId = 'r1';
  feed({
    type: 'command',
    at: now,
    command: { type: 'buy', pair: PAIR, order: 'taker', value: toUnits(600), requestId },
  });
  for (let due = nextTimer(session); due !== null && due < now + 1_000; due = nextTimer(session)) {
    feed({ type: 'timer', at: due });
  }
  const lines = () =>
    received.flatMap((message) =>
      message.type === 'pair'
        ? [message.view.position?.levels.find(({ kind }) => kind === 'callback')?.price ?? null]
        : [],
    );
  return { received, quote, lines, pushes };
}

test('a moving trailing stop price is sent at most four times a second', () => {
  const { received, quote, lines, pushes } = watched();
  received.length = 0;
  quote(62_000);
  expect(lines(), 'the callback is not armed yet').toEqual([]);
  quote(64_000);
  quote(64_500);
  quote(65_000);
  expect(lines()).toHaveLength(1);
  vi.advanceTimersByTime(250);
  expect(lines()).toHaveLength(2);
  const [first, last] = lines().map(Number) as [number, number];
  // The level keeps 60 % of the best gain.
  expect(last - first).toBeCloseTo(600, 0);
  quote(64_000);
  vi.advanceTimersByTime(1_000);
  expect(lines()).toHaveLength(2);
  pushes.close();
});
