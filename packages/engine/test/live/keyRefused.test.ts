import { expect, test } from 'vitest';
import { LiveHarness } from './liveHarness.ts';

const pairOf = ({ state }: LiveHarness) => state.bot.pairs[0] as NonNullable<(typeof state.bot.pairs)[0]>;
const recorded = ({ journal }: LiveHarness) =>
  journal.filter(({ kind }) => kind === 'external').map(({ data }) => data.what);
const openStops = ({ exchange }: LiveHarness) =>
  [...exchange.orders.values()].filter(({ status, request }) => status === 'open' && request.trigger !== undefined);

/** Rejects the next request because the exchange does not accept the key. */
function refuse(harness: LiveHarness): void {
  harness.key('refused');
  while (harness.outgoing.length > 0) harness.perform(0, 'refused', 1);
  harness.deliverAll();
}

test('a rejected key blocks entries and manual sales at once, and is recorded once', () => {
  const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
  harness.buy(1_000);
  harness.settle();
  harness.journal.length = 0;
  harness.buy(500);
  refuse(harness);
  expect(recorded(harness)).toEqual(['key_refused']);
  expect(harness.buy(500)).toMatchObject({ ok: false, gate: 'key_refused' });
  expect(harness.sell(100)).toMatchObject({ ok: false, gate: 'key_refused' });
  expect(harness.outgoing).toEqual([]);
  harness.key('refused');
  harness.crash();
  expect(harness.buy(500)).toMatchObject({ ok: false, gate: 'key_refused' });
  harness.key('fine');
  expect(harness.buy(500)).toMatchObject({ ok: true });
  harness.settle();
  expect(recorded(harness)).toEqual(['key_refused', 'key_accepted']);
});

test('a manual sale that is rejected for its key is given up, not sent minutes later', () => {
  const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
  harness.buy(1_000);
  harness.settle();
  const { held } = harness.exchange;
  harness.sell(100);
  // The bot cancels the stop first; then the key is revoked.
  harness.perform(0, 'both', 1);
  harness.deliverAll();
  expect(harness.outgoing.length).toBeGreaterThan(0);
  refuse(harness);
  expect(pairOf(harness).exit).toBeNull();
  const ends = harness.journal.filter(({ kind, data }) => kind === 'intent_end' && data.reason === 'manual');
  expect(ends.at(-1)).toMatchObject({ data: { how: 'rejected', filled: '0' } });
  harness.key('fine');
  harness.settle();
  expect([harness.exchange.held, openStops(harness).length]).toEqual([held, 1]);
});

test('a stop and an exit that a rejected key stopped are sent once it is accepted', () => {
  const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
  harness.buy(1_000);
  harness.perform(0, 'both', 1);
  harness.deliverAll();
  for (let refusal = 0; refusal < 8; refusal++) {
    refuse(harness);
    harness.wait(2_000 * 2 ** refusal);
  }
  refuse(harness);
  expect(recorded(harness).filter((what) => what === 'order_refused')).toEqual([]);
  expect(harness.outgoing).toEqual([]);
  harness.key('fine');
  expect(harness.outgoing).toMatchObject([{ type: 'place', order: { type: 'stop_market' } }]);
  harness.fall(0.02);
  harness.quote(0);
  harness.settle();
  expect(pairOf(harness).position).toBeNull();
});
