import type { LiveRequest } from '@heron/engine/live/executionEvent.ts';
import { expect, test } from 'vitest';
import { LiveHarness } from './liveHarness.ts';

type Placed = Extract<LiveRequest, { type: 'place' }>;
const isPlaced = (request: LiveRequest): request is Placed => request.type === 'place';

test('no other order follows a buy whose order the exchange no longer has: its fills may still arrive', () => {
  const harness = new LiveHarness({ maker: false, share: null, stop: null, stopSell: [] });
  harness.settle();
  harness.outgoing = [];
  expect(harness.buy(1_000)).toMatchObject({ ok: true });
  const [first] = harness.outgoing.filter(isPlaced);
  if (first === undefined) throw new Error('no order was placed');
  harness.outgoing = [];
  harness.disappear(first);
  harness.wait(5_000);
  expect(harness.outgoing.filter(isPlaced)).toEqual([]);
  expect(harness.state.bot.pairs[0]?.entry).toBeNull();
  const ended = harness.journal.filter(({ kind }) => kind === 'intent_end');
  expect(ended.map(({ data }) => data.how)).toEqual(['unfilled']);
});
