import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import { expect, test } from 'vitest';
import { createEventQueue } from './eventQueue.ts';

const quote = (pair: string, at: number): MarketEvent => ({
  type: 'quote',
  pair,
  at,
  bid: 1,
  bidSize: 1,
  ask: 2,
  askSize: 1,
  last: 1,
});
const trade = (at: number): MarketEvent => ({ type: 'trade', pair: 'A-B', at, price: 1, quantity: 1 });
const timer = (at: number): MarketEvent => ({ type: 'timer', at });

function drain(queue: ReturnType<typeof createEventQueue>): (number | undefined)[] {
  const taken: (number | undefined)[] = [];
  for (let item = queue.next(); item !== null; item = queue.next()) taken.push(item.event?.at);
  return taken;
}

test('events are handled in the order in which they were added', () => {
  const queue = createEventQueue(() => false);
  for (const event of [quote('A-B', 1), trade(2), quote('A-B', 3), timer(4)]) queue.put({ event });
  expect(drain(queue)).toEqual([1, 2, 3, 4]);
  expect(queue.next()).toBeNull();
});

test('a bot that cannot run keeps the newest quote of each pair, no trades, all else', () => {
  let stalled = false;
  const queue = createEventQueue(() => stalled);
  queue.put({ event: quote('A-B', 1) });
  queue.put({ event: trade(2) });
  stalled = true;
  for (let at = 3; at < 100_000; at += 3) {
    queue.put({ event: quote('A-B', at) });
    queue.put({ event: quote('C-D', at + 1) });
    queue.put({ event: trade(at + 2) });
  }
  queue.put({ event: timer(100_000) });
  expect(drain(queue)).toEqual([2, 99_999, 100_000, 100_000]);
});

test('after the queue was emptied, new quotes are separate from those before', () => {
  const queue = createEventQueue(() => true);
  queue.put({ event: quote('A-B', 1) });
  queue.put({ event: timer(2) });
  expect(queue.next()?.event?.at).toBe(1);
  queue.put({ event: quote('A-B', 3) });
  expect(drain(queue)).toEqual([2, 3]);
});

test('commands that will never be handled are rejected', async () => {
  const queue = createEventQueue(() => false);
  const answer = Promise.withResolvers<CommandResult | null>();
  queue.put({ event: timer(1), answer });
  queue.fail(new Error('gone'));
  await expect(answer.promise).rejects.toThrow('gone');
  expect(queue.next()).toBeNull();
});
